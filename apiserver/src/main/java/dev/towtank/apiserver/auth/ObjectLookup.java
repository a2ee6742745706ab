package dev.towtank.apiserver.auth;

import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.Json;
import org.jspecify.annotations.Nullable;

/// Finds the present state of an object; null where there is none.
@FunctionalInterface
public interface ObjectLookup {

    Json.@Nullable Obj find(Key key);

    static ObjectLookup of(Store store) {
        return key -> {
            var stored = store.get(key);
            return stored == null ? null : stored.tree();
        };
    }
}
