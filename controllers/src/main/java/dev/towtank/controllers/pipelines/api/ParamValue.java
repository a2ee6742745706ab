package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The value of a param or of a result: text, a list of texts, or texts by key.
public sealed interface ParamValue {

    String STRING = "string";
    String ARRAY = "array";
    String OBJECT = "object";

    record Text(String text) implements ParamValue {}

    record Array(List<String> items) implements ParamValue {
        public Array {
            items = List.copyOf(items);
        }
    }

    record Keyed(Map<String, String> entries) implements ParamValue {
        public Keyed {
            entries = Map.copyOf(entries);
        }
    }

    static ParamValue of(String text) {
        return new Text(text);
    }

    /// As Tekton reads it: a list of strings and an object of strings are what they look like, whatever else is
    /// not a string is the text of its JSON.
    static ParamValue read(Json json) {
        return switch (json) {
            case Json.Str(var text) -> new Text(text);
            case Json.Null _ -> new Text("");
            case Json.Arr list
            when hasOnlyStrings(list) ->
                new Array(list.items().stream().map(ParamValue::text).toList());
            case Json.Obj object when hasOnlyStrings(object) -> keyed(object);
            case Json.Arr _, Json.Obj _, Json.Bool _, Json.Int _, Json.Real _ ->
                new Text(sorted(json).toString());
        };
    }

    /// `string`, `array` or `object`.
    default String type() {
        return switch (this) {
            case Text _ -> STRING;
            case Array _ -> ARRAY;
            case Keyed _ -> OBJECT;
        };
    }

    default Json json() {
        return switch (this) {
            case Text(var text) -> Json.of(text);
            case Array(var items) -> Json.Arr.ofStrings(items);
            case Keyed(var entries) -> Json.Obj.ofStrings(new TreeMap<>(entries));
        };
    }

    /// The text of a [Text], otherwise nothing.
    default String textOrEmpty() {
        return this instanceof Text(var text) ? text : "";
    }

    private static boolean hasOnlyStrings(Json.Arr list) {
        return list.items().stream().allMatch(item -> item instanceof Json.Str || item instanceof Json.Null);
    }

    private static boolean hasOnlyStrings(Json.Obj object) {
        for (var field : object) {
            if (!(field.getValue() instanceof Json.Str || field.getValue() instanceof Json.Null)) {
                return false;
            }
        }
        return true;
    }

    private static String text(Json json) {
        return json instanceof Json.Str(var text) ? text : "";
    }

    private static Keyed keyed(Json.Obj object) {
        var entries = new LinkedHashMap<String, String>();
        object.forEach((key, value) -> entries.put(key, text(value)));
        return new Keyed(entries);
    }

    // The server hands objects on with their keys in order, so this is the text that Tekton gets to see.
    private static Json sorted(Json json) {
        return switch (json) {
            case Json.Obj object -> {
                var fields = new TreeMap<String, Json>();
                object.forEach((key, value) -> fields.put(key, sorted(value)));
                yield Json.Obj.copyOf(fields);
            }
            case Json.Arr list -> list.map(ParamValue::sorted);
            case Json.Str _, Json.Null _, Json.Bool _, Json.Int _, Json.Real _ -> json;
        };
    }
}
