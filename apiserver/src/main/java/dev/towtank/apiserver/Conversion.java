package dev.towtank.apiserver;

import dev.towtank.model.Json;
import java.util.List;

/// How one served version of a kind is read from and written to the stored form. Both directions lose nothing.
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

        @Override
        public boolean keeps(Content object, long revision) {
            return true;
        }
    };

    Json.Obj fromStored(Json.Obj stored);

    /// Many at once, in the same order; an object that needs no change is the very same.
    default List<Json.Obj> fromStored(List<Json.Obj> stored) {
        return stored.stream().map(this::fromStored).toList();
    }

    Json.Obj toStored(Json.Obj served);

    /// Whether an object is served with the very bytes it is stored as.
    ///
    /// @param revision at which it was stored
    default boolean keeps(Content object, long revision) {
        return false;
    }

    /// Whether a stored object is in the form that a write would give it today; otherwise even a write that changes
    /// nothing is carried out.
    default boolean isCurrent(Json.Obj stored) {
        return true;
    }

    /// Whether objects are stored in the version that is served here.
    default boolean isStoredVersion() {
        return true;
    }

    /// Whether converting may wait for somebody outside this process.
    default boolean mayWait() {
        return false;
    }
}
