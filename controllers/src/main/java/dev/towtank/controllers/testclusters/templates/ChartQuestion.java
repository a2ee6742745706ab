package dev.towtank.controllers.testclusters.templates;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;

/// Which chart an ApplicationSet names.
///
/// @param chart in a repository of charts; empty for one in git
/// @param path in a git repository
public record ChartQuestion(String repository, String chart, String path, String revision) {

    static ChartQuestion of(Resource set) {
        var source = source(set);
        var revision = source.string("targetRevision");
        return new ChartQuestion(
                source.string("repoURL"),
                source.string("chart"),
                source.string("path"),
                revision.isEmpty() && source.string("chart").isEmpty() ? "HEAD" : revision);
    }

    static Json.Obj source(Resource set) {
        return set.spec().object("template", "spec", "source");
    }

    /// What is filled in for each instance cannot be looked at before.
    boolean isKnown() {
        return !repository.isEmpty() && !(repository + chart + path + revision).contains("{{");
    }
}
