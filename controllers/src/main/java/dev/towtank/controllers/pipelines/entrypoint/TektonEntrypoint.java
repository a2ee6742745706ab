package dev.towtank.controllers.pipelines.entrypoint;

import dev.towtank.cluster.pods.ContainerProgram;
import dev.towtank.cluster.pods.RunningContainer;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.util.List;

/// Runs the containers of a task's pod that Tekton's own images would run.
public final class TektonEntrypoint implements ContainerProgram {

    public static final String COMMAND = "/tekton/bin/entrypoint";
    public static final String IMAGE_COMMAND = "/ko-app/entrypoint";
    public static final String WORKING_DIRECTORIES_COMMAND = "/ko-app/workingdirinit";
    public static final String RESULTS_COMMAND = "/ko-app/sidecarlogresults";
    public static final String PLACE_SCRIPTS = "place-scripts";

    private static final String TASK_RUN_LABEL = "tekton.dev/taskRun";
    private static final int EXECUTABLE = 0755;

    private final String nopImage;

    /// @param nopImage the image that a sidecar gets so that it ends
    public TektonEntrypoint(String nopImage) {
        this.nopImage = nopImage;
    }

    @Override
    public boolean runs(Resource pod, Json.Obj container) {
        if (!pod.labels().containsKey(TASK_RUN_LABEL)) {
            return false;
        }
        var command = container.array("command").strings();
        var first = command.isEmpty() ? "" : command.getFirst();
        return first.equals(COMMAND)
                || first.equals(IMAGE_COMMAND)
                || first.equals(WORKING_DIRECTORIES_COMMAND)
                || first.equals(RESULTS_COMMAND)
                || container.string("name").equals(PLACE_SCRIPTS)
                || container.string("image").equals(nopImage);
    }

    @Override
    public boolean needsImage(Resource pod, Json.Obj container) {
        var command = container.array("command").strings();
        return !command.isEmpty() && command.getFirst().equals(COMMAND);
    }

    @Override
    public int run(RunningContainer container) throws InterruptedException {
        try {
            if (isNop(container)) {
                return 0;
            }
            var command = container.command();
            if (container.name().equals(PLACE_SCRIPTS)) {
                return placeScripts(container, command);
            }
            return switch (command.getFirst()) {
                case IMAGE_COMMAND -> prepare(container, command);
                case WORKING_DIRECTORIES_COMMAND -> makeDirectories(container, command);
                case RESULTS_COMMAND -> new ResultsPrinter(container, command.subList(1, command.size())).run();
                default -> new StepRun(container, command.subList(1, command.size())).run();
            };
        } catch (IOException e) {
            container.log(String.valueOf(e.getMessage()));
            return 1;
        }
    }

    private boolean isNop(RunningContainer container) {
        return container.pod().spec().objects("containers").stream()
                .filter(spec -> spec.string("name").equals(container.name()))
                .anyMatch(spec -> spec.string("image").equals(nopImage));
    }

    /// `init <from> <to> <step>…`: nobody needs the binary here, but the ways to the steps' directories.
    private static int prepare(RunningContainer container, List<String> command) throws IOException {
        for (int step = 4; step < command.size(); step++) {
            var status = "/tekton/run/" + (step - 4) + "/status";
            container.link("/tekton/steps/" + command.get(step), status);
            container.link("/tekton/steps/" + (step - 4), status);
        }
        return 0;
    }

    private static int placeScripts(RunningContainer container, List<String> command) throws IOException {
        for (var file : ScriptFiles.read(command.getLast()).entrySet()) {
            container.write(file.getKey(), file.getValue(), EXECUTABLE);
        }
        return 0;
    }

    private static int makeDirectories(RunningContainer container, List<String> command) throws IOException {
        for (var path : command.subList(1, command.size())) {
            container.makeDirectory(path.startsWith("/") ? path : "/workspace/" + path, EXECUTABLE);
        }
        return 0;
    }
}
