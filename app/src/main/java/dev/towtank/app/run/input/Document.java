package dev.towtank.app.run.input;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;

/// An object that the user gave, and where it stands.
///
/// @param line of its first key, counted from 1
/// @param json in the newest version of its kind, and completed
/// @param written as it stands there
/// @param isRemembered an earlier run was made of it, whose server has taken it as it is
public record Document(String file, int line, Json.Obj json, Json.Obj written, boolean isRemembered) {

    public Document(String file, int line, Json.Obj json) {
        this(file, line, json, json, false);
    }

    public static Document remembered(Path file, Json.Obj json) {
        return new Document(file.toString(), 1, json, json, true);
    }

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
        return new Document(file, line, changed, written, isRemembered);
    }

    /// Whether it was written in an older version of its kind.
    public boolean isConverted() {
        return !written.string("apiVersion").equals(json.string("apiVersion"));
    }

    /// What its user wrote, in the namespace that it belongs to.
    public Document asWritten() {
        var namespace = json.string("metadata", "namespace");
        var placed = namespace.isEmpty() ? written : written.with(List.of("metadata", "namespace"), Json.of(namespace));
        return new Document(file, line, placed, placed, isRemembered);
    }

    /// Whether it is read by Pipelines-as-Code, which forgets the fields that it does not know.
    public boolean isForPipelinesAsCode() {
        return StreamSupport.stream(Path.of(file).spliterator(), false).anyMatch(Path.of(".tekton")::equals)
                || json.object("metadata").object("annotations").keys().stream()
                        .anyMatch(key -> key.startsWith("pipelinesascode.tekton.dev/"));
    }

    /// Whether it is of a kind of Tekton Pipelines.
    public boolean isTekton(String kind) {
        return kind().equals(kind) && json.string("apiVersion").startsWith("tekton.dev/");
    }

    /// Whether it is what starts something.
    public boolean isRun() {
        return isTekton("PipelineRun") || isTekton("TaskRun");
    }
}
