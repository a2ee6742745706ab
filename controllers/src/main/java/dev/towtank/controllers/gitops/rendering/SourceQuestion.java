package dev.towtank.controllers.gitops.rendering;

import dev.towtank.model.Json;
import java.util.Map;

/// Which objects a source holds at a commit: always the same ones.
///
/// @param source as an Application writes it
/// @param application its name is the release's
/// @param namespace where the objects go
/// @param references other sources whose files this one may name, by their `ref`
public record SourceQuestion(
        Json.Obj source, String application, String namespace, String commit, Map<String, Reference> references) {

    public record Reference(String repository, String commit) {}

    public SourceQuestion {
        references = Map.copyOf(references);
    }

    public String repository() {
        return source.string("repoURL");
    }

    /// Without slashes at the ends; empty for the root.
    public String path() {
        var path = source.string("path").replaceAll("^(\\./|/)+|/+$", "");
        return path.equals(".") ? "" : path;
    }
}
