package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.ArrayList;

/// Functions on the members of objects.
final class MemberFunctions {

    private MemberFunctions() {}

    /// One more field for an object that is being made: every key with every value.
    static Filter with(Filter object, Filter key, Filter value) {
        return (run, env, input, output) -> object.apply(
                run,
                env,
                input,
                before -> key.apply(
                        run,
                        env,
                        input,
                        name -> value.apply(run, env, input, given -> {
                            if (!(name.json() instanceof Json.Str(var text))) {
                                throw new JqError("Object keys must be strings");
                            }
                            var fields = (Json.Obj) before.json();
                            run.copy(fields.size());
                            output.accept(Value.computed(fields.with(text, given.json())));
                        })));
    }

    static Json has(Run run, Json json, Json key) {
        if (json instanceof Json.Obj object && key instanceof Json.Str(var name)) {
            return Json.of(object.has(name));
        }
        if (json instanceof Json.Arr items && Texts.isNumber(key)) {
            return Json.of(ValueOrder.number(key) >= 0 && ValueOrder.number(key) < items.size());
        }
        throw new JqError("Cannot check whether " + Texts.type(json) + " has a " + Texts.type(key) + " key");
    }

    static Json keys(Run run, Json json, boolean sorted) {
        var keys = new ArrayList<Json>();
        switch (json) {
            case Json.Obj object -> {
                run.steps(object.size());
                (sorted ? object.keys().stream().sorted() : object.keys().stream())
                        .forEach(key -> keys.add(Json.of(key)));
            }
            case Json.Arr items -> {
                run.steps(items.size());
                for (int i = 0; i < items.size(); i++) {
                    keys.add(Json.of(i));
                }
            }
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ ->
                throw Texts.wrong(json, "has no keys");
        }
        return new Json.Arr(keys);
    }

    static Json entries(Run run, Json json) {
        if (!(json instanceof Json.Obj object)) {
            throw Texts.wrong(json, "has no keys");
        }
        run.steps(object.size());
        var entries = new ArrayList<Json>();
        object.forEach((key, value) -> entries.add(Json.Obj.of("key", Json.of(key), "value", value)));
        return new Json.Arr(entries);
    }

    static Json fromEntries(Run run, Json json) {
        var fields = Json.Obj.builder();
        for (var entry : Texts.array(json)) {
            run.step();
            if (!(entry instanceof Json.Obj object)) {
                throw new JqError("Cannot index " + Texts.type(entry) + " with \"key\"");
            }
            var key = first(object, "key", "k", "name", "Name", "Key", "K");
            boolean isMissing = key instanceof Json.Null && !object.has("key");
            if (isMissing || key instanceof Json.Arr || key instanceof Json.Obj) {
                throw new JqError("Cannot use " + Texts.type(key) + " (" + Texts.shortened(key) + ") as object key");
            }
            fields.put(key.display(), first(object, "value", "v", "Value", "V"));
        }
        return fields.build();
    }

    private static Json first(Json.Obj object, String... names) {
        for (var name : names) {
            var value = object.get(name);
            if (value != null) {
                return value;
            }
        }
        return Json.Null.NULL;
    }
}
