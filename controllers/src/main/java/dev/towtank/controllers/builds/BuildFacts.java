package dev.towtank.controllers.builds;

import dev.towtank.cluster.Outside;
import dev.towtank.controllers.builds.source.BuildResult;
import dev.towtank.model.Resource;
import java.util.Optional;

/// What is known about a Build.
///
/// @param isOvertaken whether a newer build takes its place, where only the latest counts
/// @param before a build that has to end first
/// @param problem why it cannot begin yet
/// @param stream what it writes to
/// @param answer what came of it; nothing while it does not run
record BuildFacts(
        boolean isOvertaken,
        Optional<String> before,
        Optional<Problem> problem,
        Optional<Resource> stream,
        Outside.Answer<BuildResult> answer) {

    /// @param reason OpenShift's, such as `InvalidOutputReference`
    record Problem(String reason, String message) {}
}
