package dev.towtank.controllers.testclusters.hive;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Conditions;
import dev.towtank.controllers.testclusters.api.Faults;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.controllers.testclusters.api.Provisions;
import dev.towtank.controllers.testclusters.api.Releases;
import dev.towtank.controllers.testclusters.logical.Delivery;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import dev.towtank.model.kinds.core.Namespaces;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Makes a logical cluster of a ClusterDeployment, lets it sleep and wake, and takes it away.
public final class DeploymentReconciler implements Reconciler<Json.Obj, DeploymentReconciler.Facts> {

    private static final Duration RETRY = Duration.ofSeconds(10);

    static final String POOL_NAMESPACE = "hive.openshift.io/cluster-pool-namespace";

    /// @param namespace of the deployment, which goes with it where a pool made it
    /// @param provisions what was tried so far
    public record Facts(
            Delivery.Facts delivery,
            Optional<Resource> imageSet,
            Optional<Resource> namespace,
            List<Resource> provisions) {
        public Facts {
            provisions = List.copyOf(provisions);
        }
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Facts facts, Instant now) {
        var deployment = new Deployment(observed.object());
        var object = deployment.object();
        if (deployment.isOfProgram()) {
            return Plan.none();
        }
        if (object.isDeleting()) {
            return object.finalizers().contains(Deployment.FINALIZER)
                    ? deprovisioned(deployment, facts, now)
                    : Plan.none();
        }
        if (isAdopted(deployment)) {
            return said(deployment, running(deployment, facts, now));
        }
        var begun = object.finalizers().contains(Deployment.FINALIZER)
                ? Plan.none()
                : Plan.none()
                        .patch(ClusterKinds.DEPLOYMENT, object, Objects.withFinalizer(object, Deployment.FINALIZER));
        return begun.then(deployment.isInstalled() ? kept(deployment, facts, now) : installed(deployment, facts, now));
    }

    /// One that somebody made elsewhere, of which we have the keys: nothing is to be made or taken away.
    private static boolean isAdopted(Deployment deployment) {
        var spec = deployment.object().spec();
        return spec.flag("installed")
                && !spec.string("clusterMetadata", "adminKubeconfigSecretRef", "name")
                        .isEmpty()
                && !deployment.object().finalizers().contains(Deployment.FINALIZER);
    }

    private static Plan installed(Deployment deployment, Facts facts, Instant now) {
        var object = deployment.object();
        var imageSet = object.spec().string("provisioning", "imageSetRef", "name");
        if (!imageSet.isEmpty() && facts.imageSet.isEmpty()) {
            return said(
                    deployment,
                    status(deployment)
                            .with(
                                    "conditions",
                                    waiting(deployment, now)
                                            .set(
                                                    "RequirementsMet",
                                                    false,
                                                    "ClusterImageSetNotFound",
                                                    "ClusterImageSet " + imageSet + " is not available")
                                            .json()));
        }
        if (!facts.delivery.isServed()) {
            return said(deployment, status(deployment).with("conditions", notServed(deployment, now)));
        }
        return switch (deployment.fault()) {
            case HANG ->
                said(
                        deployment,
                        status(deployment)
                                .with("conditions", waiting(deployment, now).json()));
            case FAIL -> failed(deployment, new Provisions(object, facts.provisions), now);
            case NONE, HANG_ON_RESUME, FAIL_ON_DELETE -> delivered(deployment, facts, now);
        };
    }

    private static Conditions waiting(Deployment deployment, Instant now) {
        return Conditions.of(deployment.object().status(), now)
                .set("RequirementsMet", true, "AllRequirementsMet", "All pre-provision requirements met")
                .set("Provisioned", false, "Provisioning", "Cluster is provisioning");
    }

    /// Trying again would not help.
    private static Json notServed(Deployment deployment, Instant now) {
        return stopped(
                        waiting(deployment, now)
                                .set("ProvisionFailed", true, Delivery.NOT_SERVED_REASON, Delivery.NOT_SERVED),
                        Delivery.NOT_SERVED_REASON,
                        Delivery.NOT_SERVED)
                .json();
    }

    private static Conditions stopped(Conditions conditions, String reason, String why) {
        return conditions
                .set(
                        "Provisioned",
                        false,
                        "ProvisionStopped",
                        "Provisioning failed terminally (see the ProvisionStopped condition for details)")
                .set("ProvisionStopped", true, reason, why);
    }

