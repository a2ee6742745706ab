package dev.towtank.archive.query;

import dev.towtank.model.Json;
import java.time.Instant;
import java.util.Optional;

/// A run that nothing else belongs to, as it was archived.
///
/// @param result the name of its Result, without the namespace
/// @param pipeline empty where it runs none by name
/// @param object all of it
public record ArchivedRun(
        String namespace,
        String name,
        String uid,
        String result,
        String kind,
        String pipeline,
        Optional<Instant> started,
        Optional<Instant> completed,
        Outcome outcome,
        String reason,
        Json.Obj object) {

    /// How a run ended.
    public enum Outcome {
        UNKNOWN(0),
        SUCCEEDED(1),
        FAILED(2),
        TIMED_OUT(3),
        CANCELLED(4);

        private final long code;

        Outcome(long code) {
            this.code = code;
        }

        /// As the summary of a Result says it.
        long code() {
            return code;
        }
    }
}
