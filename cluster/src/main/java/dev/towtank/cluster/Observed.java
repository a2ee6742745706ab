package dev.towtank.cluster;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import java.util.Optional;

/// An object as a cache showed it: the whole of it, and the record it reads as.
///
/// @param problem why the last plan for it could not be carried out, where it could not
public record Observed<T>(Resource object, T value, Optional<String> problem) {

    public static <T> Observed<T> of(Kind<T> kind, Resource object) {
        return of(kind, object, Optional.empty());
    }

    public static <T> Observed<T> of(Kind<T> kind, Resource object, Optional<String> problem) {
        return new Observed<>(object, kind.read(object), problem);
    }

    public ObjectName name() {
        return ObjectName.of(object);
    }

    public Json.Obj status() {
        return object.status();
    }
}
