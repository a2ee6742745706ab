package dev.towtank.controllers.pipelines.notifications;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Meters;
import dev.towtank.cluster.Observer;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import dev.towtank.model.kinds.core.Pods;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What the exporter of pipeline-service counts: how much of a run's time is the platform's, and what waits for it.
final class ServiceMetrics {

    private static final List<Double> PARTS = List.of(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0);
    private static final List<Double> SECONDS = List.of(0.1, 0.5, 2.5, 12.5, 62.5, 312.5);
    private static final List<Double> MILLISECONDS = List.of(100.0, 500.0, 2500.0, 12500.0, 62500.0, 312500.0);
    /// Runs with longer gaps are left out, as the exporter leaves them out.
    private static final Duration LONGEST_GAP = Duration.ofMinutes(5);
    /// So it is misspelt there, and so dashboards ask for it.
    private static final String SUCCEEDED = "succeded";
    private static final String FAILED = "failed";
    private static final String THROTTLED = "pipelineservice.appstudio.io/throttled";
    private static final List<String> SERVICES = List.of(
            "openshift-pipelines/pipeline-metrics-exporter",
            "openshift-pipelines/pipelines-as-code-controller",
            "openshift-pipelines/pipelines-as-code-watcher",
            "openshift-pipelines/pipelines-as-code-webhook",
            "openshift-pipelines/tekton-pipelines-controller",
            "openshift-pipelines/tekton-pipelines-remote-resolvers",
            "openshift-pipelines/tekton-pipelines-webhook",
            "tekton-results/tekton-results-api",
            "tekton-results/tekton-results-watcher");

    private final Cache taskRuns;
    private final Meters.Distribution execution;
    private final Meters.Distribution scheduling;
    private final Meters.Distribution runStart;
    private final Meters.Distribution taskStart;
    private final Meters.Distribution gaps;
    private final Meters.Distribution runResolution;
    private final Meters.Distribution taskResolution;
    private final Meters.Distribution podTime;
    private final Meters.Distribution podSeen;
    private final Meters.Distribution containerStart;

    ServiceMetrics(Meters meters, Cache runs, Cache taskRuns) {
        this.taskRuns = taskRuns;
        execution = histogram(
                meters,
                "pipeline_service_execution_overhead_percentage",
                "Time between the TaskRuns of a PipelineRun, as a part of its duration",
                PARTS,
                true);
        scheduling = histogram(
                meters,
                "pipeline_service_schedule_overhead_percentage",
                "Time until a PipelineRun was taken up, as a part of its duration",
                PARTS,
                true);
        runStart = histogram(
                meters,
                "pipelinerun_duration_scheduled_seconds",
                "Time between the creation and the start of a PipelineRun",
                SECONDS,
                true);
        taskStart = histogram(
                meters,
                "taskrun_duration_scheduled_seconds",
                "Time between the creation and the start of a TaskRun",
                SECONDS,
                true);
        gaps = histogram(
                meters,
                "pipelinerun_gap_between_taskruns_milliseconds",
                "Time between the end of a TaskRun and the creation of the next one",
                MILLISECONDS,
                true);
        runResolution = histogram(
                meters,
                "pipelinerun_pipeline_resolution_wait_milliseconds",
                "Time that a PipelineRun waited for its Pipeline",
                MILLISECONDS,
                false);
        taskResolution = histogram(
                meters,
                "taskrun_task_resolution_wait_milliseconds",
                "Time that a TaskRun waited for its Task",
                MILLISECONDS,
                false);
        podTime = histogram(
                meters,
                "tekton_pods_create_to_complete_seconds",
                "Time between the creation of a pod and its end",
                SECONDS,
                false);
        podSeen = histogram(
                meters,
                "taskrun_pod_duration_kubelet_acknowledged_milliseconds",
                "Time between the creation of a pod and its node's taking it up",
                MILLISECONDS,
                false);
        containerStart = histogram(
                meters,
                "taskrun_pod_duration_kubelet_to_container_start_milliseconds",
                "Time between a node's taking a pod up and its first container's start",
                MILLISECONDS,
                false);
        waiting(
                meters,
                "pipelinerun_kickoff_not_attempted_count",
                "Number of PipelineRuns that nobody has taken up",
                runs,
                run -> run.status().objects("conditions").isEmpty());
        waiting(
                meters,
                "taskrun_pod_create_not_attempted_or_pending_count",
                "Number of TaskRuns without a pod",
                taskRuns,
                run -> run.status().string("podName").isEmpty() && !reason(run).startsWith("Resolving"));
        waiting(
                meters,
                "pending_resolutionrequest_count",
                "Number of runs that wait for what they refer to",
                runs,
                run -> reason(run).startsWith("Resolving"));
        waiting(
                meters,
                "pipelinerun_failed_by_pvc_quota_count",
                "Number of PipelineRuns that wait for room for their volumes",
                runs,
                run -> reason(run).equals("ExceededResourceQuota"));
        // All of them are this process: who can ask for this is answered by all.
        meters.gauges(
                "konflux_up",
                "Whether a part of the service is there",
                () -> SERVICES.stream()
                        .map(service -> service.split("/", 2))
                        .map(parts -> new Meters.Sample(1, List.of(parts[0], "replicas-available", parts[1])))
                        .toList(),
                "namespace",
                "check",
                "service");
    }

