package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.cluster.Plan;
import dev.towtank.controllers.pipelines.api.TaskRun;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.controllers.pipelines.runs.RunStatus.Outcome;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Pods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The end of a run: stopping it before its time, trying again, and putting out the lights.
record TaskRunEnd(Resource run, TaskRun value, TaskRunFacts facts, TektonImages images) {

    static final String TOO_LARGE = "TaskRunResultLargerThanAllowedLimit";

    private static final Set<String> GIVEN_UP =
            Set.of("TaskRunImagePullFailed", "CreateContainerConfigError", "PodCreationFailed", TOO_LARGE);

    /// Ends a run that would go on: its pod goes, and its steps are marked as ended.
    ///
    /// @param started what was there before, with the time of the start
    Plan stop(RunStatus before, RunStatus started, String reason, String message, Instant now) {
        var status = facts.pod()
                .filter(_ -> value.status().taskSpec().isPresent())
                .map(pod -> withSteps(pod, started))
                .orElse(started);
        status = facts.pod().isEmpty()
                ? status
                : status.with("podName", Json.of(facts.pod().get().name()));
        status = status.with(Outcome.failed(reason, message), now).with("completionTime", RunStatus.time(now));
        if (status.json().has("steps")) {
            status = status.with("steps", ended(status.json().objects("steps"), reason, now));
        }
        var write = write(run, value, before, status, now);
        // What is given up for the state of its pod must be known to be over before the pod goes, or it would run
        // again.
        return GIVEN_UP.contains(reason)
                ? write.then(stopPod(reason))
                : stopPod(reason).then(write);
    }

    private RunStatus withSteps(Resource pod, RunStatus before) {
        var task = dev.towtank.model.Records.read(
                dev.towtank.controllers.pipelines.api.TaskSpec.class,
                value.status().taskSpec().orElse(Json.Obj.EMPTY));
        var steps = new StepStates(task, false, PrintedResults.NONE)
                .of(pod, before.json().objects("steps"))
                .states();
        return steps.isEmpty() ? before : before.with("steps", new Json.Arr(List.copyOf(steps)));
    }

    private Plan stopPod(String reason) {
        if (facts.pod().isEmpty()) {
            return Plan.NONE;
        }
        var pod = facts.pod().get();
        var isEnd = reason.equals("TaskRunCancelled") || reason.equals("TaskRunTimeout");
        if (isEnd && facts.settings().flags().enableKeepPodOnCancel()) {
            return pod.annotations().containsKey("tekton.dev/cancel")
                    ? Plan.NONE
                    : Plan.NONE.patch(
                            Pods.KIND,
                            pod,
                            Json.Obj.of(
                                    "metadata", TaskRunReconciler.annotations(Map.of("tekton.dev/cancel", "CANCEL"))));
        }
        return Plan.NONE.delete(Pods.KIND, pod);
    }

    private Json.Arr ended(List<Json.Obj> steps, String reason, Instant now) {
        var all = new ArrayList<Json>();
        for (var step : steps) {
            var running = step.has("running");
            if (!running && !step.has("waiting")) {
                all.add(step);
                continue;
            }
            var startedAt = running
                    ? step.string("running", "startedAt")
                    : run.metadata().string("creationTimestamp");
            var terminated = Json.Obj.builder()
                    .put("exitCode", 1)
                    .putNonEmpty("startedAt", startedAt)
                    .put("finishedAt", RunStatus.time(now))
                    .put("reason", reason)
                    .put(
                            "message",
                            "Step %s terminated as pod %s is terminated"
                                    .formatted(
                                            step.string("name"),
                                            facts.pod()
                                                    .map(Resource::name)
                                                    .orElse(value.status().podName())));
            all.add(step.without("running")
                    .without("waiting")
                    .with("terminated", terminated.build())
                    .with("terminationReason", Json.of(reason)));
        }
        return new Json.Arr(all);
    }

