package dev.towtank.apiserver;

import dev.towtank.model.Json;
import java.util.List;

/// How one served version of a kind is read from and written to the stored form. Both directions are pure and lose
/// nothing.
public interface Conversion {

    Conversion NONE = new Conversion() {
        @Override
        public Json.Obj fromStored(Json.Obj stored) {
            return stored;
        }

        @Override
        public Json.Obj toStored(Json.Obj served) {
            return served;
        }
    };

    Json.Obj fromStored(Json.Obj stored);

    /// Many at once, in the same order; an object that needs no change is the very same.
    default List<Json.Obj> fromStored(List<Json.Obj> stored) {
        return stored.stream().map(this::fromStored).toList();
    }

    Json.Obj toStored(Json.Obj served);
}
