package dev.towtank.app.run.input;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.nio.file.Path;

/// An object that the user gave, and where it stands.
///
/// @param line of its first key, counted from 1
public record Document(String file, int line, Json.Obj json) {

    public String place() {
        return file + ":" + line;
    }

    /// Where its file is.
    public Path directory() {
        var parent = Path.of(file).getParent();
        return parent == null ? Path.of("") : parent;
    }

    public String kind() {
        return json.string("kind");
    }

    public String name() {
        return json.string("metadata", "name");
    }

    public Resource resource() {
        return Resource.of(json);
    }

    public Document with(Json.Obj changed) {
        return new Document(file, line, changed);
    }

    /// Whether it is of a kind of Tekton Pipelines.
    public boolean isTekton(String kind) {
        return kind().equals(kind) && json.string("apiVersion").startsWith("tekton.dev/");
    }
}
