package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.controllers.pipelinesascode.matching.Inlining;
import dev.towtank.controllers.pipelinesascode.matching.Matching;
import dev.towtank.controllers.pipelinesascode.matching.Placeholders;
import dev.towtank.controllers.pipelinesascode.matching.TektonFiles;
import dev.towtank.controllers.pipelinesascode.runs.PacSettings;
import dev.towtank.model.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What an event comes to that no forge has told.
///
/// @param files of `.tekton`, by path
/// @param where they are, for messages
record Pretending(GitEvent event, Map<String, String> files, String where) {

    /// Reads a file of the repository that a run names.
    @FunctionalInterface
    interface Reader {
        String read(String path) throws IOException;
    }

    /// What runs, ready to be created; those that do not match are left out.
    ///
    /// @throws IllegalArgumentException something in `.tekton` is wrong
    List<Json.Obj> runs(Reader reader) throws IOException, InterruptedException {
        var values = Placeholders.standard(event, "default");
        var places = new Placeholders(event, this::changed, values);
        var filled = new LinkedHashMap<String, String>();
        files.forEach((path, text) -> filled.put(path, places.fill(text)));
        if (filled.isEmpty()) {
            throw new IllegalArgumentException("there is no YAML in " + where);
        }
        var read = TektonFiles.read(filled).checked();
        if (!read.problems().isEmpty()) {
            var problem = read.problems().getFirst();
            throw new IllegalArgumentException(problem.name() + ": " + problem.reason());
        }
        if (read.runs().isEmpty()) {
            throw new IllegalArgumentException(
                    "could not find any PipelineRun in your .tekton/ directory: there is none in " + where);
        }
        var matching = new Matching(event, this::changed, Map.of());
        var inlining = new Inlining(read, (place, kind) -> places.fill(remote(place, kind, reader)));
        var runs = new ArrayList<Json.Obj>();
        for (var run : read.runs()) {
            if (matching.matches(run)) {
                runs.add(inlining.of(run));
            }
        }
        return runs;
    }

    private ChangedFiles changed() {
        return event.files().orElse(ChangedFiles.NONE);
    }

    private static String remote(String place, String kind, Reader reader) throws IOException, InterruptedException {
        if (place.startsWith("http://") || place.startsWith("https://")) {
            return new ForgeHttp(ForgeHttp.Credential.NONE, () -> {}).text(place);
        }
        return place.contains("://") || !place.contains("/")
                ? Hub.read(place, kind, new PacSettings(Map.of()))
                : reader.read(place);
    }
}
