package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.controllers.pipelines.api.TaskSpec;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.controllers.pipelines.runs.RunStatus.Outcome;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What the status of a pod says about its run.
///
/// @param task as it runs, all variables replaced
/// @param ignoresFailure whether the pipeline goes on when the run fails
record PodReport(Resource pod, TaskSpec task, Settings settings, boolean ignoresFailure) {

    static final String RUNNING = "Not all Steps in the Task have finished executing";
    private static final Duration NAMELESS = Duration.ofSeconds(1);
    private static final Set<String> IMAGE_PROBLEMS = Set.of(
            "ImagePullBackOff",
            "ImageInspectError",
            "ErrImagePull",
            "ErrImageNeverPull",
            "RegistryUnavailable",
            "InvalidImageName");

    /// The status of the run with what the pod adds to it.
    ///
    /// @param printed results that came with a log
    RunStatus applyTo(RunStatus before, PrintedResults printed, Instant now) {
        var status = before.with("podName", Json.of(pod.name()));
        var over = isOver();
        if (!over && isStillWaiting(before)) {
            return now.isBefore(namedAt()) ? before : status;
        }
        status = over ? status.with(outcome(), now).stamped("completionTime", now) : status.with(interim(before), now);
        var steps = new StepStates(task, over, printed).of(pod, before.json().objects("steps"));
        if (!steps.states().isEmpty()) {
            status = status.with("steps", new Json.Arr(List.copyOf(steps.states())));
        }
        status = status.withNonEmpty("sidecars", sidecars());
        if (over) {
            status = status.withNonEmpty("results", new Json.Arr(List.copyOf(steps.results())))
                    .withNonEmpty("artifacts", steps.artifacts());
            status = checked(status, steps, now);
        }
        return status;
    }

    /// When the name of a pod that has not started is worth a write of its own; most start before.
    Instant namedAt() {
        return pod.creationTimestamp().orElse(Instant.EPOCH).plus(NAMELESS);
    }

    /// A pod on its way has many small changes that say nothing new about the run.
    private boolean isStillWaiting(RunStatus before) {
        var outcome = interim(before);
        return outcome.reason().equals("Pending")
                && !outcome.message().startsWith("build step")
                && before.outcome()
                        .filter(known -> known.reason().equals("Pending"))
                        .isPresent();
    }

    /// All steps have ended, or something has happened after which none will.
    boolean isOver() {
        var phase = pod.status().string("phase");
        if (phase.equals("Succeeded") || phase.equals("Failed")) {
            return true;
        }
        var statuses = PodFailure.statuses(pod);
        var steps = statuses.stream().filter(PodFailure::isStep).toList();
        return steps.stream().anyMatch(PodFailure::isOutOfMemory)
                || (phase.equals("Running")
                        && !steps.isEmpty()
                        && steps.stream().allMatch(PodFailure::isOver)
                        && (!ResultsSidecar.isIn(pod) || ResultsSidecar.hasEnded(pod)));
    }

    private Outcome outcome() {
        if (!PodFailure.didFail(pod)) {
            return Outcome.succeeded("Succeeded", "All Steps have completed executing");
        }
        var failure = PodFailure.of(pod);
        return Outcome.failed(ignoresFailure ? "FailureIgnored" : failure.reason(), failure.message());
    }

    private Outcome interim(RunStatus before) {
        return switch (pod.status().string("phase")) {
            case "Running" -> Outcome.running("Running", RUNNING);
            case "Pending", "" -> pending();
            default -> before.outcome().orElse(Outcome.running("Running", RUNNING));
        };
    }

    private Outcome pending() {
        var lacksRoom = pod.status().objects("conditions").stream()
                .anyMatch(condition -> condition.string("reason").equals("Unschedulable")
                        && condition.string("message").contains("Insufficient"));
        if (lacksRoom) {
            return Outcome.running("ExceededNodeResources", "TaskRun Pod exceeded available resources");
        }
        var waiting = waiting();
        if (waiting.stream().anyMatch(PodReport::isSubPathProblem)) {
            return Outcome.running("Pending", "Waiting for subPath directory creation to complete");
        }
        if (waiting.stream().anyMatch(wait -> wait.string("reason").equals("CreateContainerConfigError"))) {
            return Outcome.failed("CreateContainerConfigError", "Failed to create pod due to config error");
        }
        var reason = waiting.stream().anyMatch(wait -> IMAGE_PROBLEMS.contains(wait.string("reason")))
                ? "PullImageFailed"
                : "Pending";
        return Outcome.running(reason, waitingMessage());
    }

    private static boolean isSubPathProblem(Json.Obj wait) {
        return wait.string("reason").equals("CreateContainerConfigError")
                && wait.string("message").contains("failed to create subPath directory");
    }

    private List<Json.Obj> waiting() {
        var all = new ArrayList<>(pod.status().objects("initContainerStatuses"));
        all.addAll(pod.status().objects("containerStatuses"));
        return all.stream()
                .map(status -> status.object("state", "waiting"))
                .filter(wait -> wait.size() > 0)
                .toList();
    }

    private String waitingMessage() {
        for (var status : PodFailure.statuses(pod)) {
            var message = status.string("state", "waiting", "message");
            if (!message.isEmpty()) {
                return "build step \"%s\" is pending with reason %s".formatted(status.string("name"), Json.of(message));
            }
        }
        for (var condition : pod.status().objects("conditions")) {
            if (!condition.string("status").equals("True")) {
                return "pod status \"%s\":\"%s\"; message: %s"
                        .formatted(
                                condition.string("type"),
                                condition.string("status"),
                                Json.of(condition.string("message")));
            }
        }
        var message = pod.status().string("message");
        return message.isEmpty() ? "Pending" : message;
    }

    private Json.Arr sidecars() {
        var all = new ArrayList<>(PodFailure.statuses(pod));
        all.addAll(pod.status().objects("initContainerStatuses"));
        return new Json.Arr(all.stream()
                .filter(PodFailure::isSidecar)
                .<Json>map(PodReport::sidecar)
                .toList());
    }

    private static Json.Obj sidecar(Json.Obj status) {
        var name = status.string("name");
        return status.object("state").toBuilder()
                .put("name", name.substring("sidecar-".length()))
                .put("container", name)
                .putNonEmpty("imageID", status.string("imageID"))
                .build();
    }

    /// Results of another type than declared fail the run.
    private RunStatus checked(RunStatus status, StepStates.Result steps, Instant now) {
        var check = new ResultChecks(task.results()).check(steps.results());
        return check.problem()
                .map(problem -> status.withNonEmpty("results", new Json.Arr(List.copyOf(check.results())))
                        .with(Outcome.failed("TaskRunValidationFailed", RunStatus.USER_ERROR + problem), now))
                .orElse(status);
    }

    /// Whether everything beside the steps is ready, so that they may start.
    static boolean isReady(Resource pod) {
        return pod.status().string("phase").equals("Running")
                && PodFailure.statuses(pod).stream()
                        .filter(status -> !PodFailure.isStep(status))
                        .allMatch(status -> PodFailure.isOver(status)
                                || (status.object("state").has("running") && status.flag("ready")));
    }
}
