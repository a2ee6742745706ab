package dev.towtank.controllers.notebooks;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.controllers.notebooks.api.NotebookKinds;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Has the image of a job built, before its pod is made.
record Building(NotebookJob job, NotebookFacts facts, JobStatus status, Instant now) {

    private static final String MANAGER = "notebookvalidationjob-controller";
    private static final Duration GRACE = Duration.ofSeconds(30);

    Plan plan() {
        var build = new NotebookBuild(job);
        return switch (build.strategy()) {
            case NotebookBuild.SOURCE_STRATEGY -> byConfig(build);
            case NotebookBuild.PIPELINE_STRATEGY -> new PipelineBuilding(this, build).plan();
            default -> failed("StrategyNotFound", "Unknown build strategy: " + build.strategy());
        };
    }

    private Plan byConfig(NotebookBuild build) {
        var taken = facts.config().filter(config -> !NotebookReconciler.isOf(job, config));
        if (taken.isPresent()) {
            return failed(
                    "BuildNameTaken",
                    "There is a BuildConfig %s already, which is not of this job: delete one of them."
                            .formatted(build.name()));
        }
        var config = facts.config().filter(each -> NotebookReconciler.isOfThisGeneration(job, each));
        return config.isEmpty() ? asked(build) : followed(build, config.get());
    }

    private Plan asked(NotebookBuild build) {
        return applied(BuildKinds.STREAM, build.stream())
                .then(applied(BuildKinds.CONFIG, build.config()))
                .then(said("Building", told("Pending", "The build is asked for"), "The image is being built"));
    }

    Plan applied(Kind<?> kind, Resource object) {
        return Plan.of(new Change.Apply(kind, object, MANAGER, true, refused()));
    }

    Change.Alternative refused() {
        return new Refused(this);
    }

    /// What the server does not let be built is told, and not tried again.
    private record Refused(Building building) implements Change.Alternative {
        @Override
        public Plan after(StatusError refusal) {
            return building.failed("BuildRefused", String.valueOf(refusal.getMessage()));
        }
    }

    private Plan followed(NotebookBuild build, Resource config) {
        boolean isSeen = config.status().integer("observedGeneration") == config.generation();
        var newest = isSeen ? facts.build() : Optional.<Resource>empty();
        return switch (newest.map(each -> each.status().string("phase")).orElse("")) {
            case "Complete" -> complete(build, newest.orElseThrow());
            case "Failed", "Error", "Cancelled" ->
                failed(
                        "BuildFailed",
                        "Build failed: " + newest.orElseThrow().status().string("message"));
            default -> inTime(build, going(newest));
        };
    }

    /// What is said of a build that goes on, unless it has done so for too long.
    Plan inTime(NotebookBuild build, Plan going) {
        var end = job.startTime().orElse(now).plus(build.timeout()).plus(GRACE);
        return end.isAfter(now)
                ? Plan.lookAgainAt(end).then(going)
                : failed(
                        "BuildTimeout",
                        "Build timeout exceeded: it did not end within " + Durations.format(build.timeout()));
    }

    private Plan going(Optional<Resource> build) {
        var phase = build.filter(each -> each.status().string("phase").equals("Running"))
                        .isPresent()
                ? "Running"
                : "Pending";
        var message = build.map(each -> each.status().string("message")).filter(text -> !text.isEmpty());
        return said("Building", told(phase, message.orElse("The build is on its way")), "The image is being built");
    }

    private Plan complete(NotebookBuild names, Resource build) {
        var digest = build.status().string("output", "to", "imageDigest");
        var image = BuildKinds.reference(job.object().namespace(), names.name(), "@" + digest);
        var told = told("Complete", build.status().string("message")).with("imageReference", Json.of(image));
        return said("BuildComplete", told, "Build completed, ready for validation");
    }

    Json.Obj told(String phase, String message) {
        var told = Json.Obj.builder()
                .put("phase", phase)
                .put("message", message)
                .put("strategy", new NotebookBuild(job).strategy());
        facts.build().ifPresent(build -> {
            told.put("buildName", build.name());
            var began = build.status().string("startTimestamp");
            var ended = build.status().string("completionTimestamp");
            told.putNonEmpty("startTime", began).putNonEmpty("completionTime", ended);
            if (!began.isEmpty() && !ended.isEmpty()) {
                told.put(
                        "duration",
                        Durations.format(Duration.ofNanos(build.status().integer("duration"))));
            }
        });
        facts.run().ifPresent(run -> PipelineBuilding.tell(run, told));
        return told.build();
    }

    Plan said(String phase, Json.Obj told, String message) {
        return Plan.none().setStatus(NotebookKinds.JOB, job.object(), status.building(phase, told, message));
    }

    Plan failed(String reason, String message) {
        var ended = status.ended(Ending.failed(reason, message), Json.Obj.EMPTY, Optional.empty());
        return Plan.none()
                .setStatus(NotebookKinds.JOB, job.object(), ended.with("buildStatus", told("Failed", message)))
                .then(Change.Event.warning(job.object(), "ValidationFailed", message));
    }
}
