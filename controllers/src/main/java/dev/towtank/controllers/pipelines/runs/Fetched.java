package dev.towtank.controllers.pipelines.runs;

import dev.towtank.cluster.Plan;
import dev.towtank.model.Json;
import java.util.Optional;

/// What became of a reference to a task, a pipeline or a step action.
public sealed interface Fetched {

    /// @param object the whole of it
    /// @param source where it came from; empty for what lies in this cluster
    record Found(Json.Obj object, Optional<Json.Obj> source) implements Fetched {
        public String name() {
            return object.string("metadata", "name");
        }

        public Json.Obj spec() {
            return object.object("spec");
        }
    }

    /// Somebody is looking for it.
    ///
    /// @param ask what asks for it; nothing when that is done
    record Requested(Plan ask) implements Fetched {}

    /// There is no such thing; the message says why.
    record Missing(String message) implements Fetched {}
}