    /// Tried again after twice as long each time, as often as is allowed.
    private static Plan failed(Deployment deployment, Provisions provisions, Instant now) {
        var why = Faults.message(deployment.object());
        boolean isDue = provisions.next().filter(now::isBefore).isEmpty();
        if (!provisions.isExhausted() && isDue) {
            var log = deployment.object().annotations().getOrDefault(Faults.LOG, "");
            return provisions.failed("level=error msg=" + why + "\n" + log);
        }
        var conditions = waiting(deployment, now).set("ProvisionFailed", true, "FaultInjected", why);
        if (provisions.isExhausted()) {
            stopped(conditions, "InstallAttemptsLimitReached", why);
        }
        var plan =
                said(deployment, provisions.told(deployment.object().status()).with("conditions", conditions.json()));
        return provisions.isExhausted()
                ? plan
                : plan.then(provisions.next().map(Plan::lookAgainAt).orElse(Plan.none()));
    }

    private static Plan delivered(Deployment deployment, Facts facts, Instant now) {
        var object = deployment.object();
        var delivery = Delivery.of(object);
        var metadata = Json.Obj.builder()
                .put("clusterID", object.uid())
                .put("infraID", delivery.id().id())
                .put("adminKubeconfigSecretRef", Objects.reference(delivery.kubeconfig()))
                .put("adminPasswordSecretRef", Objects.reference(delivery.password()))
                .build();
        var spec = Json.Obj.of("installed", Json.of(true), "clusterMetadata", metadata);
        var status = running(deployment, facts, now)
                .with("installStartedTimestamp", Json.of(Timestamps.seconds(now)))
                .with("installedTimestamp", Json.of(Timestamps.seconds(now)));
        var provisions = new Provisions(object, facts.provisions);
        var plan = delivery.plan(facts.delivery, now)
                .then(provisions.completed())
                .patch(ClusterKinds.DEPLOYMENT, object, Json.Obj.of("spec", spec));
        return plan.then(new Change.SetStatus(ClusterKinds.DEPLOYMENT, object, status));
    }

    /// Its keys are renewed, its power is as it should be, and what it says is true.
    private static Plan kept(Deployment deployment, Facts facts, Instant now) {
        var object = deployment.object();
        if (facts.delivery.cluster().isEmpty()) {
            return lost(deployment, now);
        }
        var cluster = facts.delivery.cluster().get();
        var keys = Delivery.of(object).plan(facts.delivery, now);
        var sleepsAt = sleepsAt(deployment);
        if (sleepsAt.filter(moment -> !now.isBefore(moment)).isPresent()) {
            return keys.patch(
                    ClusterKinds.DEPLOYMENT,
                    object,
                    Json.Obj.of("spec", Json.Obj.of("powerState", Json.of(Deployment.HIBERNATING))));
        }
        var wanted = deployment.wantsToRun() && deployment.fault() != Faults.HANG_ON_RESUME
                ? Deployment.RUNNING
                : deployment.wantsToRun() ? cluster.spec().string("powerState") : Deployment.HIBERNATING;
        var power = power(cluster);
        var plan = power(cluster, wanted, keys);
        var status = switch (power) {
            case Deployment.HIBERNATING ->
                deployment.wantsToRun()
                        ? between(deployment, facts, "WaitingForMachines", now)
                        : asleep(deployment, facts, now);
            default ->
                deployment.wantsToRun() ? running(deployment, facts, now) : between(deployment, facts, "Stopping", now);
        };
        return said(deployment, status, plan)
                .then(sleepsAt.map(Plan::lookAgainAt).orElse(Plan.none()));
    }

    private static Plan power(Resource cluster, String wanted, Plan plan) {
        var now = cluster.spec().string("powerState");
        return (now.isEmpty() ? Deployment.RUNNING : now).equals(wanted.isEmpty() ? Deployment.RUNNING : wanted)
                ? plan
                : plan.patch(
                        ClusterKinds.LOGICAL, cluster, Json.Obj.of("spec", Json.Obj.of("powerState", Json.of(wanted))));
    }

    private static String power(Resource cluster) {
        var state = cluster.status().string("powerState");
        return state.isEmpty() ? Deployment.RUNNING : state;
    }

    private static Optional<Instant> sleepsAt(Deployment deployment) {
        var spec = deployment.object().spec();
        boolean waitsInPool = spec.has("clusterPoolRef") && !deployment.isClaimed();
        if (waitsInPool || !deployment.isRunning()) {
            return Optional.empty();
        }
        var conditions = Conditions.of(deployment.object().status(), Instant.EPOCH);
        var claimed = spec.string("clusterPoolRef", "claimedTimestamp");
        var since = conditions.since("Ready");
        var from = !claimed.isEmpty() && Timestamps.parse(claimed).isAfter(since) ? Timestamps.parse(claimed) : since;
        return Deployment.duration(spec, "hibernateAfter").map(from::plus);
    }

