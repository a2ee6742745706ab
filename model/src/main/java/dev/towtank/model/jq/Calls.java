package dev.towtank.model.jq;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Names and what they stand for: variables, arguments, functions of the expression, and those that everybody knows.
final class Calls {

    /// Ways out of an expression, or what there is none of here; refused by name rather than as unknown.
    private static final Set<String> OUTSIDE = Set.of(
            "input",
            "inputs",
            "debug",
            "stderr",
            "env",
            "halt",
            "halt_error",
            "input_filename",
            "input_line_number",
            "get_search_list",
            "modulemeta",
            "now",
            "localtime",
            "strflocaltime",
            "builtins",
            "nan");

    private Calls() {}

    static Filter of(Scope scope, String name, List<Filter> arguments) {
        var found = scope.find(name + "/" + arguments.size());
        if (found == null) {
            return everybodys(name, arguments);
        }
        var function = found.function();
        if (function == null) {
            return argument(found.distance());
        }
        return (run, env, input, output) ->
                call(run, function, env.at(found.distance()), env, arguments, input, output);
    }

    private static Filter everybodys(String name, List<Filter> arguments) {
        var builtin = Builtins.of(name, arguments);
        if (builtin != null) {
            return builtin;
        }
        var definition = Prelude.DEFINITIONS.get(name + "/" + arguments.size());
        if (definition == null) {
            throw new JqError("function not defined" + (OUTSIDE.contains(name) ? " here: " : ": ") + name + "/"
                    + arguments.size());
        }
        var function = JqParser.define(definition);
        var home = Env.TOP.with(new Env.Meaning.Known());
        return (run, env, input, output) -> call(run, function, home, env, arguments, input, output);
    }

    private static void call(
            Run run,
            Scope.Function function,
            Env home,
            Env caller,
            List<Filter> arguments,
            Value input,
            Consumer<Value> output) {
        run.step();
        run.enter();
        var inner = home;
        for (var argument : arguments) {
            inner = inner.with(new Env.Meaning.Closure(argument, caller));
        }
        function.body().apply(run, inner, input, output);
        run.leave();
    }

    /// Runs what the caller gave, where the caller was.
    static Filter argument(int distance) {
        return (run, env, input, output) -> {
            if (env.at(distance).meaning() instanceof Env.Meaning.Closure(var filter, var home)) {
                run.step();
                filter.apply(run, home, input, output);
            }
        };
    }

    static Filter variable(Scope scope, String name) {
        var found = scope.find("$" + name);
        if (found == null) {
            throw new JqError("variable not defined" + (name.equals("ENV") ? " here: $" : ": $") + name);
        }
        return (run, env, _, output) -> {
            run.step();
            if (env.at(found.distance()).meaning() instanceof Env.Meaning.Variable(var json)) {
                output.accept(Value.computed(json));
            }
        };
    }
}
