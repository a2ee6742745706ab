package dev.towtank.controllers.pipelines.notifications;

import dev.towtank.cluster.Meters;
import dev.towtank.cluster.Observer;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.controllers.pipelines.runs.RunStatus.Outcome;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Pods;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Tekton's metrics, under the names they have and those they had.
final class RunMetrics {

    private static final String PREFIX = "tekton_pipelines_controller_";
    private static final String ANONYMOUS = "anonymous";
    private static final List<Double> DURATIONS =
            List.of(10.0, 30.0, 60.0, 300.0, 900.0, 1800.0, 3600.0, 5400.0, 10800.0, 21600.0, 43200.0, 86400.0);
    private static final List<Double> LATENCIES =
            List.of(5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 500.0, 1000.0, 2500.0, 5000.0, 10000.0);

    private final Meters.Distribution pipelineRuns;
    private final Meters.Distribution taskRuns;
    private final Meters.Distribution pipelineTaskRuns;
    private final Meters.Distribution podLatency;
    private final Meters.Count pipelineRunTotal;
    private final Meters.Count taskRunTotal;

    // By uid, with the reason: those that run, so that nobody has to look at all that are over.
    private final Map<String, String> runningPipelineRuns = new ConcurrentHashMap<>();
    private final Map<String, String> runningTaskRuns = new ConcurrentHashMap<>();

    RunMetrics(Meters meters) {
        pipelineRuns = meters.histogram(
                PREFIX + "pipelinerun_duration_seconds",
                "The pipelinerun execution time in seconds",
                DURATIONS,
                "namespace",
                "pipeline",
                "status");
        taskRuns = meters.histogram(
                PREFIX + "taskrun_duration_seconds",
                "The taskrun's execution time in seconds",
                DURATIONS,
                "namespace",
                "status",
                "task");
        pipelineTaskRuns = meters.histogram(
                PREFIX + "pipelinerun_taskrun_duration_seconds",
                "The pipelinerun's taskrun execution time in seconds",
                DURATIONS,
                "namespace",
                "pipeline",
                "status",
                "task");
        podLatency = meters.histogram(
                PREFIX + "taskruns_pod_latency_milliseconds",
                "scheduling latency for the taskrun pods",
                LATENCIES,
                "namespace",
                "task");
        pipelineRunTotal = total(meters, "pipelinerun", "Number of pipelineruns");
        taskRunTotal = total(meters, "taskrun", "Number of taskruns");
        gauges(meters);
    }

    /// By the name of today and by the one of before, which dashboards may still have.
    private static Meters.Count total(Meters meters, String what, String help) {
        var now = meters.counter(PREFIX + what + "_total", help, "status");
        var before = meters.counter(PREFIX + what + "_count", help, "status");
        return labels -> {
            now.count(labels);
            before.count(labels);
        };
    }

    private void gauges(Meters meters) {
        gauge(meters, "running_pipelineruns", "Number of pipelineruns executing currently", runningPipelineRuns, "");
        gauge(
                meters,
                "running_pipelineruns_waiting_on_pipeline_resolution",
                "Number of pipelineruns executing currently that are waiting on resolution requests for their pipeline"
                        + " references.",
                runningPipelineRuns,
                "ResolvingPipelineRef");
        gauge(
                meters,
                "running_pipelineruns_waiting_on_task_resolution",
                "Number of pipelineruns executing currently that are waiting on resolution requests for the task"
                        + " references of their taskrun children.",
                runningPipelineRuns,
                "ResolvingTaskRef");
        gauge(meters, "running_taskruns", "Number of taskruns executing currently", runningTaskRuns, "");
        gauge(
                meters,
                "running_taskruns_waiting_on_task_resolution",
                "Number of taskruns executing currently that are waiting on resolution requests for their task"
                        + " references.",
                runningTaskRuns,
                "ResolvingTaskRef");
        gauge(
                meters,
                "running_taskruns_throttled_by_quota",
                "Number of taskruns executing currently, but whose underlying Pods or Containers are suspended by k8s"
                        + " because of defined ResourceQuotas.",
                runningTaskRuns,
                "ExceededResourceQuota");
        gauge(
                meters,
                "running_taskruns_throttled_by_node",
                "Number of taskruns executing currently, but whose underlying Pods or Containers are suspended by k8s"
                        + " because of Node level constraints.",
                runningTaskRuns,
                "ExceededNodeResources");
    }

    /// Once with the name of today, once with the one of before, which ended in `_count`; one of them still does.
    private static void gauge(Meters meters, String name, String help, Map<String, String> running, String reason) {
        meters.gauge(PREFIX + name, help, () -> count(running, reason));
        meters.gauge(PREFIX + name + "_count", help, () -> count(running, reason));
    }

