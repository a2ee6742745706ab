package dev.towtank.controllers.builds;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside.Answer;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.builds.ImageStreams.TagName;
import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.controllers.builds.source.BuildResult;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// Lets a build run when its turn has come, and tells how it ended.
final class BuildReconciler implements Reconciler<Json.Obj, BuildFacts> {

    static final Set<String> ENDED = Set.of("Complete", "Failed", "Error", "Cancelled");

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, BuildFacts facts, Instant now) {
        var build = observed.object();
        var phase = build.status().string("phase");
        if (build.isDeleting() || ENDED.contains(phase)) {
            return Plan.none();
        }
        if (build.status().flag("cancelled")) {
            return ended(build, "Cancelled", "CancelledBuild", "The build was cancelled by the user.", now);
        }
        if (!phase.equals("Running") && facts.isOvertaken()) {
            return ended(
                    build,
                    "Cancelled",
                    "CancelledBuild",
                    "A newer build takes its place, as its BuildConfig's runPolicy is SerialLatestOnly.",
                    now);
        }
        return phase.equals("Running") ? running(build, facts, now) : waiting(build, facts, now);
    }

    private static Plan waiting(Resource build, BuildFacts facts, Instant now) {
        var status = build.status().with("phase", Json.of("New"));
        if (facts.before().isPresent()) {
            var why = "waits for " + facts.before().get() + ", as its BuildConfig's runPolicy is Serial";
            return Plan.none()
                    .setStatus(BuildKinds.BUILD, build, status.without("reason").with("message", Json.of(why)));
        }
        if (facts.problem().isPresent()) {
            var problem = facts.problem().get();
            return Plan.none()
                    .setStatus(
                            BuildKinds.BUILD,
                            build,
                            status.with("reason", Json.of(problem.reason()))
                                    .with("message", Json.of(problem.message())));
        }
        return Plan.none()
                .setStatus(
                        BuildKinds.BUILD,
                        build,
                        status.with("phase", Json.of("Running"))
                                .without("reason")
                                .without("message")
                                .with("startTimestamp", Json.of(Timestamps.seconds(now))))
                .then(Change.Event.normal(build, "BuildStarted", "Build " + described(build) + " is now running"));
    }

    private static String described(Resource build) {
        return build.namespace() + "/" + build.name();
    }

    private static Plan running(Resource build, BuildFacts facts, Instant now) {
        var deadline = deadline(build);
        return switch (facts.answer()) {
            case Answer.Known<BuildResult>(var result, var _) -> finished(build, facts, result, now);
            case Answer.Pending<BuildResult> _ -> late(build, deadline, now);
            case Answer.Failed<BuildResult> failed ->
                late(build, deadline, now)
                        .setStatus(
                                BuildKinds.BUILD,
                                build,
                                build.status().with("message", Json.of("is tried again: " + failed.problem())));
        };
    }

    private static Optional<Instant> deadline(Resource build) {
        long seconds = build.spec().integer("completionDeadlineSeconds");
        return seconds <= 0 ? Optional.empty() : started(build).map(at -> at.plusSeconds(seconds));
    }

    private static Optional<Instant> started(Resource build) {
        return Timestamps.parseSeconds(build.status().string("startTimestamp"));
    }

    private static Plan late(Resource build, Optional<Instant> deadline, Instant now) {
        if (deadline.isEmpty()) {
            return Plan.none();
        }
        return deadline.get().isAfter(now)
                ? Plan.lookAgainAt(deadline.get())
                : ended(
                        build,
                        "Failed",
                        "GenericBuildFailed",
                        "The build did not end within " + build.spec().integer("completionDeadlineSeconds")
                                + " seconds (completionDeadlineSeconds).",
                        now);
    }

    private static Plan finished(Resource build, BuildFacts facts, BuildResult result, Instant now) {
        var revision = result.commit().isEmpty() ? Plan.none() : revised(build, result.commit());
        if (!result.isSuccess()) {
            var status = build.status().with("logSnippet", Json.of(String.join("\n", result.log())));
            return ended(build, status, "Failed", result.reason(), result.message(), now)
                    .then(revision);
        }
        var status = build.status().with("message", Json.of(result.message()));
        var to = build.spec().object("output", "to");
        if (to.size() == 0) {
            return ended(build, status, "Complete", "", result.message(), now).then(revision);
        }
        var tag = TagName.of(to, build.namespace());
        var reference = BuildKinds.reference(tag.namespace(), tag.stream(), "@" + result.digest());
        var plan = facts.stream()
                .map(stream -> Plan.none()
                        .setStatus(
                                BuildKinds.STREAM,
                                stream,
                                ImageStreams.pushed(
                                        stream,
                                        stream.status(),
                                        tag.tag(),
                                        ImageStreams.item(reference, result.digest(), now))))
                .orElse(Plan.none());
        var told = status.with(
                        "outputDockerImageReference",
                        Json.of(BuildKinds.reference(tag.namespace(), tag.stream(), ":" + tag.tag())))
                .with("output", Json.Obj.of("to", Json.Obj.of("imageDigest", Json.of(result.digest()))));
        return plan.then(ended(build, told, "Complete", "", result.message(), now))
                .then(revision);
    }

    /// Which commit it was, in the spec, as OpenShift has it.
    private static Plan revised(Resource build, String commit) {
        if (build.spec().string("revision", "git", "commit").equals(commit)) {
            return Plan.none();
        }
        var revision = Json.Obj.of("type", Json.of("Git"), "git", Json.Obj.of("commit", Json.of(commit)));
        return Plan.none().patch(BuildKinds.BUILD, build, Json.Obj.of("spec", Json.Obj.of("revision", revision)));
    }

    private static Plan ended(Resource build, String phase, String reason, String message, Instant now) {
        return ended(build, build.status(), phase, reason, message, now);
    }

    private static Plan ended(
            Resource build, Json.Obj status, String phase, String reason, String message, Instant now) {
        var took = started(build).map(at -> Duration.between(at, now)).orElse(Duration.ZERO);
        var told = status.with("phase", Json.of(phase))
                .withOrWithout("reason", reason.isEmpty() ? null : Json.of(reason))
                .with("message", Json.of(message))
                .with("completionTimestamp", Json.of(Timestamps.seconds(now)))
                .with("duration", Json.of(took.toNanos()));
        var text = "Build " + described(build)
                + (phase.equals("Complete") ? " completed successfully" : " failed: " + message);
        return Plan.none()
                .setStatus(BuildKinds.BUILD, build, told)
                .then(
                        phase.equals("Complete")
                                ? Change.Event.normal(build, "BuildCompleted", text)
                                : Change.Event.warning(
                                        build, phase.equals("Cancelled") ? "BuildCancelled" : "BuildFailed", text));
    }
}