    private static Meters.Distribution histogram(
            Meters meters, String name, String help, List<Double> bounds, boolean hasStatus) {
        return hasStatus
                ? meters.histogram(name, help, bounds, "namespace", "status")
                : meters.histogram(name, help, bounds, "namespace");
    }

    private static void waiting(Meters meters, String name, String help, Cache runs, Predicate<Resource> waits) {
        meters.gauges(
                name,
                help,
                () -> {
                    var counts = runs.list().stream()
                            .filter(run -> !RunStatus.of(run).isOver() && waits.test(run))
                            .collect(Collectors.groupingBy(Resource::namespace, Collectors.counting()));
                    // A gauge that is not there is no zero to those who look for one.
                    counts.putIfAbsent("", 0L);
                    return counts.entrySet().stream()
                            .map(each -> new Meters.Sample(each.getValue(), List.of(each.getKey())))
                            .toList();
                },
                "namespace");
    }

    private static String reason(Resource run) {
        return RunStatus.of(run).outcome().map(RunStatus.Outcome::reason).orElse("");
    }

    List<Observer> observers() {
        return List.of(
                Observer.of(PipelineKinds.PIPELINE_RUN, this::pipelineRunChanged),
                Observer.of(PipelineKinds.TASK_RUN, this::taskRunChanged),
                Observer.of(Pods.KIND, this::podChanged));
    }

    private static boolean hasEnded(@Nullable Resource before, @Nullable Resource now) {
        return before != null
                && now != null
                && before.uid().equals(now.uid())
                && !RunStatus.of(before).isOver()
                && RunStatus.of(now).isOver();
    }

    private static String word(Resource run) {
        return RunStatus.of(run).outcome().filter(RunStatus.Outcome::isFalse).isPresent() ? FAILED : SUCCEEDED;
    }

    private static Optional<Duration> between(Optional<Instant> from, Optional<Instant> to) {
        return from.flatMap(start -> to.map(end -> Duration.between(start, end)))
                .map(time -> time.isNegative() ? Duration.ZERO : time);
    }

    private static Optional<Instant> created(Resource object) {
        return Timestamps.parseSeconds(object.metadata().string("creationTimestamp"));
    }

    private static Optional<Instant> moment(Resource object, String field) {
        return Timestamps.parseSeconds(object.status().string(field));
    }

