package dev.towtank.node.volumes;

import dev.towtank.model.Json;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/// Where the volumes of one pod get their content from.
public interface VolumeSources {

    Optional<Json.Obj> configMap(String name);

    /// With its values still in base64.
    Optional<Json.Obj> secret(String name);

    /// A token of the pod's service account, bound to the pod; the same one until it is time for the next.
    ///
    /// @param audience empty for the API server
    Token token(String audience, long seconds) throws VolumeProblem;

    /// The directory behind a claim that is bound.
    Path claim(String name) throws VolumeProblem;

    NodeValues node();

    /// @param refresh when it is time for the next one
    record Token(String value, Instant refresh) {
        @Override
        public String toString() {
            return "Token[until " + refresh + "]";
        }
    }
}
