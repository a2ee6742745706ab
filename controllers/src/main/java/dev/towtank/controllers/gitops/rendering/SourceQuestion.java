package dev.towtank.controllers.gitops.rendering;

import dev.towtank.model.Json;

/// Which objects a source holds.
///
/// @param source as an Application writes it, with the revision that is wanted
/// @param application its name is the release's
/// @param namespace where the objects go
public record SourceQuestion(Json.Obj source, String application, String namespace) {

    public String repository() {
        return source.string("repoURL");
    }

    /// `HEAD` where nothing else is said.
    public String revision() {
        var wanted = source.string("targetRevision");
        return wanted.isEmpty() ? "HEAD" : wanted;
    }

    /// Without slashes at the ends; empty for the root.
    public String path() {
        var path = source.string("path").replaceAll("^(\\./|/)+|/+$", "");
        return path.equals(".") ? "" : path;
    }
}
