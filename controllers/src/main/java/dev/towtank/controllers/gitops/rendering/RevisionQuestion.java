package dev.towtank.controllers.gitops.rendering;

/// Which commit a branch, a tag or a range of versions means.
public record RevisionQuestion(String repository, String revision) {

    /// Whether a look costs next to nothing.
    public boolean isLocal() {
        return repository.startsWith("file://");
    }
}
