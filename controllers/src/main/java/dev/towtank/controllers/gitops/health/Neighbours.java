package dev.towtank.controllers.gitops.health;

import dev.towtank.model.Json;
import java.util.Optional;

/// What the health of an object depends on beside the object itself.
public interface Neighbours {

    Neighbours NONE = new Neighbours() {
        @Override
        public Optional<Json.Obj> storageClass(String name) {
            return Optional.empty();
        }

        @Override
        public boolean isMounted(String namespace, String claim) {
            return false;
        }
    };

    /// @param name empty for the one that claims have by default
    Optional<Json.Obj> storageClass(String name);

    /// Whether a pod that has its node uses the claim.
    boolean isMounted(String namespace, String claim);
}
