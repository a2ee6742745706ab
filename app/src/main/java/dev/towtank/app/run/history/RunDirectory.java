package dev.towtank.app.run.history;

import dev.towtank.app.run.input.BadInput;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The directory in which one run is kept; what is exported is the same.
///
/// | | |
/// |---|---|
/// | `summary.json` | name, state, times, params, results, workspaces |
/// | `run.yaml` | the run as it ended |
/// | `tasks.yaml` | the runs of its tasks, as they ended |
/// | `objects.yaml` | what was applied before it started |
/// | `logs/TASKRUN/STEP.log` | what the steps wrote |
/// | `workspaces/CLAIM/` | the files of workspaces, of runs that did not succeed |
/// | `engine/` | what the engine kept, if that was asked for |
public record RunDirectory(Path path) {

    static final long FORMAT = 1;

    public String id() {
        return path.getFileName().toString();
    }

    public Path logs() {
        return path.resolve("logs");
    }

    public Path workspaces() {
        return path.resolve("workspaces");
    }

    public Path engine() {
        return path.resolve("engine");
    }

    public Path summary() {
        return path.resolve("summary.json");
    }

    public void write(RunRecord record) throws IOException {
        write("objects.yaml", yaml(record.objects()));
        write("run.yaml", YamlText.write(record.run().json()));
        write("tasks.yaml", yaml(record.children().stream().map(Resource::json).toList()));
        var volumes = new Json.Arr(
                record.volumes().stream().<Json>map(RunRecord::json).toList());
        var summary = record.summary()
                .with("format", Json.of(FORMAT))
                .with("id", Json.of(record.id()))
                .with("workspaces", volumes);
        // Last: a directory with it is complete.
        write("summary.json", JsonText.pretty(summary) + "\n");
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(path.resolve(name), text);
    }

    static String yaml(List<Json.Obj> objects) {
        return objects.stream().map(YamlText::write).collect(Collectors.joining("---\n"));
    }

    /// @throws BadInput the directory holds no run, or one of a newer version
    public RunRecord read() {
        try {
            var summary = JsonText.parseObject(Files.readAllBytes(summary()));
            if (summary.integer("format") != FORMAT) {
                throw new BadInput(path + " was written by another version of Towtank (format "
                        + summary.integer("format") + ", not " + FORMAT + ")");
            }
            return new RunRecord(
                    summary.string("id"),
                    summary,
                    objects("run.yaml").stream()
                            .map(Resource::of)
                            .findFirst()
                            .orElseThrow(() -> new BadInput(path + " has no run in run.yaml")),
                    objects("tasks.yaml").stream().map(Resource::of).toList(),
                    objects("objects.yaml"),
                    summary.objects("workspaces").stream()
                            .map(RunRecord::volume)
                            .toList());
        } catch (NoSuchFileException e) {
            throw new BadInput(path + " is no finished run: it has no "
                    + Path.of(e.getFile()).getFileName());
        } catch (IOException | JsonText.Malformed e) {
            throw new BadInput(path + " cannot be read: " + e.getMessage());
        }
    }

    private List<Json.Obj> objects(String name) throws IOException {
        var objects = new ArrayList<Json.Obj>();
        for (var document : YamlText.parseAll(Files.readAllBytes(path.resolve(name)))) {
            if (document instanceof Json.Obj object) {
                objects.add(object);
            }
        }
        return objects;
    }
}
