package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.controllers.pipelines.entrypoint.TerminationMessage;
import dev.towtank.controllers.pipelines.entrypoint.TerminationMessage.Entry;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What the sidecar has printed, a line of JSON for each result.
///
/// @param problem why not all of it counts
record PrintedResults(List<Json.Obj> lines, Optional<String> problem) {

    static final PrintedResults NONE = new PrintedResults(List.of(), Optional.empty());

    PrintedResults {
        lines = List.copyOf(lines);
    }

    /// @param limit how many bytes a line may have
    static PrintedResults read(String log, int limit) {
        var lines = new ArrayList<Json.Obj>();
        for (var line : log.lines().toList()) {
            int size = line.getBytes(StandardCharsets.UTF_8).length;
            if (size > limit) {
                return new PrintedResults(
                        lines,
                        Optional.of(
                                "%d bytes results size exceeds configured limit of %d bytes".formatted(size, limit)));
            }
            try {
                lines.add(JsonText.parseObject(line));
            } catch (JsonText.Malformed e) {
                return new PrintedResults(lines, Optional.of("invalid result \"\": " + e.getMessage()));
            }
        }
        return new PrintedResults(lines, Optional.empty());
    }

    List<Entry> ofTask() {
        return lines.stream()
                .filter(line -> line.string("type").equals("task"))
                .map(line -> new Entry(line.string("name"), line.string("value"), TerminationMessage.TASK_RESULT))
                .toList();
    }

    List<Entry> ofStep(String container) {
        var prefix = container + ".";
        return lines.stream()
                .filter(line -> line.string("type").equals("step")
                        && line.string("name").startsWith(prefix))
                .map(line -> new Entry(
                        line.string("name").substring(prefix.length()),
                        line.string("value"),
                        TerminationMessage.STEP_RESULT))
                .toList();
    }
}
