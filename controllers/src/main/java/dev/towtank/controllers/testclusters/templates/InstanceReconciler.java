package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.Secrets;
import java.time.Instant;
import java.util.Optional;

/// Brings an instance from its template to a cluster that its tenants can use, step by step; and takes all of it away.
public final class InstanceReconciler implements Reconciler<Json.Obj, InstanceFacts> {

    private static final String HERE = "https://kubernetes.default.svc";

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, InstanceFacts facts, Instant now) {
        var instance = new Instance(observed.object());
        if (instance.object().isDeleting()) {
            return instance.object().finalizers().contains(Instance.FINALIZER)
                    ? takenAway(instance, facts)
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
        return plan.build(soonest(ends, deadline(instance, progress)));
    }

    private static Optional<Instant> soonest(Optional<Instant> one, Optional<Instant> other) {
        return one.isPresent() && other.isPresent() && other.get().isBefore(one.get()) ? other : one.or(() -> other);
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

    /// By the quota of its own namespace, and of no other.
    private static Optional<Instant> ends(Instance instance, InstanceFacts facts) {
        return facts.quota()
                .flatMap(quota -> quota.spec().objects("allowedTemplates").stream()
                        .filter(each -> each.string("name").equals(instance.template()))
                        .flatMap(each -> Instance.duration(each.string("deleteAfter")).stream())
                        .findFirst())
                .flatMap(after -> born(instance).map(moment -> moment.plus(after)));
    }

    private static Optional<Instant> born(Instance instance) {
        return instance.object().creationTimestamp();
    }

    private static Optional<Instant> deadline(Instance instance, Progress progress) {
        return progress.has(Progress.INSTALLED)
                ? Optional.empty()
                : instance.timeout().flatMap(timeout -> born(instance).map(moment -> moment.plus(timeout)));
    }

    private static void advance(
            Instance instance, InstanceFacts facts, Progress progress, Plan.Builder plan, Instant now) {
        if (facts.template().isEmpty()) {
            progress.fails(
                    Progress.DEFINED,
                    "ClusterDefinitionFailed",
                    "Failed",
                    "failed to fetch ClusterTemplate - \"" + instance.template() + "\" not found",
                    "TemplateNotFound");
            return;
        }
        var late = deadline(instance, progress).filter(moment -> !now.isBefore(moment));
        if (late.isPresent()) {
            givenUp(instance, facts, progress, plan);
            return;
        }
        boolean installed = instance.hasOwnCluster()
                ? isDefined(instance, facts, progress, plan) && isInstalled(facts, progress)
                : isGiven(facts, progress);
        if (!installed) {
            return;
        }
        progress.registrationSkipped();
        var access = new Access(instance, facts);
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

    private static void givenUp(Instance instance, InstanceFacts facts, Progress progress, Plan.Builder plan) {
        var message = "deadline " + instance.timeout().map(Durations::format).orElse("") + " exceeded";
        progress.fails(
                Progress.INSTALLED,
                "ClusterStatusFailed",
                "ClusterInstallFailed",
                message,
                "ProvisionDeadlineExceeded");
        plan.add(undone(instance, facts));
    }

    /// The generator in the shared set, or a cluster at once.
    private static boolean isDefined(Instance instance, InstanceFacts facts, Progress progress, Plan.Builder plan) {
        if (facts.isLogical()) {
            if (facts.provided().isEmpty() && !progress.has(Progress.INSTALLED)) {
                plan.create(Namespaces.KIND, namespace());
                plan.create(ClusterKinds.DEPLOYMENT, deployment(instance));
            }
            progress.done(Progress.DEFINED, "ApplicationCreated", "The cluster is made without an Application");
            return true;
        }
        if (facts.set().isEmpty()) {
            progress.fails(
                    Progress.DEFINED,
                    "ClusterDefinitionFailed",
                    "ClusterDefinitionFailed",
                    "failed to create cluster definition - ApplicationSet \""
                            + facts.template().orElseThrow().spec().string("clusterDefinition")
                            + "\" not found in namespace " + facts.argoNamespace(),
                    "ClusterDefinitionFailed");
            return false;
        }
        plan.add(new SharedSet(facts.set().get()).with(instance, "", HERE));
        progress.done(Progress.DEFINED, "ApplicationCreated", "Application created");
        return true;
    }

    private static Resource namespace() {
        return Objects.of(
                Namespaces.KIND, LogicalCluster.DEFAULT, Objects.named("", Instance.CLUSTERS), "spec", Json.Obj.EMPTY);
    }

    private static Resource deployment(Instance instance) {
        var metadata = Objects.named(Instance.CLUSTERS, instance.application(""))
                .with("labels", instance.labels(""))
                .with("annotations", faults(instance));
        var spec = Json.Obj.of("clusterName", Json.of(instance.object().name()), "baseDomain", Json.of("test.local"));
        return Objects.of(ClusterKinds.DEPLOYMENT, LogicalCluster.DEFAULT, metadata, "spec", spec);
    }

    /// Whoever tries their own patience says so at the instance.
    private static Json.Obj faults(Instance instance) {
        var fault = instance.object().annotations().getOrDefault("towtank.dev/fault", "");
        return fault.isEmpty() ? Json.Obj.EMPTY : Json.Obj.of("towtank.dev/fault", Json.of(fault));
    }

    private static boolean isInstalled(InstanceFacts facts, Progress progress) {
        if (!facts.isLogical()) {
            if (facts.application().isEmpty()) {
                progress.waits(
                        Progress.INSTALLED, "ClusterInstalling", "ClusterInstalling", "Waiting for the Application");
                return false;
            }
            if (!isSynced(facts.application().get(), facts.provided().isPresent(), progress)) {
                return false;
            }
        }
        if (facts.provided().isEmpty()) {
            progress.waits(Progress.INSTALLED, "ClusterInstalling", "ClusterInstalling", "Cluster is installing");
            return false;
        }
        var provided = facts.provided().get();
        if (provided.problem().isPresent()) {
            progress.fails(
                    Progress.INSTALLED,
                    "ClusterStatusFailed",
                    "ClusterInstallFailed",
                    "Failed to detect cluster status - " + provided.problem().get(),
                    "ProvisionFailed");
            return false;
        }
        if (!provided.isReady()) {
            progress.waits(Progress.INSTALLED, "ClusterInstalling", "ClusterInstalling", provided.state());
            return false;
        }
        progress.done(Progress.INSTALLED, "ClusterInstalled", provided.state());
        return true;
    }

    private static boolean isSynced(Resource application, boolean isProvided, Progress progress) {
        var message = ApplicationState.message(application);
        switch (ApplicationState.of(application)) {
            case ERROR ->
                progress.fails(
                        Progress.INSTALLED, "ApplicationError", "ClusterInstallFailed", message, "ApplicationError");
            case DEGRADED ->
                progress.fails(
                        Progress.INSTALLED,
                        "ApplicationDegraded",
                        "ClusterInstallFailed",
                        message,
                        "ApplicationDegraded");
            case RUNNING -> progress.waits(Progress.INSTALLED, "ClusterInstalling", "ClusterInstalling", message);
            case HEALTHY -> {
                if (isProvided) {
                    return true;
                }
                progress.fails(
                        Progress.INSTALLED,
                        "ClusterProviderDetectionFailed",
                        "ClusterInstallFailed",
                        "Unknown cluster provider - only Hive and Hypershift clusters are recognized",
                        "ClusterProviderDetectionFailed");
            }
        }
        return false;
    }

    private static boolean isGiven(InstanceFacts facts, Progress progress) {
        progress.done(Progress.DEFINED, "ApplicationCreated", "Cluster defined via secret");
        if (facts.given().isEmpty()) {
            progress.fails(
                    Progress.INSTALLED,
                    "ClusterStatusFailed",
                    "ClusterInstallFailed",
                    "the Secret with the kubeconfig is gone",
                    "KubeconfigMissing");
            return false;
        }
        progress.done(Progress.INSTALLED, "ClusterInstalled", "Cluster defined via secret");
        return true;
    }

    /// What was asked for is asked for no longer.
    private static Plan undone(Instance instance, InstanceFacts facts) {
        var plan = new Plan.Builder();
        facts.set().ifPresent(set -> plan.add(new SharedSet(set).without(instance.application(""))));
        facts.sets().forEach((name, set) -> plan.add(new SharedSet(set).without(instance.application(name))));
        facts.argo().ifPresent(secret -> plan.delete(Secrets.KIND, secret));
        if (facts.isLogical() || facts.application().isEmpty()) {
            facts.provided()
                    .filter(each -> each.object().namespace().equals(Instance.CLUSTERS))
                    .ifPresent(each -> plan.delete(ClusterKinds.DEPLOYMENT, each.object()));
        }
        return plan.build();
    }

    /// The instance goes last: when it is gone, all is gone.
    private static Plan takenAway(Instance instance, InstanceFacts facts) {
        var plan = undone(instance, facts);
        boolean isGone = facts.application().isEmpty()
                && facts.provided().isEmpty()
                && facts.applications().isEmpty()
                && plan.isNone();
        return isGone
                ? Plan.none()
                        .patch(
                                ClusterKinds.INSTANCE,
                                instance.object(),
                                Objects.withoutFinalizer(instance.object(), Instance.FINALIZER))
                : plan;
    }
}
