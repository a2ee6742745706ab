package dev.towtank.controllers.pipelinesascode;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Meters;
import dev.towtank.controllers.pipelinesascode.runs.RunReports;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/// What Pipelines-as-Code counts, under the names of its watcher.
final class PacMetrics {

    private static final String PREFIX = "pac_watcher_pipelines_as_code_";
    private static final List<Double> DURATIONS = List.of(10.0, 30.0, 60.0, 300.0, 900.0, 1800.0, 3600.0);

    private final Meters.Count ended;
    private final Meters.Distribution durations;

    PacMetrics(Meters meters, Cache runs) {
        ended = meters.counter(
                PREFIX + "pipelinerun_count",
                "number of pipeline runs by pipelines as code",
                "provider",
                "event_type",
                "namespace",
                "repository");
        durations = meters.histogram(
                PREFIX + "pipelinerun_duration_seconds",
                "number of seconds all pipelineruns have taken in pipelines as code",
                DURATIONS,
                "namespace",
                "repository",
                "status",
                "reason");
        meters.gauges(
                PREFIX + "running_pipelineruns_count",
                "number of running pipelineruns by pipelines as code",
                () -> running(runs),
                "namespace",
                "repository");
    }

    private static List<Meters.Sample> running(Cache runs) {
        return runs.list().stream()
                .filter(run -> run.cluster().equals(LogicalCluster.DEFAULT)
                        && !RunReports.annotation(run, "repository").isEmpty()
                        && !RunReports.isDone(run))
                .collect(Collectors.groupingBy(
                        run -> List.of(run.namespace(), RunReports.annotation(run, "repository")),
                        Collectors.counting()))
                .entrySet()
                .stream()
                .map(each -> new Meters.Sample(each.getValue(), each.getKey()))
                .toList();
    }

    void ended(Resource run) {
        var repository = RunReports.annotation(run, "repository");
        ended.count(
                RunReports.annotation(run, "git-provider"),
                RunReports.annotation(run, "event-type"),
                run.namespace(),
                repository);
        var start = Timestamps.parseSeconds(run.status().string("startTime"));
        var end = Timestamps.parseSeconds(run.status().string("completionTime"));
        if (start.isPresent() && end.isPresent()) {
            durations.observe(
                    Duration.between(start.get(), end.get()).toMillis() / 1000.0,
                    run.namespace(),
                    repository,
                    RunReports.hasSucceeded(run) ? "success" : RunReports.isCancelled(run) ? "cancelled" : "failed",
                    RunReports.reason(run));
        }
    }
}
