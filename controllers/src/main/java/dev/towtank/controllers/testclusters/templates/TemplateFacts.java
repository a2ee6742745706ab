package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Outside.Answer;
import dev.towtank.model.Resource;
import java.util.Map;
import java.util.Optional;

/// What is known about the sets that a template names.
///
/// @param sets by their names
/// @param hasGitOps whether this server has ApplicationSets at all
/// @param argoNamespace where they are
public record TemplateFacts(Map<String, Named> sets, boolean hasGitOps, String argoNamespace) {
    public TemplateFacts {
        sets = Map.copyOf(sets);
    }

    /// @param words of its chart; absent where there is nothing to ask
    public record Named(Optional<Resource> set, Optional<Answer<ChartWords>> words) {}
}
