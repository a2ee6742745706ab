package dev.towtank.model.kinds;

import dev.towtank.model.Json;
import java.util.function.UnaryOperator;

/// Fills in what users leave out, without touching what they wrote.
public final class Fill {

    private Fill() {}

    /// Sets a field that is absent, null or an empty text; an explicit 0, false, list or object stays.
    public static Json.Obj missing(Json.Obj object, String key, Json value) {
        return switch (object.get(key)) {
            case null -> object.with(key, value);
            case Json.Null _ -> object.with(key, value);
            case Json.Str(var text) when text.isEmpty() -> object.with(key, value);
            case Json there -> object;
        };
    }

    public static Json.Obj missing(Json.Obj object, String key, String value) {
        return missing(object, key, Json.of(value));
    }

    public static Json.Obj missing(Json.Obj object, String key, long value) {
        return missing(object, key, Json.of(value));
    }

    public static Json.Obj missing(Json.Obj object, String key, boolean value) {
        return missing(object, key, Json.of(value));
    }

    /// For fields whose zero means "not said", such as a port of 0.
    public static Json.Obj zero(Json.Obj object, String key, long value) {
        return object.integer(key) == 0 ? object.with(key, Json.of(value)) : object;
    }

    /// Changes the object under a key, where there is one.
    public static Json.Obj inside(Json.Obj object, String key, UnaryOperator<Json.Obj> change) {
        return object.get(key) instanceof Json.Obj inner ? object.with(key, change.apply(inner)) : object;
    }

    /// Changes the object under a key and makes it where it is absent, as Kubernetes' structs are always there.
    public static Json.Obj always(Json.Obj object, String key, UnaryOperator<Json.Obj> change) {
        var inner = object.get(key);
        return inner == null || inner instanceof Json.Null
                ? object.with(key, change.apply(Json.Obj.EMPTY))
                : inside(object, key, change);
    }

    /// Changes every object of the list under a key.
    public static Json.Obj each(Json.Obj object, String key, UnaryOperator<Json.Obj> change) {
        return object.get(key) instanceof Json.Arr items
                ? object.with(key, items.map(item -> item instanceof Json.Obj inner ? change.apply(inner) : item))
                : object;
    }
}
