package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.cluster.pods.ImageCommands;
import dev.towtank.controllers.pipelines.api.Step;
import dev.towtank.controllers.pipelines.api.TaskRunSpec;
import dev.towtank.controllers.pipelines.entrypoint.TektonEntrypoint;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Turns the commands of steps into commands of the entrypoint, which runs them one after another.
///
/// @param waitsForReady whether the first step does
/// @param tellsReady whether the first step can see it, as in Tekton also where there is nothing to wait for
/// @param mountsDownward whether all steps can see whether they are cancelled
record StepContainers(
        List<Step> steps,
        List<String> results,
        List<String> commonFlags,
        boolean waitsForReady,
        boolean tellsReady,
        boolean mountsDownward,
        Optional<TaskRunSpec.Breakpoints> breakpoints) {

    private static final String RUN = "/tekton/run/";
    private static final String TERMINATION = "/tekton/termination";

    static final Json.Obj DOWNWARD_MOUNT = Json.Obj.builder()
            .put("name", "tekton-internal-downward")
            .put("mountPath", "/tekton/downward")
            .put("readOnly", true)
            .build();

    /// @param container of the step at this place, with its own command
    Json.Obj ordered(Json.Obj container, int number) {
        var flags = new ArrayList<>(order(number));
        flags.addAll(commonFlags);
        flags.addAll(own(steps.get(number)));
        var command = container.array("command").strings();
        if (!command.isEmpty()) {
            flags.addAll(List.of("-entrypoint", command.getFirst()));
        }
        flags.add("--");
        if (command.size() > 1) {
            flags.addAll(command.subList(1, command.size()));
        }
        flags.addAll(container.array("args").strings());
        var ordered = container
                .with("command", Json.Arr.of(Json.of(TektonEntrypoint.COMMAND)))
                .with("args", Json.Arr.ofStrings(flags))
                .with("terminationMessagePath", Json.of(TERMINATION));
        return (number == 0 && tellsReady) || mountsDownward
                ? ordered.with("volumeMounts", ordered.array("volumeMounts").plus(DOWNWARD_MOUNT))
                : ordered;
    }

    private List<String> order(int number) {
        var flags = new ArrayList<String>();
        if (number > 0) {
            flags.addAll(List.of("-wait_file", RUN + (number - 1) + "/out"));
        } else if (waitsForReady) {
            flags.addAll(List.of("-wait_file", "/tekton/downward/ready", "-wait_file_content"));
        }
        flags.addAll(List.of(
                "-post_file", RUN + number + "/out",
                "-termination_path", TERMINATION,
                "-step_metadata_dir", RUN + number + "/status"));
        return flags;
    }

    private List<String> own(Step step) {
        var flags = new ArrayList<String>();
        if (!step.onError().isEmpty()) {
            flags.addAll(List.of("-on_error", step.onError()));
        }
        step.timeout().ifPresent(timeout -> flags.addAll(List.of("-timeout", timeout)));
        step.stdoutConfig().ifPresent(out -> flags.addAll(List.of("-stdout_path", out.path())));
        step.stderrConfig().ifPresent(out -> flags.addAll(List.of("-stderr_path", out.path())));
        if (!step.results().isEmpty()) {
            var names = step.results().stream().map(result -> result.name()).toList();
            flags.addAll(List.of("-step_results", String.join(",", names)));
        }
        if (!step.when().isEmpty()) {
            var all = step.when().stream()
                    .<Json>map(dev.towtank.model.Records::write)
                    .toList();
            flags.addAll(List.of("--when_expressions", new Json.Arr(all).toString()));
        }
        if (!results.isEmpty()) {
            flags.addAll(List.of("-results", String.join(",", results)));
        }
        if (breakpoints.filter(all -> all.onFailure().equals("enabled")).isPresent()) {
            flags.add("-breakpoint_on_failure");
        }
        if (breakpoints.filter(all -> all.beforeSteps().contains(step.name())).isPresent()) {
            flags.add("-debug_before_step");
        }
        return flags;
    }

    /// What the image says, for a step that says nothing itself; the entrypoint finds it in the environment.
    static Json.Obj withImageCommand(Json.Obj container, ImageCommands images) {
        if (container.array("command").size() > 0) {
            return container;
        }
        return images.of(container.string("image"))
                .map(image -> image.words(container.array("args").size() > 0))
                .map(words -> Json.Obj.of(
                        "name",
                        Json.of("TEKTON_PLATFORM_COMMANDS"),
                        "value",
                        Json.of(Json.Obj.of("linux/amd64", Json.Arr.ofStrings(words))
                                .toString())))
                .map(variable -> container.with("env", container.array("env").plus(variable)))
                .orElse(container);
    }
}
