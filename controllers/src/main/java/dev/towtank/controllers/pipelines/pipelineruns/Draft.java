package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.controllers.pipelines.graph.Progress;
import java.util.Optional;

/// What was worked out about a run before it is decided about. A decision without it is the same, and costs more.
///
/// @param blueprint what the run is to do, where it can be known
/// @param progress how far it has come, if it may go on
public record Draft(Optional<Blueprint> blueprint, Optional<Progress> progress) {

    public static final Draft NONE = new Draft(Optional.empty(), Optional.empty());
}
