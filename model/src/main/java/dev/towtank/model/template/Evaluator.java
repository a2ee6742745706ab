package dev.towtank.model.template;

import dev.towtank.model.template.TemplateSettings.MissingKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Works out what operands, commands and pipelines are, and keeps the variables of one executed template.
///
/// A value here is `null` where Go has none, and [Boxed] where Go holds it as an `interface {}`; the rest of the world
/// sees
/// neither of these differences.
final class Evaluator implements Render {
    /// Says that there is no value from a command before this one.
    private enum Nothing {
        NOTHING
    }

    private record Variable(String name, @Nullable Object value) {}

    private final GoTemplate templates;
    private final TemplateSettings settings;
    private final Tree tree;
    private final List<Variable> variables = new ArrayList<>();
    private Node current;

    Evaluator(GoTemplate templates, TemplateSettings settings, Tree tree, @Nullable Object data) {
        this.templates = templates;
        this.settings = settings;
        this.tree = tree;
        this.current = tree.root();
        variables.add(new Variable("$", data));
    }

    /// Says which part of the template is at work, for errors.
    void at(Node node) {
        current = node;
    }

    TemplateError failure(String message) {
        return new TemplateError(here() + message);
    }

    String here() {
        return "template: " + tree.source().locate(current.at()) + ": executing " + GoText.quote(tree.name()) + " at <"
                + current.shown() + ">: ";
    }

    int mark() {
        return variables.size();
    }

    void forget(int mark) {
        variables.subList(mark, variables.size()).clear();
    }

    /// Gives the variables of a loop their values for one turn. The loop's pipeline has made them.
    void nextTurn(Node.Pipeline pipeline, @Nullable Object key, @Nullable Object element) {
        var names = pipeline.variables();
        for (int i = 0; i < names.size(); i++) {
            var value = names.size() > 1 && i == 0 ? key : element;
            if (pipeline.assigns()) {
                assign(names.get(i), value);
            } else {
                variables.set(variables.size() - names.size() + i, new Variable(names.get(i), value));
            }
        }
    }

    private void assign(String name, @Nullable Object value) {
        for (int i = variables.size() - 1; i >= 0; i--) {
            if (variables.get(i).name().equals(name)) {
                variables.set(i, new Variable(name, value));
                return;
            }
        }
        throw failure("undefined variable: " + name);
    }

    private @Nullable Object variable(String name) {
        for (int i = variables.size() - 1; i >= 0; i--) {
            if (variables.get(i).name().equals(name)) {
                return variables.get(i).value();
            }
        }
        throw failure("undefined variable: " + name);
    }

    /// The value of a pipeline, out of its interface; its variables are declared or assigned.
    @Nullable
    Object pipeline(Node.Pipeline pipeline, @Nullable Object dot) {
        at(pipeline);
        settings.meter().step();
        Object value = Nothing.NOTHING;
        for (var command : pipeline.commands()) {
            value = Boxed.open(command(command, dot, value));
        }
        for (var name : pipeline.variables()) {
            if (pipeline.assigns()) {
                assign(name, value);
            } else {
                variables.add(new Variable(name, value));
            }
        }
        return value;
    }

    private @Nullable Object command(Node.Command command, @Nullable Object dot, @Nullable Object last) {
        var operands = command.operands();
        var first = operands.getFirst();
        switch (first) {
            case Node.Field field -> {
                at(field);
                return fields(dot, field, field.names(), operands, last, dot);
            }
            case Node.Chain chain -> {
                return chain(chain, operands, last, dot);
            }
            case Node.Identifier identifier -> {
                return function(identifier, command, operands, last, dot);
            }
            case Node.Pipeline inner -> {
                refuseArguments(operands, last);
                return pipeline(inner, dot);
            }
            case Node.Variable variable -> {
                return variable(variable, operands, last, dot);
            }
            case Node.Bool _, Node.Dot _, Node.Nil _, Node.Numeral _, Node.Str _ -> {}
        }
        at(first);
        refuseArguments(operands, last);
        if (first instanceof Node.Nil) {
            throw failure("nil is not a command");
        }
        return literal(first, dot);
    }

    private void refuseArguments(List<Node.Operand> operands, @Nullable Object last) {
        if (operands.size() > 1 || !(last instanceof Nothing)) {
            throw failure(
                    "can't give argument to non-function " + operands.getFirst().shown());
        }
    }