    private void pipelineRunChanged(@Nullable Resource before, @Nullable Resource now) {
        if (now == null || !hasEnded(before, now)) {
            return;
        }
        var status = word(now);
        var wait = between(created(now), moment(now, "startTime"));
        wait.ifPresent(time -> runStart.observe(seconds(time), now.namespace(), status));
        if (now.spec().object("pipelineRef").has("resolver") || now.spec().has("pipelineRef")) {
            wait.ifPresent(time -> runResolution.observe((double) time.toMillis(), now.namespace()));
        }
        // Status has whole seconds: a run that ended in the second of its start took up to one.
        var total = between(moment(now, "startTime"), moment(now, "completionTime"))
                .map(time -> time.isZero() ? Duration.ofSeconds(1) : time);
        if (total.isEmpty() || now.labels().containsKey(THROTTLED)) {
            return;
        }
        var found = gaps(now);
        if (found.stream().anyMatch(gap -> gap.compareTo(LONGEST_GAP) > 0)) {
            return;
        }
        found.forEach(gap -> gaps.observe((double) gap.toMillis(), now.namespace(), status));
        var all = found.stream().reduce(Duration.ZERO, Duration::plus);
        execution.observe(seconds(all) / seconds(total.get()), now.namespace(), status);
        wait.ifPresent(time -> scheduling.observe(seconds(time) / seconds(total.get()), now.namespace(), status));
    }

    /// Before each of its TaskRuns, since the last one that had ended by then.
    private List<Duration> gaps(Resource run) {
        var tasks = taskRuns.by(Cache.Index.OWNER, run.uid()).stream()
                .sorted(Comparator.comparing((Resource task) -> created(task).orElse(Instant.EPOCH)))
                .toList();
        var ends = tasks.stream()
                .flatMap(task -> moment(task, "completionTime").stream())
                .toList();
        var found = new ArrayList<Duration>();
        for (var task : tasks) {
            var begun = created(task);
            var last = begun.flatMap(
                    start -> ends.stream().filter(end -> !end.isAfter(start)).max(Comparator.naturalOrder()));
            between(last.or(() -> moment(run, "startTime")), begun).ifPresent(found::add);
        }
        return found;
    }

    private static double seconds(Duration time) {
        return time.toMillis() / 1000.0;
    }

    private void taskRunChanged(@Nullable Resource before, @Nullable Resource now) {
        if (now == null || !hasEnded(before, now)) {
            return;
        }
        var wait = between(created(now), moment(now, "startTime"));
        wait.ifPresent(time -> taskStart.observe(seconds(time), now.namespace(), word(now)));
        if (now.spec().has("taskRef")) {
            wait.ifPresent(time -> taskResolution.observe((double) time.toMillis(), now.namespace()));
        }
    }

    private void podChanged(@Nullable Resource before, @Nullable Resource now) {
        if (before == null
                || now == null
                || !now.labels().containsKey("tekton.dev/taskRun")
                || isOver(before)
                || !isOver(now)) {
            return;
        }
        var states = now.status().objects("containerStatuses");
        var ends = states.stream()
                .flatMap(each ->
                        Timestamps.parseSeconds(
                                each.object("state", "terminated").string("finishedAt"))
                                .stream())
                .max(Comparator.naturalOrder());
        var starts = states.stream()
                .flatMap(each ->
                        Timestamps.parseSeconds(
                                each.object("state", "terminated").string("startedAt"))
                                .stream())
                .min(Comparator.naturalOrder());
        between(created(now), ends).ifPresent(time -> podTime.observe(seconds(time), now.namespace()));
        var seen = moment(now, "startTime");
        between(created(now), seen).ifPresent(time -> podSeen.observe((double) time.toMillis(), now.namespace()));
        between(seen, starts).ifPresent(time -> containerStart.observe((double) time.toMillis(), now.namespace()));
    }

    private static boolean isOver(Resource pod) {
        return List.of("Succeeded", "Failed").contains(pod.status().string("phase"));
    }
}
