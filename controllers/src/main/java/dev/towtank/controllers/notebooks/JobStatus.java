package dev.towtank.controllers.notebooks;

import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What is said about a job. Conditions are the operator's, with those of a Kubernetes Job beside them, so that
/// `kubectl wait
/// --for=condition=complete` ends.
record JobStatus(NotebookJob job, Instant now) {

    private static final int MOST_RESULTS = 500;
    private static final int LONGEST_OUTPUT = 1_000;
    private static final int LONGEST_MESSAGE = 1_500;

    private record Condition(String type, String status, String reason, String message) {}

    Json.Obj begun() {
        return Json.Obj.builder()
                .put("phase", "Initializing")
                .put("observedGeneration", job.object().generation())
                .put("startTime", Timestamps.seconds(now))
                .put("message", "The validation begins")
                .put("retryCount", job.isDone() ? 0 : job.status().integer("retryCount"))
                .put(
                        "conditions",
                        conditions(
                                Json.Arr.EMPTY,
                                List.of(new Condition("Ready", "False", "Initializing", "The validation begins"))))
                .build();
    }

    Json.Obj waiting(String message) {
        return job.status().with("message", Json.of(cut(message, LONGEST_MESSAGE)));
    }

    /// @param told about the build
    Json.Obj building(String phase, Json.Obj told, String message) {
        return job.status()
                .with("phase", Json.of(phase))
                .with("buildStatus", told)
                .with("message", Json.of(message))
                .with(
                        "conditions",
                        conditions(
                                job.status().array("conditions"),
                                List.of(new Condition("Ready", "False", phase, message))));
    }

    Json.Obj running(Json.Obj report) {
        long cells = report.objects("cells").stream()
                .filter(cell -> cell.get("cellIndex") instanceof Json.Int)
                .count();
        var total = report.object("statistics").integer("code_cells");
        var message = total == 0 ? "The pod is running" : "%d of %d cells are done".formatted(cells, total);
        return told(report)
                .with("phase", Json.of("ValidationRunning"))
                .with("validationPodName", Json.of(job.podName()))
                .with("message", Json.of(message))
                .with(
                        "conditions",
                        conditions(
                                job.status().array("conditions"),
                                List.of(
                                        new Condition("Ready", "False", "ValidationRunning", "The notebook runs"),
                                        new Condition(
                                                "ValidationComplete", "Unknown", "PodRunning", "The notebook runs"))));
    }

    Json.Obj retried(Ending ending, Instant next) {
        return job.status()
                .with("phase", Json.of("Initializing"))
                .with("retryCount", Json.of(job.status().integer("retryCount") + 1))
                .with("lastRetryTime", Json.of(Timestamps.seconds(next)))
                .with("message", Json.of(cut("Tried again because of: " + ending.message(), LONGEST_MESSAGE)));
    }

    Json.Obj ended(Ending ending, Json.Obj report, Optional<String> artifacts) {
        var message = cut(ending.message(), LONGEST_MESSAGE);
        var retries = job.status().integer("retryCount");
        var whole = ending.isSuccess() || retries == 0
                ? message
                : "Validation failed after %d retries: %s".formatted(retries, message);
        boolean isGood = ending.isSuccess();
        var status = told(report)
                .with("phase", Json.of(isGood ? "Succeeded" : "Failed"))
                .with("validationPodName", Json.of(job.podName()))
                .with("completionTime", Json.of(Timestamps.seconds(now)))
                .with("message", Json.of(whole))
                .with(
                        "conditions",
                        conditions(
                                job.status().array("conditions"),
                                List.of(
                                        new Condition("Ready", isGood ? "True" : "False", ending.reason(), whole),
                                        new Condition(
                                                "ValidationComplete",
                                                isGood ? "True" : "False",
                                                ending.reason(),
                                                whole),
                                        new Condition(
                                                isGood ? "Complete" : "Failed", "True", ending.reason(), whole))));
        return artifacts
                .map(at -> status.with(
                        "artifacts",
                        Json.Arr.of(
                                artifact("notebook", at + "/output.ipynb"), artifact("results", at + "/results.json"))))
                .orElse(status);
    }

    private static Json.Obj artifact(String name, String path) {
        return Json.Obj.of("name", Json.of(name), "path", Json.of(path));
    }

    /// What the runner has told so far.
    private Json.Obj told(Json.Obj report) {
        var results = new ArrayList<Json>();
        report.objects("cells").stream()
                .filter(cell -> cell.get("cellIndex") instanceof Json.Int)
                .limit(MOST_RESULTS)
                .map(JobStatus::result)
                .forEach(results::add);
        var status = job.status().withOrWithout("results", results.isEmpty() ? null : new Json.Arr(results));
        if (report.get("comparisonResult") instanceof Json.Obj comparison) {
            status = status.with("comparisonResult", comparison);
        }
        if (report.get("modelValidationResult") instanceof Json.Obj models) {
            status = status.with("modelValidationResult", models);
        }
        if (!report.string("commit").isEmpty()) {
            status = status.with("commit", report.get("commit") instanceof Json.Str text ? text : Json.of(""));
        }
        if (report.get("provenance") instanceof Json.Obj provenance) {
            status = status.with("provenance", provenance);
        }
        return status;
    }

    private static Json result(Json.Obj cell) {
        double seconds = switch (cell.get("seconds")) {
            case Json.Real(var value) -> value;
            case Json.Int(var value) -> value;
            case null, default -> 0;
        };
        return Json.Obj.builder()
                .put("cellIndex", cell.integer("cellIndex"))
                .put("status", cell.string("status"))
                .put("executionTime", Durations.format(Duration.ofMillis(Math.round(seconds * 1000))))
                .putNonEmpty("output", cut(cell.string("output"), LONGEST_OUTPUT))
                .putNonEmpty("errorMessage", cut(cell.string("errorMessage"), LONGEST_OUTPUT))
                .build();
    }

    private static String cut(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
    }

    private Json.Arr conditions(Json.Arr before, List<Condition> wanted) {
        var all = new ArrayList<Json>();
        for (var condition : wanted) {
            var known = before.objects().stream()
                    .filter(each -> each.string("type").equals(condition.type))
                    .filter(each -> each.string("status").equals(condition.status))
                    .findFirst();
            all.add(Json.Obj.builder()
                    .put("type", condition.type)
                    .put("status", condition.status)
                    .put("reason", condition.reason)
                    .put("message", condition.message)
                    .put("observedGeneration", job.object().generation())
                    .put(
                            "lastTransitionTime",
                            known.map(each -> each.string("lastTransitionTime")).orElse(Timestamps.seconds(now)))
                    .build());
        }
        return new Json.Arr(all);
    }
}
