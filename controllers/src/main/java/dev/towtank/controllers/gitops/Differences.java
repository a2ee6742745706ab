package dev.towtank.controllers.gitops;

import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.model.Json;
import dev.towtank.model.jq.JqError;
import dev.towtank.model.jq.JqExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// What counts as a difference between two states of an object.
///
/// @param ignored `spec.ignoreDifferences`
record Differences(List<Json.Obj> ignored) {

    private static final long STEPS = 100_000;
    private static final List<String> OF_THE_SERVER =
            List.of("managedFields", "resourceVersion", "generation", "creationTimestamp", "uid", "selfLink");

    Differences {
        ignored = List.copyOf(ignored);
    }

    /// @param predicted what lives when the target is applied
    boolean areNone(Json.Obj live, Json.Obj predicted) {
        return essence(live).equals(essence(predicted));
    }

    private Json essence(Json.Obj object) {
        var metadata = object.object("metadata");
        for (var field : OF_THE_SERVER) {
            metadata = metadata.without(field);
        }
        Json bare = object.with("metadata", metadata).without("status");
        for (var change : ignoring(ResourceKey.of(object))) {
            bare = change.apply(bare);
        }
        return bare;
    }

    private List<UnaryOperator<Json>> ignoring(ResourceKey key) {
        var changes = new ArrayList<UnaryOperator<Json>>();
        for (var rule : ignored) {
            if (matches(rule, key)) {
                rule.array("jsonPointers")
                        .strings()
                        .forEach(pointer -> changes.add(json -> without(json, steps(pointer))));
                rule.array("jqPathExpressions").strings().forEach(path -> changes.add(json -> deleted(json, path)));
            }
        }
        return changes;
    }

    private static boolean matches(Json.Obj rule, ResourceKey key) {
        return Globs.matches(rule.string("group"), key.group())
                && Globs.matches(rule.string("kind"), key.kind())
                && (rule.string("name").isEmpty() || rule.string("name").equals(key.name()))
                && (rule.string("namespace").isEmpty()
                        || rule.string("namespace").equals(key.namespace()));
    }

    private static List<String> steps(String pointer) {
        return List.of(pointer.split("/", -1)).stream()
                .skip(1)
                .map(step -> step.replace("~1", "/").replace("~0", "~"))
                .toList();
    }

    private static Json without(Json json, List<String> steps) {
        if (steps.isEmpty()) {
            return json;
        }
        var step = steps.getFirst();
        var rest = steps.subList(1, steps.size());
        if (json instanceof Json.Obj object) {
            var inner = object.get(step);
            return inner == null
                    ? json
                    : rest.isEmpty() ? object.without(step) : object.with(step, without(inner, rest));
        }
        if (json instanceof Json.Arr(var items) && step.matches("\\d{1,6}") && Integer.parseInt(step) < items.size()) {
            var changed = new ArrayList<>(items);
            int at = Integer.parseInt(step);
            if (rest.isEmpty()) {
                changed.remove(at);
            } else {
                changed.set(at, without(items.get(at), rest));
            }
            return new Json.Arr(changed);
        }
        return json;
    }

    private static Json deleted(Json json, String path) {
        try {
            var found = JqExpression.compile("del(" + path + ")").evaluate(json, STEPS);
            return found.size() == 1 ? found.getFirst() : json;
        } catch (JqError e) {
            return json; // the Application's conditions tell of it
        }
    }

    /// What is wrong with the rules; for people.
    List<String> problems() {
        var problems = new ArrayList<String>();
        for (var rule : ignored) {
            if (!rule.array("managedFieldsManagers").strings().isEmpty()) {
                problems.add("spec.ignoreDifferences: managedFieldsManagers is not served");
            }
            for (var path : rule.array("jqPathExpressions").strings()) {
                try {
                    JqExpression.compile("del(" + path + ")");
                } catch (JqError e) {
                    problems.add("spec.ignoreDifferences: " + path + " cannot be read: " + e.getMessage());
                }
            }
        }
        return problems;
    }
}