    private static long count(Map<String, String> running, String reason) {
        return reason.isEmpty()
                ? running.size()
                : running.values().stream().filter(reason::equals).count();
    }

    List<Observer> observers() {
        return List.of(
                Observer.of(PipelineKinds.PIPELINE_RUN, this::pipelineRunChanged),
                Observer.of(PipelineKinds.TASK_RUN, this::taskRunChanged),
                Observer.of(Pods.KIND, this::podChanged));
    }

    private void pipelineRunChanged(@Nullable Resource before, @Nullable Resource now) {
        note(runningPipelineRuns, before, now);
        ended(before, now).ifPresent(outcome -> {
            var run = Objects.requireNonNull(now);
            var status = word(outcome, "Cancelled");
            pipelineRuns.observe(seconds(run), run.namespace(), pipeline(run), status);
            pipelineRunTotal.count(status);
        });
    }

    private void taskRunChanged(@Nullable Resource before, @Nullable Resource now) {
        note(runningTaskRuns, before, now);
        ended(before, now).ifPresent(outcome -> {
            var run = Objects.requireNonNull(now);
            var status = word(outcome, "TaskRunCancelled");
            var labels = run.labels();
            if (labels.containsKey("tekton.dev/pipeline") && labels.containsKey("tekton.dev/pipelineRun")) {
                var pipeline = labels.getOrDefault("tekton.dev/pipeline", "");
                var isAnonymous = pipeline.equals(labels.get("tekton.dev/pipelineRun"));
                pipelineTaskRuns.observe(
                        seconds(run), run.namespace(), isAnonymous ? ANONYMOUS : pipeline, status, task(run));
            } else {
                taskRuns.observe(seconds(run), run.namespace(), status, task(run));
            }
            taskRunTotal.count(status);
        });
    }

    private static void note(Map<String, String> running, @Nullable Resource before, @Nullable Resource now) {
        var present =
                now == null ? Optional.<Outcome>empty() : RunStatus.of(now).outcome();
        if (now != null && present.isPresent() && !present.get().isOver()) {
            running.put(now.uid(), present.get().reason());
            return;
        }
        var gone = now == null ? before : now;
        if (gone != null) {
            running.remove(gone.uid());
        }
    }

    /// How it ended, where this is the change that ended it: what was over when the server started is not told again.
    private static Optional<Outcome> ended(@Nullable Resource before, @Nullable Resource now) {
        if (before == null
                || now == null
                || !before.uid().equals(now.uid())
                || RunStatus.of(before).isOver()) {
            return Optional.empty();
        }
        return RunStatus.of(now).outcome().filter(Outcome::isOver);
    }

    private static String word(Outcome outcome, String cancelled) {
        if (!outcome.isFalse()) {
            return "success";
        }
        return outcome.reason().equals(cancelled) ? "cancelled" : "failed";
    }

    private static double seconds(Resource run) {
        var status = RunStatus.of(run);
        return status.moment("startTime")
                .flatMap(start -> status.moment("completionTime").map(end -> Duration.between(start, end)))
                .map(time -> time.toMillis() / 1000.0)
                .orElse(0.0);
    }

    private static String pipeline(Resource run) {
        var name = run.spec().string("pipelineRef", "name");
        if (!name.isEmpty()) {
            return name;
        }
        boolean isNameless = run.spec().has("pipelineSpec")
                && run.metadata().string("generateName").isEmpty();
        return isNameless ? ANONYMOUS : run.labels().getOrDefault("tekton.dev/pipeline", ANONYMOUS);
    }

    private static String task(Resource run) {
        var name = run.spec().string("taskRef", "name");
        if (!name.isEmpty()) {
            return name;
        }
        var label = run.spec().has("taskSpec") ? "tekton.dev/pipelineTask" : "tekton.dev/task";
        return run.labels().getOrDefault(label, ANONYMOUS);
    }

    private void podChanged(@Nullable Resource before, @Nullable Resource now) {
        if (before == null || now == null || !now.labels().containsKey("tekton.dev/taskRun")) {
            return;
        }
        if (scheduled(before).isPresent()) {
            return;
        }
        scheduled(now).ifPresent(moment -> {
            var made = now.metadata().string("creationTimestamp");
            var task = now.labels().getOrDefault("tekton.dev/task", ANONYMOUS);
            moment(made)
                    .ifPresent(start -> podLatency.observe(
                            (double) Duration.between(start, moment).toMillis(), now.namespace(), task));
        });
    }

    private static Optional<Instant> scheduled(Resource pod) {
        return pod.status().objects("conditions").stream()
                .filter(condition -> condition.string("type").equals("PodScheduled")
                        && condition.string("status").equals("True"))
                .findFirst()
                .flatMap(condition -> moment(condition.string("lastTransitionTime")));
    }

    private static Optional<Instant> moment(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
