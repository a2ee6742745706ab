package dev.towtank.controllers.gitops.sync;

import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.health.Health;
import dev.towtank.model.Json;
import java.util.Optional;

/// An object as the repository wants it, and as it is.
///
/// @param target empty for what is to go
/// @param live empty for what is not there
/// @param health of what lives; empty where nobody can tell
/// @param refusal why the server would not take the target
/// @param isSynced whether applying the target would change nothing
public record Managed(
        ResourceKey key,
        Optional<Json.Obj> target,
        Optional<Json.Obj> live,
        Optional<Health> health,
        Optional<Refusal> refusal,
        boolean isSynced) {

    /// @param cause decides whether another object of the same sync may help
    public record Refusal(Cause cause, String message) {
        public enum Cause {
            UNKNOWN_KIND,
            NO_NAMESPACE,
            /// By the project.
            NOT_PERMITTED,
            REFUSED
        }
    }

    public Json.Obj object() {
        return target.or(() -> live).orElse(Json.Obj.EMPTY);
    }

    public String version() {
        var apiVersion = object().string("apiVersion");
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    public boolean isDeleting() {
        return live.filter(object -> object.object("metadata").has("deletionTimestamp"))
                .isPresent();
    }
}
