package dev.towtank.controllers.notebooks;

import dev.towtank.cluster.Meters;
import dev.towtank.cluster.Place;
import dev.towtank.controllers.notebooks.api.NotebookKinds;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The operator's metrics.
final class Counting {

    private final Meters.Count validations;
    private final Meters.Count pods;
    private final Meters.Count models;

    Counting(Place place) {
        validations = place.meters()
                .counter(
                        "notebookvalidationjob_validations_total",
                        "Notebooks that were run, by how it went",
                        "namespace",
                        "status");
        pods = place.meters()
                .counter(
                        "notebookvalidationjob_pod_creations_total",
                        "Pods that were made for notebooks",
                        "namespace",
                        "result");
        models = place.meters()
                .counter(
                        "notebookvalidationjob_model_health_checks_total",
                        "Models that were asked after a notebook, by how it went",
                        "namespace",
                        "platform",
                        "status");
        var jobs = place.caches().of(NotebookKinds.JOB);
        place.meters()
                .gauges(
                        "notebookvalidationjob_active_pods",
                        "Notebooks that run just now",
                        () -> running(jobs.list()),
                        "namespace",
                        "phase");
    }

    private static List<Meters.Sample> running(List<Resource> jobs) {
        return jobs.stream()
                .filter(job -> job.status().string("phase").equals("ValidationRunning"))
                .collect(Collectors.groupingBy(Resource::namespace, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(each -> new Meters.Sample(each.getValue().doubleValue(), List.of(each.getKey(), "Running")))
                .toList();
    }

    void seen(@Nullable Resource before, @Nullable Resource now) {
        if (before == null || now == null) {
            return;
        }
        var phase = now.status().string("phase");
        if (before.status().string("phase").equals(phase)) {
            return;
        }
        if (phase.equals("ValidationRunning")) {
            pods.count(now.namespace(), "success");
        }
        if (phase.equals("Succeeded") || phase.equals("Failed")) {
            validations.count(now.namespace(), phase.equals("Succeeded") ? "succeeded" : "failed");
            if (now.status().has("modelValidationResult")) {
                boolean isGood = now.status().flag("modelValidationResult", "success");
                var platform = now.status().string("modelValidationResult", "platform");
                models.count(now.namespace(), platform, isGood ? "healthy" : "unhealthy");
            }
        }
    }
}