    private @Nullable Object literal(Node.Operand operand, @Nullable Object dot) {
        return switch (operand) {
            case Node.Bool(var _, var value) -> value;
            case Node.Dot _ -> dot;
            case Node.Str(var _, var _, var value) -> value;
            case Node.Numeral number -> {
                at(number);
                if (number.looksReal()) {
                    yield number.real();
                }
                if (number.whole() == null) {
                    throw failure(number.text() + " overflows int");
                }
                yield number.whole();
            }
            case Node.Pipeline _, Node.Identifier _, Node.Variable _, Node.Field _, Node.Chain _, Node.Nil _ ->
                throw failure("can't handle assignment of " + operand.shown() + " to empty interface argument");
        };
    }

    private @Nullable Object variable(
            Node.Variable variable, List<Node.Operand> operands, @Nullable Object last, @Nullable Object dot) {
        at(variable);
        var value = variable(variable.name());
        if (variable.fields().isEmpty()) {
            refuseArguments(operands, last);
            return value;
        }
        return fields(value, variable, variable.fields(), operands, last, dot);
    }

    private @Nullable Object chain(
            Node.Chain chain, List<Node.Operand> operands, @Nullable Object last, @Nullable Object dot) {
        at(chain);
        if (chain.of() instanceof Node.Nil) {
            throw failure("indirection through explicit nil in " + chain.shown());
        }
        at(chain.of());
        var start = chain.of() instanceof Node.Pipeline inner
                ? pipeline(inner, dot)
                : function((Node.Identifier) chain.of(), chain.of(), List.of(), Nothing.NOTHING, dot);
        return fields(start, chain, chain.fields(), operands, last, dot);
    }

    private @Nullable Object fields(
            @Nullable Object start,
            Node node,
            List<String> names,
            List<Node.Operand> operands,
            @Nullable Object last,
            @Nullable Object dot) {
        var value = start;
        for (int i = 0; i < names.size() - 1; i++) {
            value = field(value, names.get(i), node, List.of(), Nothing.NOTHING, dot);
        }
        return field(value, names.getLast(), node, operands, last, dot);
    }

    private @Nullable Object field(
            @Nullable Object receiver,
            String name,
            Node node,
            List<Node.Operand> operands,
            @Nullable Object last,
            @Nullable Object dot) {
        if (receiver == null) {
            if (settings.missingKey() == MissingKey.ERROR) {
                throw failure("nil data; no entry for key " + GoText.quote(name));
            }
            return null;
        }
        var value = Boxed.open(receiver);
        if (value == null) {
            throw failure("nil pointer evaluating interface {}." + name);
        }
        if (value instanceof GoObject object) {
            switch (object.member(name)) {
                case GoObject.Method(var function) -> {
                    return call(function, name, false, node, operands, last, dot);
                }
                case GoObject.Field(var content) -> {
                    if (operands.size() > 1 || !(last instanceof Nothing)) {
                        throw failure(name + " has arguments but cannot be invoked as function");
                    }
                    return content;
                }
                case null -> {}
            }
        }
        if (value instanceof Map<?, ?> map) {
            if (operands.size() > 1 || !(last instanceof Nothing)) {
                throw failure(name + " is not a method but has arguments");
            }
            return map instanceof TypedMap typed && typed.hasPlainView(name) ? typed.plain() : entry(map, name);
        }
        throw failure("can't evaluate field " + name + " in type " + Values.type(receiver));
    }

    private @Nullable Object entry(Map<?, ?> map, String name) {
        var found = map.get(name);
        if (found != null) {
            return found instanceof Map || (map instanceof TypedMap typed && !typed.isOfAnything())
                    ? found
                    : Boxed.of(found);
        }
        if (map.containsKey(name)) {
            return Boxed.NIL;
        }
        return switch (settings.missingKey()) {
            case INVALID -> null;
            case ZERO -> map instanceof TypedMap typed && !typed.isOfAnything() ? typed.zero() : Boxed.NIL;
            case ERROR -> throw failure("map has no entry for key " + GoText.quote(name));
        };
    }

    private @Nullable Object function(
            Node.Identifier identifier,
            Node command,
            List<Node.Operand> operands,
            @Nullable Object last,
            @Nullable Object dot) {
        at(identifier);
        var name = identifier.name();
        var function = settings.functions().find(name);
        if (function == null) {
            throw failure(GoText.quote(name) + " is not a defined function");
        }
        return call(function, name, settings.functions().isBuiltin(name), command, operands, last, dot);
    }

