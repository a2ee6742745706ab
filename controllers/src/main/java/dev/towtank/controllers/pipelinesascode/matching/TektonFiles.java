package dev.towtank.controllers.pipelinesascode.matching;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What is written in `.tekton`.
///
/// @param problems files, or documents in them, that cannot be read: name and reason
public record TektonFiles(
        List<Json.Obj> runs, Map<String, Json.Obj> pipelines, Map<String, Json.Obj> tasks, List<Problem> problems) {

    public record Problem(String name, String reason) {}

    public TektonFiles {
        runs = List.copyOf(runs);
        pipelines = Map.copyOf(pipelines);
        tasks = Map.copyOf(tasks);
        problems = List.copyOf(problems);
    }

    /// @param files their text, already filled, by path
    public static TektonFiles read(Map<String, String> files) {
        var runs = new ArrayList<Json.Obj>();
        var pipelines = new LinkedHashMap<String, Json.Obj>();
        var tasks = new LinkedHashMap<String, Json.Obj>();
        var problems = new ArrayList<Problem>();
        files.forEach((path, text) -> {
            try {
                for (var document : YamlText.parseAll(text)) {
                    if (document instanceof Json.Obj object
                            && object.string("apiVersion").startsWith("tekton.dev/")) {
                        var name = object.string("metadata", "name");
                        switch (object.string("kind")) {
                            case "PipelineRun" -> runs.add(object);
                            case "Pipeline" -> pipelines.putIfAbsent(name, object);
                            case "Task" -> tasks.putIfAbsent(name, object);
                            default -> {
                                // Nothing that runs.
                            }
                        }
                    }
                }
            } catch (JsonText.Malformed e) {
                problems.add(new Problem(path, "error decoding yaml document: " + e.getMessage()));
            }
        });
        return new TektonFiles(runs, pipelines, tasks, problems);
    }

    /// The name of a run as its author wrote it.
    public static String name(Json.Obj run) {
        var name = run.string("metadata", "name");
        return name.isEmpty() ? run.string("metadata", "generateName") : name;
    }

    /// @throws IllegalArgumentException two runs have the same name
    public TektonFiles checked() {
        var seen = new HashSet<String>();
        for (var run : runs) {
            if (!seen.add(name(run))) {
                throw new IllegalArgumentException("found multiple pipelinerun in .tekton with the same "
                        + (run.string("metadata", "name").isEmpty() ? "generateName" : "name") + ": "
                        + name(run) + ", please update");
            }
        }
        return this;
    }
}
