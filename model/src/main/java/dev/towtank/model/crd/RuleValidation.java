package dev.towtank.model.crd;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.cel.Expression.Outcome;
import dev.towtank.model.cel.Expressions;
import dev.towtank.model.crd.schema.Location;
import dev.towtank.model.crd.schema.OldItems;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Evaluates the expressions of a schema on one object, under one budget.
final class RuleValidation {

    private static final int MAX_MESSAGE_BYTES = 5 * 1024;

    private final FieldError.Collector errors;
    private final String prefix;
    private long budget = Expressions.PER_OBJECT_LIMIT;

    /// @param prefix stands before the paths of errors
    RuleValidation(FieldError.Collector errors, String prefix) {
        this.errors = errors;
        this.prefix = prefix;
    }

    /// @param old what was there before an update, or null
    void validate(RuleTree tree, Json value, @Nullable Json old) {
        node(tree, value, old, old, Location.ROOT);
    }

    /// @param ratchet the old value of this place, or of the nearest place around it that has one
    private void node(RuleTree tree, Json value, @Nullable Json old, @Nullable Json ratchet, Location at) {
        if (value instanceof Json.Null || budget < 0) {
            return;
        }
        boolean unchanged = value.equals(ratchet);
        rules(tree, value, old, unchanged, at);
        switch (value) {
            case Json.Obj object -> object(tree, object, old, unchanged, at);
            case Json.Arr array -> array(tree, array, old, unchanged, at);
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> {}
        }
    }

    private void object(RuleTree tree, Json.Obj object, @Nullable Json old, boolean unchanged, Location at) {
        for (int i = 0; i < object.size() && budget >= 0; i++) {
            var key = object.key(i);
            var value = object.value(i);
            var property = tree.properties().get(key);
            var inner = property == null ? tree.additional() : property;
            if (inner != null) {
                var before = RuleTree.oldField(old, key);
                var ratchet = isHidden(at, key) ? null : before != null ? before : unchanged ? value : null;
                node(inner, value, before, ratchet, property == null ? at.key(key) : at.child(key));
            }
        }
    }

    // Old and new object are brought into the same version before anybody compares them.
    private static boolean isHidden(Location at, String key) {
        return at.equals(Location.ROOT) && (key.equals("apiVersion") || key.equals("kind"));
    }

    private void array(RuleTree tree, Json.Arr array, @Nullable Json old, boolean unchanged, Location at) {
        var items = tree.items();
        if (items == null) {
            return;
        }
        var olds = OldItems.of(tree.schema(), old);
        for (int i = 0; i < array.size() && budget >= 0; i++) {
            var before = olds.matching(array.get(i));
            node(items, array.get(i), before, before != null ? before : unchanged ? array.get(i) : null, at.index(i));
        }
    }

    private void rules(RuleTree tree, Json value, @Nullable Json old, boolean unchanged, Location at) {
        for (var rule : tree.rules()) {
            if (budget <= 0) {
                runOut(tree, at);
                return;
            }
            if (!rule.problem().isEmpty()) {
                invalid(tree, at, "rule compile error: " + rule.problem());
            } else if (rule.program() != null
                    && (!rule.usesOldSelf() || old != null || rule.rule().optionalOldSelf())) {
                evaluate(rule, tree, value, old, unchanged, at);
            }
            if (budget < 0) {
                return;
            }
        }
    }

