package dev.towtank.controllers.notebooks;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.controllers.notebooks.ImageRunReconciler.ImageRunFacts;
import dev.towtank.controllers.notebooks.api.NotebookKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The last task of a [BuildPipeline]: a CustomRun that names a job, whose image it has built. What is built is what
/// the
/// job says, not the run, so nobody gets more by it than by a job.
final class ImageRunReconciler implements Reconciler<Json.Obj, ImageRunFacts> {

    static final String DOCKERFILE = "DOCKERFILE";
    static final String COMMIT = "COMMIT";

    /// @param job the one that it names
    /// @param build the one of its own name, whoever's it is
    record ImageRunFacts(Optional<Resource> job, Optional<Resource> build) {}

    static boolean isMeant(Resource run) {
        var ref = run.spec().object("customRef");
        return ref.string("apiVersion").equals(NotebookKinds.JOB.apiVersion())
                && ref.string("kind").equals(NotebookKinds.IMAGE);
    }

    /// How pods name what is built.
    static String reference(NotebookJob job, String version) {
        return BuildKinds.reference(job.object().namespace(), new NotebookBuild(job).name(), version);
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, ImageRunFacts facts, Instant now) {
        var run = observed.object();
        var state = PipelineBuilding.condition(run).string("status");
        if (!isMeant(run) || run.isDeleting() || state.equals("True") || state.equals("False")) {
            return Plan.none();
        }
        if (run.spec().string("status").equals("RunCancelled")) {
            return cancelled(run, facts, now);
        }
        if (facts.job().isEmpty() || !NotebookBuild.isWanted(facts.job().get().spec())) {
            return ended(
                    run,
                    "False",
                    "JobNotFound",
                    "there is no NotebookValidationJob %s that wants an image"
                            .formatted(run.spec().string("customRef", "name")),
                    now);
        }
        var job = new NotebookJob(facts.job().get());
        return facts.build().isEmpty()
                ? asked(run, job, now)
                : followed(run, job, facts.build().get(), now);
    }

    private static Plan asked(Resource run, NotebookJob job, Instant now) {
        return Plan.of(new Change.TryCreate(BuildKinds.BUILD, build(run, job), new Refused(run, now)))
                .then(said(run, "Unknown", "Running", "The build is asked for", now));
    }

    private record Refused(Resource run, Instant now) implements Change.Alternative {
        @Override
        public Plan after(StatusError refusal) {
            return ended(run, "False", "BuildRefused", String.valueOf(refusal.getMessage()), now);
        }
    }

    private static Resource build(Resource run, NotebookJob job) {
        var build = new NotebookBuild(job);
        var dockerfile = build.ownDockerfile().isEmpty() ? param(run, DOCKERFILE) : "";
        var commit = Json.Obj.of("commit", Json.of(param(run, COMMIT)));
        var spec = build.spec(dockerfile, build.byDockerfile())
                .with("revision", Json.Obj.of("type", Json.of("Git"), "git", commit));
        var object = build.object(BuildKinds.BUILD, run.name(), spec);
        return object.with(object.json()
                .with(
                        List.of("metadata", "ownerReferences"),
                        Json.Arr.of(run.asOwner(true).json())));
    }

    private static String param(Resource run, String name) {
        return run.spec().objects("params").stream()
                .filter(each -> each.string("name").equals(name))
                .map(each -> each.string("value"))
                .findFirst()
                .orElse("");
    }

    private static Plan followed(Resource run, NotebookJob job, Resource build, Instant now) {
        boolean isOwn = build.controller()
                .filter(owner -> owner.uid().equals(run.uid()))
                .isPresent();
        if (!isOwn) {
            return ended(
                    run,
                    "False",
                    "BuildNameTaken",
                    "there is a Build %s already, which is not of this run: delete it".formatted(build.name()),
                    now);
        }
        var message = build.status().string("message");
        return switch (build.status().string("phase")) {
            case "Complete" -> complete(run, job, build, now);
            case "Failed", "Error", "Cancelled" -> ended(run, "False", "BuildFailed", message, now);
            default -> said(run, "Unknown", "Running", message.isEmpty() ? "The build is on its way" : message, now);
        };
    }

    private static Plan complete(Resource run, NotebookJob job, Resource build, Instant now) {
        var image = reference(job, "@" + build.status().string("output", "to", "imageDigest"));
        var message = build.status().string("message");
        var results = Json.Arr.of(
                Json.Obj.ofStrings(Map.of("name", BuildPipeline.IMAGE_RESULT, "value", image)),
                Json.Obj.ofStrings(Map.of("name", BuildPipeline.MESSAGE_RESULT, "value", message)));
        var status = status(run, "True", "Succeeded", message, now)
                .with("completionTime", Json.of(Timestamps.seconds(now)))
                .with("results", results);
        return Plan.none().setStatus(NotebookKinds.CUSTOM_RUN, run, status);
    }

    private static Plan cancelled(Resource run, ImageRunFacts facts, Instant now) {
        var build = facts.build()
                .filter(each -> each.controller()
                        .filter(owner -> owner.uid().equals(run.uid()))
                        .isPresent());
        var stopped = build.map(each -> Plan.none()
                        .setStatus(BuildKinds.BUILD, each, each.status().with("cancelled", Json.of(true))))
                .orElse(Plan.none());
        return stopped.then(ended(run, "False", "CustomRunCancelled", "The build was cancelled", now));
    }

    private static Plan said(Resource run, String status, String reason, String message, Instant now) {
        return Plan.none().setStatus(NotebookKinds.CUSTOM_RUN, run, status(run, status, reason, message, now));
    }

    private static Plan ended(Resource run, String status, String reason, String message, Instant now) {
        return Plan.none()
                .setStatus(
                        NotebookKinds.CUSTOM_RUN,
                        run,
                        status(run, status, reason, message, now)
                                .with("completionTime", Json.of(Timestamps.seconds(now))));
    }

    private static Json.Obj status(Resource run, String status, String reason, String message, Instant now) {
        var before = PipelineBuilding.condition(run);
        var since =
                before.string("status").equals(status) ? before.string("lastTransitionTime") : Timestamps.seconds(now);
        var condition = Json.Obj.ofStrings(Map.of(
                "type", "Succeeded",
                "status", status,
                "reason", reason,
                "message", message,
                "lastTransitionTime", since));
        var begun = run.status().has("startTime")
                ? run.status()
                : run.status().with("startTime", Json.of(Timestamps.seconds(now)));
        return begun.with("conditions", Json.Arr.of(condition));
    }
}
