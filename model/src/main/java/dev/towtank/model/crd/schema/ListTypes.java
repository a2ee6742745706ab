package dev.towtank.model.crd.schema;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import java.util.HashMap;

/// No two items of a list of the type `set` are equal, nor the keys of two items of a `map`.
public final class ListTypes {

    private ListTypes() {}

    public static void validate(Json value, StructuralSchema schema, Location at, FieldError.Collector errors) {
        switch (value) {
            case Json.Obj object -> object(object, schema, at, errors);
            case Json.Arr array -> array(array, schema, at, errors);
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> {}
        }
    }

    private static void object(Json.Obj object, StructuralSchema schema, Location at, FieldError.Collector errors) {
        for (int i = 0; i < object.size(); i++) {
            var key = object.key(i);
            var value = object.value(i);
            if (value instanceof Json.Obj || value instanceof Json.Arr) {
                var property = schema.properties().get(key);
                var entries = schema.additional().schema();
                if (property != null) {
                    validate(value, property, at.child(key), errors);
                } else if (entries != null) {
                    validate(value, entries, at.key(key), errors);
                }
            }
        }
    }

    private static void array(Json.Arr array, StructuralSchema schema, Location at, FieldError.Collector errors) {
        if (schema.isList("set")) {
            set(array, at, errors);
        } else if (schema.isList("map")) {
            map(array, schema, at, errors);
        }
        var items = schema.items();
        if (items != null) {
            for (int i = 0; i < array.size(); i++) {
                validate(array.get(i), items, at.index(i), errors);
            }
        }
    }

    // Of a value that is there many times only the second is reported.
    private static void set(Json.Arr array, Location at, FieldError.Collector errors) {
        var times = new HashMap<Json, Integer>();
        for (int i = 0; i < array.size() && array.size() > 1; i++) {
            if (times.merge(array.get(i), 1, Integer::sum) == 2) {
                errors.add(new FieldError(FieldError.Type.DUPLICATE, at.index(i).text(), array.get(i), ""));
            }
        }
    }

    private static void map(Json.Arr array, StructuralSchema schema, Location at, FieldError.Collector errors) {
        for (int i = 0; i < array.size(); i++) {
            if (!(array.get(i) instanceof Json.Obj) && !(array.get(i) instanceof Json.Null)) {
                errors.add(new FieldError(
                        FieldError.Type.INVALID,
                        at.index(i).text(),
                        array.get(i),
                        "must be an object for an array of list-type map"));
                return;
            }
        }
        var keys = array.map(item -> item instanceof Json.Obj object ? OldItems.key(schema, object) : Json.Obj.EMPTY);
        set(keys, at, errors);
    }
}