    private static Plan lost(Deployment deployment, Instant now) {
        var conditions = Conditions.of(deployment.object().status(), now)
                .set("Ready", false, "ClusterLost", "The logical cluster is gone")
                .set("Unreachable", true, "ClusterLost", "The logical cluster was deleted by somebody else");
        return said(
                deployment,
                status(deployment).with("powerState", Json.of("Unknown")).with("conditions", conditions.json()));
    }

    private static Json.Obj status(Deployment deployment) {
        var status = deployment.object().status();
        return status.has("installRestarts") ? status : status.with("installRestarts", Json.of(0));
    }

    private static Json.Obj running(Deployment deployment, Facts facts, Instant now) {
        var conditions = settled(deployment, now)
                .set("Hibernating", false, "ResumingOrRunning", "Cluster is resuming or running, see Ready condition")
                .set("Ready", true, Deployment.RUNNING, "Cluster is running")
                .set("Unreachable", false, "ClusterReachable", "cluster is reachable");
        return described(deployment, facts)
                .with("powerState", Json.of(Deployment.RUNNING))
                .with("conditions", conditions.json());
    }

    private static Json.Obj asleep(Deployment deployment, Facts facts, Instant now) {
        var conditions = settled(deployment, now)
                .set("Hibernating", true, Deployment.HIBERNATING, "Cluster is stopped")
                .set("Ready", false, "StoppingOrHibernating", "Cluster is stopping or hibernating")
                .set("Unreachable", true, "ClusterHibernating", "cluster is hibernating");
        return described(deployment, facts)
                .with("powerState", Json.of(Deployment.HIBERNATING))
                .with("conditions", conditions.json());
    }

    private static Json.Obj between(Deployment deployment, Facts facts, String state, Instant now) {
        var conditions = settled(deployment, now)
                .set("Hibernating", false, state, "Cluster is changing its power state")
                .set("Ready", false, state, "Cluster is changing its power state");
        return described(deployment, facts).with("powerState", Json.of(state)).with("conditions", conditions.json());
    }

    private static Conditions settled(Deployment deployment, Instant now) {
        return Conditions.of(deployment.object().status(), now)
                .set("RequirementsMet", true, "AllRequirementsMet", "All pre-provision requirements met")
                .set("ProvisionFailed", false, "ProvisionSucceeded", "Provision succeeded")
                .set("ProvisionStopped", false, "ProvisionSucceeded", "Provision succeeded")
                .set("Provisioned", true, "Provisioned", "Cluster is provisioned");
    }

    private static Json.Obj described(Deployment deployment, Facts facts) {
        var url = isAdopted(deployment) ? "" : Delivery.of(deployment.object()).url(facts.delivery.address());
        var version = facts.imageSet
                .map(set -> Releases.version(set.spec().string("releaseImage")))
                .orElse("");
        return with(with(status(deployment), "apiURL", url), "installVersion", version);
    }

    private static Json.Obj with(Json.Obj status, String field, String value) {
        return value.isEmpty() ? status : status.with(field, Json.of(value));
    }

    private static Plan said(Deployment deployment, Json.Obj status) {
        return said(deployment, status, Plan.none());
    }

    private static Plan said(Deployment deployment, Json.Obj status, Plan before) {
        return before.setStatus(ClusterKinds.DEPLOYMENT, deployment.object(), status);
    }

    /// The cluster first; when it is gone, the namespace that a pool made for it, and last the finalizer.
    private static Plan deprovisioned(Deployment deployment, Facts facts, Instant now) {
        var object = deployment.object();
        var cluster = facts.delivery.cluster();
        if (deployment.fault() == Faults.FAIL_ON_DELETE) {
            var conditions = Conditions.of(object.status(), now)
                    .set("Provisioned", false, "DeprovisionFailed", Faults.message(object));
            return said(deployment, object.status().with("conditions", conditions.json()))
                    .then(Plan.lookAgainAt(now.plus(RETRY)));
        }
        if (cluster.isPresent() && !object.spec().flag("preserveOnDelete")) {
            var conditions = Conditions.of(object.status(), now)
                    .set("Provisioned", false, "Deprovisioning", "Cluster is being deprovisioned");
            return said(deployment, object.status().with("conditions", conditions.json()))
                    .delete(ClusterKinds.LOGICAL, cluster.get());
        }
        var plan = facts.namespace
                .filter(namespace -> namespace.labels().containsKey(POOL_NAMESPACE))
                .map(namespace -> Plan.none().delete(Namespaces.KIND, namespace))
                .orElse(Plan.none());
        return plan.patch(ClusterKinds.DEPLOYMENT, object, Objects.withoutFinalizer(object, Deployment.FINALIZER));
    }
}
