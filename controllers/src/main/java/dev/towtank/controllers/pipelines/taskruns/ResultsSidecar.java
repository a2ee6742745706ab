package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.controllers.pipelines.api.Step;
import dev.towtank.controllers.pipelines.api.TaskSpec;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.controllers.pipelines.entrypoint.TektonEntrypoint;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The container that prints results, where they do not come with the steps' termination messages.
record ResultsSidecar(TaskSpec task) {

    static final String CONTAINER = "sidecar-tekton-log-results";

    /// Whether the results of a task come this way.
    static boolean isNeeded(Settings settings, TaskSpec task) {
        return settings.resultsFromSidecar()
                && (!task.results().isEmpty() || task.steps().stream().anyMatch(ResultsSidecar::leavesArtifacts));
    }

    static boolean isIn(Resource pod) {
        return Stream.of("containers", "initContainers")
                .flatMap(list -> pod.spec().objects(list).stream())
                .anyMatch(container -> container.string("name").equals(CONTAINER));
    }

    /// Whether there may be something to read.
    static boolean hasStarted(Resource pod) {
        return state(pod).anyMatch(state -> state.has("running") || state.has("terminated"));
    }

    static boolean hasEnded(Resource pod) {
        return state(pod).anyMatch(state -> state.has("terminated"));
    }

    private static Stream<Json.Obj> state(Resource pod) {
        return Stream.of("containerStatuses", "initContainerStatuses")
                .flatMap(list -> pod.status().objects(list).stream())
                .filter(status -> status.string("name").equals(CONTAINER))
                .map(status -> status.object("state"));
    }

    /// @param isNative whether Kubernetes ends it when the steps have ended
    /// @param mounts the volumes that each step has
    Json.Obj container(String image, boolean isNative, Duration pollingInterval, List<Json.Obj> mounts) {
        var interval = Json.Obj.of(
                "name", Json.of("SIDECAR_LOG_POLLING_INTERVAL"), "value", Json.of(Durations.format(pollingInterval)));
        var all = new ArrayList<Json>();
        for (int i = 0; i < task.steps().size(); i++) {
            all.add(TaskScripts.mount("tekton-internal-run-" + i, "/tekton/run/" + i, true));
        }
        all.addAll(mounts);
        return Json.Obj.builder()
                .put("name", CONTAINER)
                .put("image", image)
                .put("command", Json.Arr.ofStrings(command(isNative)))
                .put("env", Json.Arr.of(interval))
                .put("volumeMounts", new Json.Arr(all))
                .build();
    }

    private List<String> command(boolean isNative) {
        var artifacts = task.steps().stream()
                .filter(ResultsSidecar::leavesArtifacts)
                .map(step -> "step-" + step.name())
                .toList();
        var names = task.results().stream().map(result -> result.name()).toList();
        var command = new ArrayList<>(List.of(
                TektonEntrypoint.RESULTS_COMMAND,
                "-results-dir",
                "/tekton/results",
                "-result-names",
                String.join(",", names),
                "-step-names",
                String.join(",", artifacts),
                "-step-results",
                stepResults().toString()));
        if (isNative) {
            command.addAll(List.of("-kubernetes-sidecar-mode", "true"));
        }
        return command;
    }

    private Json.Obj stepResults() {
        var all = Json.Obj.builder();
        for (int i = 0; i < task.steps().size(); i++) {
            var step = task.steps().get(i);
            if (!step.results().isEmpty()) {
                all.put(
                        step.name().isEmpty() ? "step-unnamed-" + i : "step-" + step.name(),
                        Json.Arr.ofStrings(step.results().stream()
                                .map(result -> result.name())
                                .toList()));
            }
        }
        return all.build();
    }

    private static boolean leavesArtifacts(Step step) {
        var path = "/tekton/steps/step-" + step.name() + "/artifacts/provenance.json";
        return Stream.of(
                        Stream.of(step.script()),
                        step.args().stream(),
                        step.command().stream(),
                        step.env().stream().map(variable -> variable.string("value")))
                .flatMap(texts -> texts)
                .anyMatch(text -> text.contains(path) || text.contains("$(step.artifacts.path)"));
    }
}