    private void evaluate(
            CompiledRule rule, RuleTree tree, Json value, @Nullable Json old, boolean unchanged, Location at) {
        var variables = new HashMap<String, Json>();
        variables.put("self", value);
        if (old != null) {
            variables.put("oldSelf", old);
        }
        var program = rule.program();
        var outcome = program == null ? null : program.evaluate(variables, Expressions.PER_CALL_LIMIT);
        if (outcome != null && outcome.cost() > budget) {
            runOut(tree, at);
            return;
        }
        switch (outcome) {
            case null -> {}
            case Outcome.TooExpensive _ -> {
                invalid(
                        tree,
                        at,
                        "'operation cancelled: actual cost limit exceeded': no further validation rules will be"
                                + " run due to call cost exceeds limit for rule: "
                                + rule.rule().label());
                budget = -1;
            }
            case Outcome.Failed(var message, var cost) -> {
                budget -= cost;
                invalid(
                        tree,
                        at,
                        message.startsWith("no such overload")
                                ? "'" + message
                                        + "': call arguments did not match a supported operator, function or macro"
                                        + " signature for rule: " + rule.rule().label()
                                : message + " evaluating rule: " + rule.rule().label());
            }
            case Outcome.Value(var result, var cost) -> {
                budget -= cost;
                if (!result.equals(Json.Bool.TRUE) && (rule.usesOldSelf() || !unchanged)) {
                    message(rule, tree, variables, at).ifPresent(text -> fail(rule, tree, value, text, at));
                }
            }
        }
    }

    private void runOut(RuleTree tree, Location at) {
        invalid(
                tree,
                at,
                "validation failed due to running out of cost budget, no further validation rules will be run");
        budget = -1;
    }

    private void fail(CompiledRule rule, RuleTree tree, Json value, String detail, Location at) {
        var path = path(rule, at);
        var type = tree.schema().type();
        var shown = type.equals("object") || type.equals("array") ? null : value;
        errors.add(
                switch (rule.rule().reason()) {
                    case "FieldValueForbidden" -> new FieldError(FieldError.Type.FORBIDDEN, path, null, detail);
                    case "FieldValueRequired" -> new FieldError(FieldError.Type.REQUIRED, path, null, detail);
                    case "FieldValueDuplicate" -> new FieldError(FieldError.Type.DUPLICATE, path, shown, "");
                    default -> new FieldError(FieldError.Type.INVALID, path, shown, detail);
                });
    }

    /// Empty where the budget does not suffice to find out, which is reported instead.
    private Optional<String> message(CompiledRule rule, RuleTree tree, Map<String, Json> variables, Location at) {
        var fallback = rule.rule().message().isEmpty()
                ? "failed rule: " + rule.rule().label()
                : rule.rule().message().strip();
        var expression = rule.message();
        if (expression == null) {
            return Optional.of(fallback);
        }
        var outcome = expression.evaluate(variables, Expressions.PER_CALL_LIMIT);
        boolean tooExpensive = outcome instanceof Outcome.TooExpensive;
        if (outcome.cost() > budget || tooExpensive) {
            var detail = outcome.cost() > budget
                    ? "messageExpression evaluation failed due to running out of cost budget, no further validation"
                            + " rules will be run"
                    : "no further validation rules will be run due to call cost exceeds limit for messageExpression: "
                            + Json.of(rule.rule().messageExpression());
            errors.add(new FieldError(
                    FieldError.Type.INVALID,
                    path(rule, at),
                    Json.of(tree.schema().type()),
                    detail));
            budget = -1;
            return Optional.empty();
        }
        budget -= outcome.cost();
        return Optional.of(usable(outcome).orElse(fallback));
    }

    private static Optional<String> usable(Outcome outcome) {
        if (!(outcome instanceof Outcome.Value(Json.Str(var text), var _))) {
            return Optional.empty();
        }
        var message = text.strip();
        boolean usable = !message.isEmpty()
                && message.indexOf('\n') < 0
                && message.getBytes(StandardCharsets.UTF_8).length <= MAX_MESSAGE_BYTES;
        return usable ? Optional.of(message) : Optional.empty();
    }

    private String path(CompiledRule rule, Location at) {
        var path = path(at);
        if (rule.fieldPath().isEmpty()) {
            return path;
        }
        return path.isEmpty() ? rule.fieldPath() : path + "." + rule.fieldPath();
    }

    private void invalid(RuleTree tree, Location at, String detail) {
        errors.add(new FieldError(
                FieldError.Type.INVALID, path(at), Json.of(tree.schema().type()), detail));
    }

    private String path(Location at) {
        var text = at.text();
        return prefix.isEmpty() || text.isEmpty() ? prefix + text : prefix + (text.startsWith("[") ? "" : ".") + text;
    }
}
