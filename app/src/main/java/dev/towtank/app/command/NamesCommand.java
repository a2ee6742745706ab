package dev.towtank.app.command;

import dev.towtank.app.run.history.RunDirectory;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.shell.DataOption;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.node.images.store.ImageStore;
import dev.towtank.node.images.store.UnpackLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// Lists names, one a line, for shells that complete what is being typed.
@Command(name = "names", hidden = true, description = "Lists names of runs, tasks or images, for shells.")
final class NamesCommand implements Callable<Integer> {

    enum What {
        RUNS,
        TASKS,
        IMAGES
    }

    private static final String TASK = "tekton.dev/pipelineTask";

    private final Surroundings surroundings;

    @Parameters(paramLabel = "WHAT", description = "runs, tasks (of the last run) or images.")
    private What what = What.RUNS;

    @Mixin
    private final DataOption data = new DataOption();

    NamesCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    // Who presses a key wants no message: what cannot be read has no names.
    @Override
    public Integer call() {
        try {
            names().forEach(surroundings.out()::println);
        } catch (IOException | BadInput e) {
            return ExitCode.SOFTWARE;
        }
        return ExitCode.OK;
    }

    private List<String> names() throws IOException {
        var history = RunHistory.of(surroundings.environment());
        return switch (what) {
            case RUNS ->
                Stream.concat(history.all().stream().map(RunDirectory::id), Stream.of("last"))
                        .toList();
            case TASKS ->
                history.find("last").read().children().stream()
                        .map(child -> child.labels().getOrDefault(TASK, ""))
                        .filter(name -> !name.isEmpty())
                        .distinct()
                        .toList();
            case IMAGES -> images();
        };
    }

    private List<String> images() throws IOException {
        var directory = data.resolve(surroundings).imageStore();
        if (Files.notExists(directory)) {
            return List.of();
        }
        try (var store = ImageStore.use(directory, UnpackLimits.USUAL)) {
            return store.list().stream().map(ImageStore.Named::name).toList();
        }
    }
}
