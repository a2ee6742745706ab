package dev.towtank.controllers.pipelines.substitution;

import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// In which fields of a tree variables are replaced, and how.
sealed interface ReplacedFields {

    /// How a single value is treated.
    enum Leaf implements ReplacedFields {
        /// Strings become other strings.
        TEXT,
        /// The strings of a list, where an array may become several.
        EXPANDED,
        /// The strings of a list, each for itself.
        TEXTS,
        /// The values of an object of strings.
        VALUES,
        /// Keys and values of an object of strings.
        ENTRIES,
        /// The `value` of each param in a list.
        PARAMS,
        /// The conditions of a step or a pipeline task.
        WHEN
    }

    record Members(Map<String, ReplacedFields> byName) implements ReplacedFields {
        Members and(String name, ReplacedFields fields) {
            var more = new LinkedHashMap<>(byName);
            more.put(name, fields);
            return new Members(more);
        }

        Members and(Members other) {
            var more = new LinkedHashMap<>(byName);
            more.putAll(other.byName);
            return new Members(more);
        }
    }

    record Items(ReplacedFields item) implements ReplacedFields {}

    static Members texts(String... names) {
        var members = new LinkedHashMap<String, ReplacedFields>();
        for (var name : names) {
            members.put(name, Leaf.TEXT);
        }
        return new Members(members);
    }

    static Members member(String name, ReplacedFields fields) {
        return new Members(Map.of(name, fields));
    }

    static Items items(ReplacedFields item) {
        return new Items(item);
    }

    static Json.Obj apply(Members members, Json.Obj object, Replacements replacements) {
        return apply(members, object, new Filling(replacements, new Growth()));
    }

    static Json.Obj apply(Members members, Json.Obj object, Filling filling) {
        var result = object;
        for (var field : object) {
            var fields = members.byName.get(field.getKey());
            if (fields == null) {
                continue;
            }
            var changed = apply(fields, field.getValue(), filling);
            if (isAnother(changed, field.getValue())) {
                result = changed instanceof Json.Arr list && list.size() == 0
                        ? result.without(field.getKey())
                        : result.with(field.getKey(), changed);
            }
        }
        return result;
    }

    // What did not change is the very same tree, so nobody needs to walk it to know.
    @SuppressWarnings("ReferenceEquality")
    private static boolean isAnother(Json one, Json other) {
        return one != other;
    }

    private static Json apply(ReplacedFields fields, Json json, Filling filling) {
        return switch (fields) {
            case Members members -> json instanceof Json.Obj object ? apply(members, object, filling) : json;
            case Items(var item) -> json instanceof Json.Arr list ? list.map(each -> apply(item, each, filling)) : json;
            case Leaf leaf -> apply(leaf, json, filling);
        };
    }

    private static Json apply(Leaf leaf, Json json, Filling filling) {
        return switch (json) {
            case Json.Str(var text) when leaf == Leaf.TEXT -> text(json, text, filling);
            case Json.Arr list -> list(leaf, list, filling);
            case Json.Obj object
            when leaf == Leaf.VALUES || leaf == Leaf.ENTRIES -> entries(object, filling, leaf == Leaf.ENTRIES);
            case Json.Str _, Json.Obj _, Json.Null _, Json.Bool _, Json.Int _, Json.Real _ -> json;
        };
    }

    private static Json list(Leaf leaf, Json.Arr list, Filling filling) {
        return switch (leaf) {
            case TEXTS -> list.map(item -> item instanceof Json.Str(var text) ? text(item, text, filling) : item);
            case EXPANDED -> expanded(list, filling);
            case PARAMS -> params(list, filling);
            case WHEN -> list.map(item -> item instanceof Json.Obj when ? when(when, filling) : item);
            case TEXT, VALUES, ENTRIES -> list;
        };
    }

    private static Json text(Json json, String text, Filling filling) {
        var changed = filling.apply(text);
        return changed.equals(text) ? json : Json.of(changed);
    }

    private static Json expanded(Json.Arr list, Filling filling) {
        var items = new ArrayList<Json>();
        for (var item : list) {
            if (item instanceof Json.Str(var text)) {
                filling.expand(text).forEach(each -> items.add(Json.of(each)));
            } else {
                items.add(item);
            }
        }
        return new Json.Arr(items);
    }

    private static Json.Obj entries(Json.Obj object, Filling filling, boolean keys) {
        var result = Json.Obj.builder();
        object.forEach((key, value) -> result.put(
                keys ? filling.apply(key) : key,
                value instanceof Json.Str(var text) ? text(value, text, filling) : value));
        return result.build();
    }

    static Json params(Json.Arr list, Replacements replacements) {
        return params(list, new Filling(replacements, new Growth()));
    }

    private static Json params(Json.Arr list, Filling filling) {
        return list.map(item -> {
            if (!(item instanceof Json.Obj param)) {
                return item;
            }
            var value = param.get("value");
            return value == null
                    ? item
                    : param.with("value", filling.apply(ParamValue.read(value)).json());
        });
    }

    private static Json when(Json.Obj when, Filling filling) {
        var result = when;
        if (when.get("input") instanceof Json.Str(var input)) {
            result = result.with("input", Json.of(filling.applyAsText(input)));
        }
        if (when.get("cel") instanceof Json.Str(var expression)) {
            result = result.with("cel", Json.of(filling.apply(expression)));
        }
        if (when.get("values") instanceof Json.Arr values) {
            result = result.with("values", expanded(values, filling));
        }
        return result;
    }

    /// Every string in a tree, for looking at rather than changing.
    static void strings(Json json, List<String> found) {
        switch (json) {
            case Json.Str(var text) -> found.add(text);
            case Json.Arr list -> list.forEach(item -> strings(item, found));
            case Json.Obj object -> object.forEach((_, value) -> strings(value, found));
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _ -> {}
        }
    }
}