    // The first of the operands is what is called.
    private @Nullable Object call(
            Function function,
            String name,
            boolean isBuiltin,
            Node node,
            List<Node.Operand> operands,
            @Nullable Object last,
            @Nullable Object dot) {
        int written = Math.max(0, operands.size() - 1);
        int count = written + (last instanceof Nothing ? 0 : 1);
        checkCount(function, name, written, count);
        if (isBuiltin && (name.equals("and") || name.equals("or"))) {
            return shortCircuit(name.equals("or"), operands, last, dot);
        }
        var values = new @Nullable Object[count];
        for (int i = 0; i < written; i++) {
            values[i] = argument(operands.get(i + 1), function.parameter(i), dot);
        }
        if (!(last instanceof Nothing)) {
            values[written] = checked(last, function.parameter(written));
        }
        settings.meter().step();
        try {
            var result = function.body().call(new Arguments(values, this));
            if (result instanceof String text) {
                settings.meter().claim(text.length());
            }
            return result;
        } catch (FunctionError e) {
            at(node);
            throw failure("error calling " + name + ": " + e.text());
        } catch (TemplateError e) {
            at(node);
            throw e.inside(here() + "error calling " + name + ": ");
        }
    }

    private void checkCount(Function function, String name, int written, int count) {
        if (function.isVariadic() && count < function.fixed()) {
            throw failure(
                    "wrong number of args for " + name + ": want at least " + function.fixed() + " got " + written);
        }
        if (!function.isVariadic() && count != function.fixed()) {
            throw failure("wrong number of args for " + name + ": want " + function.fixed() + " got " + count);
        }
    }

    private @Nullable Object shortCircuit(
            boolean isOr, List<Node.Operand> operands, @Nullable Object last, @Nullable Object dot) {
        Object value = null;
        for (int i = 1; i < operands.size(); i++) {
            value = argument(operands.get(i), GoType.VALUE, dot);
            if (Values.isTrue(value) == isOr) {
                return value;
            }
        }
        return last instanceof Nothing ? value : last;
    }

    private @Nullable Object argument(Node.Operand operand, GoType type, @Nullable Object dot) {
        at(operand);
        return switch (operand) {
            case Node.Dot _ -> checked(dot, type);
            case Node.Nil _ -> {
                if (!type.takesNil()) {
                    throw failure("cannot assign nil to " + type.name());
                }
                yield null;
            }
            case Node.Field field -> checked(fields(dot, field, field.names(), List.of(), Nothing.NOTHING, dot), type);
            case Node.Variable variable -> checked(variable(variable, List.of(variable), Nothing.NOTHING, dot), type);
            case Node.Pipeline inner -> checked(pipeline(inner, dot), type);
            case Node.Identifier identifier ->
                checked(function(identifier, identifier, List.of(), Nothing.NOTHING, dot), type);
            case Node.Chain chain -> checked(chain(chain, List.of(), Nothing.NOTHING, dot), type);
            case Node.Bool _, Node.Numeral _, Node.Str _ -> constant(operand, type, dot);
        };
    }

    private @Nullable Object constant(Node.Operand operand, GoType type, @Nullable Object dot) {
        if (type.equals(GoType.ANY) || type.equals(GoType.VALUE)) {
            return literal(operand, dot);
        }
        if (type.equals(GoType.BOOL)) {
            return operand instanceof Node.Bool(var _, var value) ? value : expected("bool", operand);
        }
        if (type.equals(GoType.STRING)) {
            return operand instanceof Node.Str(var _, var _, var value) ? value : expected("string", operand);
        }
        if (type.isInteger()) {
            return operand instanceof Node.Numeral number && number.whole() != null
                    ? type.integer(number.whole())
                    : expected("integer", operand);
        }
        if (type.equals(GoType.FLOAT64)) {
            return operand instanceof Node.Numeral number ? number.real() : expected("float", operand);
        }
        throw failure("can't handle " + operand.shown() + " for arg of type " + type.name());
    }

    private Object expected(String what, Node.Operand operand) {
        throw failure("expected " + what + "; found " + operand.shown());
    }

    private @Nullable Object checked(@Nullable Object value, GoType type) {
        if (type.equals(GoType.VALUE)) {
            return value;
        }
        var inside = Boxed.open(value);
        if (inside == null) {
            if (type.equals(GoType.ANY) || (value == null && type.takesNil())) {
                return null;
            }
            throw failure(
                    value == null
                            ? "invalid value; expected " + type.name()
                            : "wrong type for value; expected " + type.name() + "; got interface {}");
        }
        if (!type.accepts().test(inside)) {
            throw failure("wrong type for value; expected " + type.name() + "; got " + Values.type(inside));
        }
        return inside;
    }

    @Override
    public Meter meter() {
        return settings.meter();
    }

    @Override
    public String execute(String name, @Nullable Object data) {
        return templates.execute(name, data, settings);
    }

    @Override
    public String executeText(String name, String text, @Nullable Object data, ParseFailure onParseFailure) {
        meter().step(text.length() / 16);
        GoTemplate more;
        try {
            more = templates.replacing(name, text, settings.functions());
        } catch (TemplateError e) {
            throw onParseFailure.explain(e.text());
        }
        return more.execute(data, settings);
    }
}
