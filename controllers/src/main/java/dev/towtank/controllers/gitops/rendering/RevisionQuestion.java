package dev.towtank.controllers.gitops.rendering;

/// Which commit a branch, a tag or a range of versions means, or which version of a chart.
///
/// @param chart empty for a git repository
public record RevisionQuestion(String repository, String chart, String revision) {

    /// Whether a look costs next to nothing.
    public boolean isLocal() {
        return chart.isEmpty() && repository.startsWith("file://");
    }
}
