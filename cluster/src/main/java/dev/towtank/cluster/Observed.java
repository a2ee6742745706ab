package dev.towtank.cluster;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;

/// An object as a cache showed it: the whole of it, and the record it reads as.
public record Observed<T>(Resource object, T value) {

    public static <T> Observed<T> of(Kind<T> kind, Resource object) {
        return new Observed<>(object, kind.read(object));
    }

    public ObjectName name() {
        return ObjectName.of(object);
    }

    public Json.Obj status() {
        return object.status();
    }
}
