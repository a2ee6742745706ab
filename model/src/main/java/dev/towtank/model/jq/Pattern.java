package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What stands behind `as`: names for parts of a value.
///
/// @param names of all variables, in the order in which they are bound
/// @param alternatives tried one after the other, as with `?//`
record Pattern(List<String> names, List<Part> alternatives) {

    sealed interface Part {
        record Name(String name) implements Part {}

        record Items(List<Part> parts) implements Part {}

        record Fields(List<Field> fields) implements Part {}

        /// @param name of a variable for the whole of the field
        record Field(
                Filter key, @Nullable String name, @Nullable Part value) {}
    }

    /// Tells every way in which the names can be bound.
    void bind(Run run, Env env, Json value, Consumer<Env> inner) {
        for (int i = 0; i < alternatives.size(); i++) {
            try {
                bind(run, env, alternatives.get(i), value, Map.of(), bound -> inner.accept(bound(env, bound)));
                return;
            } catch (JqError e) {
                if (e.value() == null || i == alternatives.size() - 1) {
                    throw e;
                }
                run.step();
            }
        }
    }

    private Env bound(Env env, Map<String, Json> values) {
        var inner = env;
        for (var name : names) {
            inner = inner.with(values.getOrDefault(name, Json.Null.NULL));
        }
        return inner;
    }

    private static void bind(
            Run run, Env env, Part part, Json value, Map<String, Json> before, Consumer<Map<String, Json>> next) {
        run.step();
        switch (part) {
            case Part.Name(var name) -> next.accept(plus(before, name, value));
            case Part.Items(var parts) -> items(run, env, parts, 0, value, before, next);
            case Part.Fields(var fields) -> fields(run, env, fields, 0, value, before, next);
        }
    }

    private static void items(
            Run run,
            Env env,
            List<Part> parts,
            int from,
            Json value,
            Map<String, Json> before,
            Consumer<Map<String, Json>> next) {
        if (from == parts.size()) {
            next.accept(before);
            return;
        }
        if (!(value instanceof Json.Arr || value instanceof Json.Null)) {
            throw new JqError("Cannot index " + Texts.type(value) + " with number");
        }
        bind(
                run,
                env,
                parts.get(from),
                Paths.read(run, value, Json.of(from)),
                before,
                bound -> items(run, env, parts, from + 1, value, bound, next));
    }

    private static void fields(
            Run run,
            Env env,
            List<Part.Field> fields,
            int from,
            Json value,
            Map<String, Json> before,
            Consumer<Map<String, Json>> next) {
        if (from == fields.size()) {
            next.accept(before);
            return;
        }
        var field = fields.get(from);
        field.key().apply(run, env, Value.root(value), key -> {
            if (!(key.json() instanceof Json.Str)) {
                throw new JqError("Cannot index " + Texts.type(value) + " with " + Texts.type(key.json()));
            }
            var found = Paths.read(run, value, key.json());
            var named = field.name() == null ? before : plus(before, field.name(), found);
            Consumer<Map<String, Json>> rest = bound -> fields(run, env, fields, from + 1, value, bound, next);
            if (field.value() == null) {
                rest.accept(named);
            } else {
                bind(run, env, field.value(), found, named, rest);
            }
        });
    }

    private static Map<String, Json> plus(Map<String, Json> before, String name, Json value) {
        var more = new LinkedHashMap<>(before);
        more.put(name, value);
        return more;
    }
}
