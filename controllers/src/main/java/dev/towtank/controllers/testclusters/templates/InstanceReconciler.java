package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.kinds.core.Secrets;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// Brings an instance from its template to a cluster that its tenants can use, step by step; and takes all of it away.
public final class InstanceReconciler implements Reconciler<Json.Obj, InstanceFacts> {

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, InstanceFacts facts, Instant now) {
        var instance = new Instance(observed.object());
        if (instance.object().isDeleting()) {
            return instance.object().finalizers().contains(Instance.FINALIZER)
                    ? takenAway(instance, facts, now)
                    : Plan.none();
        }
        var ends = ends(instance, facts);
        if (ends.filter(moment -> !now.isBefore(moment)).isPresent()) {
            return Plan.none().delete(ClusterKinds.INSTANCE, instance.object());
        }
        var plan = new Plan.Builder();
        var progress = new Progress(instance.object().status(), now);
        advance(instance, facts, progress, plan, now);
        plan.setStatus(ClusterKinds.INSTANCE, instance.object(), progress.json());
        event(instance, progress).ifPresent(plan::add);
        return plan.build(Stream.of(ends, deadline(instance, facts, progress), Installation.loginEnds(progress, facts))
                .flatMap(Optional::stream)
                .filter(now::isBefore)
                .min(Comparator.naturalOrder()));
    }

    private static Optional<Change.Event> event(Instance instance, Progress progress) {
        var before = instance.object().status().string("phase");
        var now = progress.json().string("phase");
        if (now.equals(before)) {
            return Optional.empty();
        }
        var message = progress.json().string("message");
        return Optional.of(
                now.endsWith("Failed") || before.equals("Ready")
                        ? Change.Event.warning(instance.object(), now, message)
                        : Change.Event.normal(instance.object(), now, message));
    }

    /// By the quota of its own namespace, and of no other, unless somebody wants it as it is elsewhere.
    private static Optional<Instant> ends(Instance instance, InstanceFacts facts) {
        return facts.quotas().stream()
                .flatMap(quota -> quota.spec().objects("allowedTemplates").stream())
                .filter(each -> each.string("name").equals(instance.template()))
                .flatMap(each -> Instance.duration(each.string("deleteAfter")).stream())
                .reduce((_, last) -> last)
                .flatMap(after -> born(instance).map(moment -> moment.plus(after)));
    }

    private static Optional<Instant> born(Instance instance) {
        return instance.object().creationTimestamp();
    }

    private static Optional<Instant> deadline(Instance instance, InstanceFacts facts, Progress progress) {
        return progress.has(Progress.INSTALLED)
                ? Optional.empty()
                : born(instance).map(moment -> moment.plus(instance.timeout(facts.template())));
    }

    private static void advance(
            Instance instance, InstanceFacts facts, Progress progress, Plan.Builder plan, Instant now) {
        if (facts.template().isEmpty() && !progress.has(Progress.DEFINED)) {
            progress.fails(
                    Progress.DEFINED,
                    "ClusterDefinitionFailed",
                    "Failed",
                    "failed to fetch ClusterTemplate - \"" + instance.template() + "\" not found",
                    "TemplateNotFound");
            return;
        }
        var access = new Access(instance, facts);
        var late = deadline(instance, facts, progress).filter(moment -> !now.isBefore(moment));
        if (late.isPresent()) {
            plan.add(access.log(progress.isGivenUp() ? progress : givenUp(instance, facts, progress)));
            if (facts.jobs().isKnown()) {
                plan.add(undone(instance, facts));
            }
            return;
        }
        if (!new Installation(instance, facts, progress, plan, now).isDone()) {
            plan.add(access.log(progress));
            return;
        }
        progress.registrationSkipped();
        plan.add(access.copies());
        var day2 = new Day2(instance, facts, access.server());
        plan.add(day2.added(progress));
        plan.add(day2.created(progress));
        if (!day2.isFinished(progress) || !access.isComplete()) {
            return;
        }
        plan.add(access.letIn());
        access.tell(progress);
        progress.ready();
    }

    /// For good: what failed with a better reason keeps it.
    private static Progress givenUp(Instance instance, InstanceFacts facts, Progress progress) {
        var deadline = "deadline " + Durations.format(instance.timeout(facts.template())) + " exceeded";
        var before = progress.failure();
        return progress.fails(
                Progress.INSTALLED,
                "ClusterStatusFailed",
                "ClusterInstallFailed",
                before.isEmpty() ? deadline : deadline + "; last: " + before,
                Progress.DEADLINE);
    }

    /// What was asked for is asked for no longer.
    private static Plan undone(Instance instance, InstanceFacts facts) {
        var plan = new Plan.Builder();
        facts.sets().values().forEach(set -> plan.delete(GitOpsKinds.APPLICATION_SET, set));
        facts.argo().ifPresent(secret -> plan.delete(Secrets.KIND, secret));
        facts.provided().stream()
                .filter(each -> each.object().namespace().equals(Instance.CLUSTERS)
                        && each.object().name().equals(instance.application("")))
                .forEach(each -> plan.delete(ClusterKinds.DEPLOYMENT, each.object()));
        return plan.build();
    }

    /// The instance goes last: when it is gone, all is gone.
    private static Plan takenAway(Instance instance, InstanceFacts facts, Instant now) {
        boolean isGone = facts.sets().isEmpty()
                && facts.applications().isEmpty()
                && facts.provided().isEmpty()
                && facts.argo().isEmpty();
        if (isGone) {
            return Plan.none()
                    .patch(
                            ClusterKinds.INSTANCE,
                            instance.object(),
                            Objects.withoutFinalizer(instance.object(), Instance.FINALIZER));
        }
        var plan = new Plan.Builder().add(undone(instance, facts));
        var leftover = facts.provided().stream()
                .flatMap(each -> each.leftover().stream())
                .findFirst();
        leftover.ifPresent(why -> {
            var progress = new Progress(instance.object().status(), now);
            progress.stuck("Still there: " + facts.redaction().apply(why));
            plan.setStatus(ClusterKinds.INSTANCE, instance.object(), progress.json());
            event(instance, progress).ifPresent(plan::add);
        });
        return plan.build();
    }
}
