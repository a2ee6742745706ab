package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The functions that are written in Java.
final class Builtins {

    /// What gets its arguments unevaluated.
    private interface Form {
        Filter of(List<Filter> arguments);
    }

    private interface Ternary {
        Json of(Run run, Json input, Json first, Json second);
    }

    private static final Map<String, Form> FORMS = Map.ofEntries(
            Map.entry("empty/0", _ -> Filter.NOTHING),
            Map.entry("error/0", _ -> Filter.computed(Builtins::fail)),
            Map.entry("select/1", it -> Control.select(it.getFirst())),
            Map.entry("recurse/0", _ -> Control.recurse(Control.attempt(Paths.EACH, Filter.NOTHING))),
            Map.entry("recurse/1", it -> Control.recurse(it.getFirst())),
            Map.entry("range/3", it -> Control.range(it.get(0), it.get(1), it.get(2))),
            Map.entry("first/1", it -> first(it.getFirst())),
            Map.entry("last/1", it -> last(it.getFirst())),
            Map.entry("_limit/2", Builtins::limit),
            Map.entry("isempty/1", it -> Builtins.isEmpty(it.getFirst())),
            Map.entry("path/1", it -> path(it.getFirst())),
            Map.entry("getpath/1", it -> member(it.getFirst())),
            Map.entry("del/1", it -> Updates.delete(it.getFirst())),
            Map.entry("pick/1", it -> Updates.pick(it.getFirst())),
            Map.entry("sort_by/1", it -> Lists.sorted(it.getFirst(), Lists.Grouping.SORTED)),
            Map.entry("group_by/1", it -> Lists.sorted(it.getFirst(), Lists.Grouping.GROUPED)),
            Map.entry("unique_by/1", it -> Lists.sorted(it.getFirst(), Lists.Grouping.UNIQUE)),
            Map.entry("_extreme/2", it -> Lists.extreme(it.get(0), it.get(1))),
            Map.entry("match/2", it -> Regexes.match(it.get(0), it.get(1))),
            Map.entry("sub/3", it -> Regexes.substitute(it.get(0), it.get(1), it.get(2))));

    private static final Map<String, Filter.Operation> BINARY = Map.ofEntries(
            Map.entry("has", MemberFunctions::has),
            Map.entry("contains", Lists::contains),
            Map.entry("indices", Lists::indices),
            Map.entry("flatten", Lists::flatten),
            Map.entry("bsearch", Lists::search),
            Map.entry(
                    "delpaths",
                    (run, json, places) -> Paths.delete(
                            run,
                            json,
                            Texts.array(places).stream().map(Texts::array).toList())),
            Map.entry(
                    "startswith",
                    (_, json, given) ->
                            Json.of(Strings.both("startswith", json, given).startsWith(given.display()))),
            Map.entry(
                    "endswith",
                    (_, json, given) ->
                            Json.of(Strings.both("endswith", json, given).endsWith(given.display()))),
            Map.entry("ltrimstr", (_, json, given) -> Strings.trimmed(json, given, true, false)),
            Map.entry("rtrimstr", (_, json, given) -> Strings.trimmed(json, given, false, true)),
            Map.entry("trimstr", (_, json, given) -> Strings.trimmed(json, given, true, true)),
            Map.entry("split", (run, json, given) -> Strings.split(run, Texts.text(json), Texts.text(given))),
            Map.entry("join", Strings::join),
            Map.entry("strftime", CalendarTimes::format),
            Map.entry("strptime", CalendarTimes::parse));

    private static final Map<String, Ternary> TERNARY = Map.of(
            "setpath", (run, json, path, value) -> Paths.update(run, json, Texts.array(path), _ -> value),
            "test",
                    (run, json, regex, flags) ->
                            Json.of(Regexes.of(run, regex, flags).isIn(run, json)),
            "split", (run, json, regex, flags) -> Regexes.of(run, regex, flags).split(run, json),
            "pow", (_, _, a, b) -> Operators.of(Math.pow(ValueOrder.number(a), ValueOrder.number(b))),
            "atan2", (_, _, a, b) -> Operators.of(Math.atan2(ValueOrder.number(a), ValueOrder.number(b))),
            "fmin", (_, _, a, b) -> Operators.of(Math.min(ValueOrder.number(a), ValueOrder.number(b))),
            "fmax", (_, _, a, b) -> Operators.of(Math.max(ValueOrder.number(a), ValueOrder.number(b))),
            "ldexp", (_, _, a, b) -> Operators.of(ValueOrder.number(a) * Math.pow(2, ValueOrder.number(b))),
            "scalb", (_, _, a, b) -> Operators.of(ValueOrder.number(a) * Math.pow(2, ValueOrder.number(b))));

    private Builtins() {}

    /// Null if there is no such function.
    static @Nullable Filter of(String name, List<Filter> arguments) {
        var form = FORMS.get(name + "/" + arguments.size());
        if (form != null) {
            return form.of(arguments);
        }
        return switch (arguments.size()) {
            case 0 -> unary(name);
            case 1 -> binary(name, arguments.getFirst());
            case 2 -> ternary(name, arguments);
            default -> null;
        };
    }

    private static @Nullable Filter unary(String name) {
        var computation = Unary.named(name);
        return computation == null ? null : Filter.computed(computation);
    }

    private static @Nullable Filter binary(String name, Filter argument) {
        var operation = BINARY.get(name);
        return operation == null ? null : Filter.operator(Filter.SAME, argument, operation);
    }

    private static @Nullable Filter ternary(String name, List<Filter> arguments) {
        var operation = TERNARY.get(name);
        if (operation == null) {
            return null;
        }
        return (run, env, input, output) -> arguments
                .get(1)
                .apply(
                        run,
                        env,
                        input,
                        second -> arguments.get(0).apply(run, env, input, first -> {
                            run.step();
                            output.accept(Value.computed(operation.of(run, input.json(), first.json(), second.json())));
                        }));
    }

    private static Json fail(Run run, Json json) {
        throw JqError.of(json);
    }

    private static Filter first(Filter filter) {
        return (run, env, input, output) -> Control.limit(run, env, filter, 1, input, output);
    }

    private static Filter last(Filter filter) {
        return (run, env, input, output) -> {
            var last = new ArrayDeque<Value>(1);
            filter.apply(run, env, input, value -> {
                run.step();
                last.clear();
                last.add(value);
            });
            last.forEach(output);
        };
    }

    private static Filter limit(List<Filter> arguments) {
        return (run, env, input, output) -> arguments
                .get(0)
                .apply(
                        run,
                        env,
                        input,
                        count -> Control.limit(
                                run, env, arguments.get(1), (long) ValueOrder.number(count.json()), input, output));
    }

    private static Filter isEmpty(Filter filter) {
        return (run, env, input, output) -> {
            var found = new boolean[1];
            Control.limit(run, env, filter, 1, input, _ -> found[0] = true);
            output.accept(Value.computed(Json.of(!found[0])));
        };
    }

    private static Filter path(Filter filter) {
        return (run, env, input, output) -> filter.apply(run, env, Value.root(input.json()), value -> {
            run.step();
            output.accept(Value.computed(new Json.Arr(value.place())));
        });
    }

    private static Filter member(Filter path) {
        return (run, env, input, output) ->
                path.apply(run, env, input, place -> output.accept(Paths.at(run, input, Texts.array(place.json()))));
    }
}