    /// Writes a status; one that failed and may be tried again becomes the beginning of the next attempt.
    static Plan write(Resource run, TaskRun value, RunStatus before, RunStatus status, Instant now) {
        var next = status;
        var outcome = status.outcome().orElseThrow();
        if (outcome.isFalse()
                && !value.isCancelled()
                && value.status().retriesStatus().size() < value.spec().retries()) {
            next = retried(status, outcome, now);
        }
        if (!next.json().has("podName")) {
            next = next.with("podName", Json.of("")); // Tekton writes it from the beginning on
        }
        var plan = Plan.NONE.setStatus(PipelineKinds.TASK_RUN, run, next.json());
        if (plan.changes().isEmpty()) {
            return plan;
        }
        for (var event : RunStatus.events(run, before, next)) {
            plan = plan.then(event);
        }
        return plan;
    }

    private static RunStatus retried(RunStatus status, Outcome outcome, Instant now) {
        var attempts = status.json()
                .array("retriesStatus")
                .plus(status.without("retriesStatus").json());
        return status.without("startTime", "completionTime", "podName", "results", "steps", "sidecars", "artifacts")
                .with("retriesStatus", attempts)
                .with(Outcome.running("ToBeRetried", outcome.message()), now);
    }

    /// Sidecars run until somebody ends them: an image that does nothing takes their place.
    Plan tidy() {
        var reason =
                value.status().succeeded().map(condition -> condition.reason()).orElse("");
        if (facts.pod().isEmpty() || reason.equals("TaskRunCancelled") || reason.equals("TaskRunTimeout")) {
            return Plan.NONE;
        }
        var pod = facts.pod().get();
        if (GIVEN_UP.contains(reason)) {
            return pod.isDeleting() ? Plan.NONE : Plan.NONE.delete(Pods.KIND, pod);
        }
        if (settingsAreNative() || !pod.status().string("phase").equals("Running")) {
            return withStopped(pod);
        }
        var running = PodFailure.statuses(pod).stream()
                .filter(status ->
                        !PodFailure.isStep(status) && status.object("state").has("running"))
                .map(status -> status.string("name"))
                .filter(name -> !name.equals(ResultsSidecar.CONTAINER)) // it ends by itself
                .toList();
        var containers = new ArrayList<Json>();
        var changed = false;
        for (var container : pod.spec().objects("containers")) {
            var stop = running.contains(container.string("name"))
                    && !container.string("image").equals(images.nop());
            changed |= stop;
            containers.add(stop ? container.with("image", Json.of(images.nop())) : container);
        }
        return changed
                ? Plan.NONE.patch(
                        Pods.KIND, pod, Json.Obj.of("spec", Json.Obj.of("containers", new Json.Arr(containers))))
                : withStopped(pod);
    }

    private boolean settingsAreNative() {
        return facts.settings().flags().enableKubernetesSidecar();
    }

    /// Shows how the sidecars ended, once they have.
    private Plan withStopped(Resource pod) {
        var shown = run.status().objects("sidecars");
        if (shown.isEmpty() || shown.stream().allMatch(sidecar -> sidecar.has("terminated"))) {
            return Plan.NONE;
        }
        var states = PodFailure.statuses(pod).stream()
                .filter(PodFailure::isSidecar)
                .map(TaskRunEnd::stopped)
                .toList();
        return states.stream().allMatch(state -> state.has("terminated"))
                ? Plan.NONE.setStatus(
                        PipelineKinds.TASK_RUN, run, run.status().with("sidecars", new Json.Arr(List.copyOf(states))))
                : Plan.NONE;
    }

    private static Json.Obj stopped(Json.Obj status) {
        var name = status.string("name");
        var last = status.object("lastState", "terminated");
        var state = last.size() == 0
                ? status.object("state")
                : Json.Obj.of(
                        "terminated",
                        last.with("reason", Json.of("Completed"))
                                .with("message", Json.of("Sidecar container successfully stopped by nop image")));
        return state.toBuilder()
                .put("name", name.substring("sidecar-".length()))
                .put("container", name)
                .putNonEmpty("imageID", status.string("imageID"))
                .build();
    }
}
