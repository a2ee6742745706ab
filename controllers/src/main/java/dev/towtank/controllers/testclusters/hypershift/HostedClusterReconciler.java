package dev.towtank.controllers.testclusters.hypershift;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Conditions;
import dev.towtank.controllers.testclusters.api.Faults;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.controllers.testclusters.api.Releases;
import dev.towtank.controllers.testclusters.logical.Delivery;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.net.URI;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Makes a logical cluster of a HostedCluster, and takes it away.
public final class HostedClusterReconciler implements Reconciler<Json.Obj, HostedClusterReconciler.Facts> {

    static final String FINALIZER = "hypershift.openshift.io/finalizer";

    private static final String AS_EXPECTED = "AsExpected";

    /// @param pools of nodes of this cluster, which go with it
    public record Facts(Delivery.Facts delivery, List<Resource> pools) {
        public Facts {
            pools = List.copyOf(pools);
        }
    }

    static Delivery delivery(Resource cluster) {
        return new Delivery(cluster, cluster.name() + "-admin-kubeconfig", cluster.name() + "-kubeadmin-password");
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Facts facts, Instant now) {
        var cluster = observed.object();
        if (cluster.isDeleting()) {
            return cluster.finalizers().contains(FINALIZER) ? destroyed(cluster, facts, now) : Plan.none();
        }
        var pause = pausedUntil(cluster, now);
        if (pause.isPresent()) {
            return paused(cluster, pause.get(), now);
        }
        var begun = cluster.finalizers().contains(FINALIZER)
                ? Plan.none()
                : Plan.none().patch(ClusterKinds.HOSTED, cluster, Objects.withFinalizer(cluster, FINALIZER));
        return switch (Faults.of(cluster)) {
            case HANG -> begun.setStatus(ClusterKinds.HOSTED, cluster, installing(cluster, now));
            case FAIL ->
                begun.setStatus(
                        ClusterKinds.HOSTED, cluster, failed(cluster, "FaultInjected", Faults.message(cluster), now));
            case NONE, HANG_ON_RESUME, FAIL_ON_DELETE -> begun.then(made(cluster, facts, now));
        };
    }

    /// `true`, or a moment; what is neither pauses nothing, as upstream.
    private static Optional<Instant> pausedUntil(Resource cluster, Instant now) {
        var text = cluster.spec().string("pausedUntil");
        if (text.equals("true")) {
            return Optional.of(Instant.MAX);
        }
        try {
            return text.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Instant.parse(text)).filter(now::isBefore);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static Plan paused(Resource cluster, Instant until, Instant now) {
        var conditions = Conditions.of(cluster.status(), now)
                .set(
                        "ReconciliationActive",
                        false,
                        "ReconciliationPaused",
                        until.equals(Instant.MAX)
                                ? "Reconciliation paused until field removed"
                                : "Reconciliation paused until: " + until);
        return Plan.none()
                .setStatus(ClusterKinds.HOSTED, cluster, cluster.status().with("conditions", conditions.json()))
                .then(until.equals(Instant.MAX) ? Plan.none() : Plan.lookAgainAt(until));
    }

    private static Plan made(Resource cluster, Facts facts, Instant now) {
        var delivery = delivery(cluster);
        if (facts.delivery.cluster().isEmpty() && Conditions.isTrue(cluster.status(), "Available")) {
            return Plan.none().setStatus(ClusterKinds.HOSTED, cluster, lost(cluster, now));
        }
        if (!facts.delivery.isServed()) {
            return Plan.none()
                    .setStatus(
                            ClusterKinds.HOSTED,
                            cluster,
                            failed(cluster, Delivery.NOT_SERVED_REASON, Delivery.NOT_SERVED, now));
        }
        if (Conditions.isTrue(cluster.status(), "Degraded")) {
            return Plan.none(); // its objects are gone: another cluster under its name would be a lie
        }
        return delivery.plan(facts.delivery, now)
                .then(status(cluster, available(cluster, delivery, facts.delivery.address(), now)));
    }

    /// Behind the changes before it, so that what is available is there.
    private static Plan status(Resource cluster, Json.Obj status) {
        return status.equals(cluster.status())
                ? Plan.none()
                : Plan.of(new Change.SetStatus(ClusterKinds.HOSTED, cluster, status));
    }

    private static Conditions common(Resource cluster, Instant now) {
        return Conditions.of(cluster.status(), now)
                .set("ValidConfiguration", true, AS_EXPECTED, "Configuration passes validation")
                .set("ValidReleaseImage", true, AS_EXPECTED, "Release image is valid")
                .set("PlatformCredentialsFound", true, AS_EXPECTED, "Required platform credentials are found")
                .set("ReconciliationActive", true, AS_EXPECTED, "Reconciliation active on resource");
    }

    private static Json.Obj installing(Resource cluster, Instant now) {
        var waiting = "Waiting for Kube APIServer deployment to become available";
        var conditions = common(cluster, now)
                .set("Available", false, "WaitingForAvailable", waiting)
                .set("Progressing", true, "Progressing", waiting)
                .set("KubeAPIServerAvailable", false, "WaitingForAvailable", waiting);
        return cluster.status().with("conditions", conditions.json());
    }

    private static Json.Obj failed(Resource cluster, String reason, String why, Instant now) {
        var conditions = common(cluster, now)
                .set("Available", false, reason, why)
                .set("Progressing", false, "Blocked", why)
                .set("Degraded", true, reason, why);
        return cluster.status().with("conditions", conditions.json());
    }

    private static Json.Obj lost(Resource cluster, Instant now) {
        var why = "The logical cluster was deleted by somebody else";
        var conditions = Conditions.of(cluster.status(), now)
                .set("Available", false, "ClusterLost", why)
                .set("KubeAPIServerAvailable", false, "ClusterLost", why)
                .set("Degraded", true, "ClusterLost", why);
        return cluster.status().with("conditions", conditions.json());
    }

    private static Json.Obj available(Resource cluster, Delivery delivery, String address, Instant now) {
        var conditions = common(cluster, now)
                .set("InfrastructureReady", true, AS_EXPECTED, "All is well")
                .set("EtcdAvailable", true, "QuorumAvailable", "The store of this server is available")
                .set("KubeAPIServerAvailable", true, AS_EXPECTED, "Kube APIServer deployment is available")
                .set("Available", true, AS_EXPECTED, "The hosted control plane is available")
                .set("Progressing", false, AS_EXPECTED, "HostedCluster is at expected version")
                .set("Degraded", false, AS_EXPECTED, "The hosted cluster is not degraded");
        var server = URI.create(address);
        var status = cluster.status()
                .with("kubeconfig", Objects.reference(delivery.kubeconfig()))
                .with("version", version(cluster, now))
                .with(
                        "controlPlaneEndpoint",
                        Json.Obj.of("host", Json.of(server.getHost()), "port", Json.of(server.getPort())))
                .with("conditions", conditions.json());
        return hasIdentityProviders(cluster)
                ? status
                : status.with("kubeadminPassword", Objects.reference(delivery.password()));
    }

    private static boolean hasIdentityProviders(Resource cluster) {
        return cluster.spec()
                        .array("configuration", "oauth", "identityProviders")
                        .size()
                > 0;
    }

    private static Json.Obj version(Resource cluster, Instant now) {
        var image = cluster.spec().string("release", "image");
        var before = cluster.status().object("version");
        if (before.string("desired", "image").equals(image)) {
            return before;
        }
        var entry = Json.Obj.builder()
                .put("state", "Completed")
                .put("version", Releases.version(image))
                .put("image", image)
                .put("startedTime", Timestamps.seconds(now))
                .put("completionTime", Timestamps.seconds(now))
                .put("verified", Json.of(false))
                .build();
        var history = new ArrayList<Json>();
        history.add(entry);
        before.array("history").forEach(history::add);
        return Json.Obj.of(
                "desired",
                Json.Obj.of("image", Json.of(image), "version", Json.of(Releases.version(image))),
                "history",
                new Json.Arr(history.subList(0, Math.min(history.size(), 10))),
                "observedGeneration",
                Json.of(cluster.metadata().integer("generation")));
    }

    /// First the nodes, then the cluster, and last the object.
    private static Plan destroyed(Resource cluster, Facts facts, Instant now) {
        var plan = new Plan.Builder();
        facts.pools.forEach(pool -> plan.delete(ClusterKinds.NODE_POOL, pool));
        if (Faults.of(cluster) == Faults.FAIL_ON_DELETE) {
            var conditions = Conditions.of(cluster.status(), now)
                    .set("CloudResourcesDestroyed", false, "RemoveFailed", Faults.message(cluster));
            plan.setStatus(ClusterKinds.HOSTED, cluster, cluster.status().with("conditions", conditions.json()));
            return plan.build();
        }
        var made = facts.delivery.cluster();
        if (made.isPresent()) {
            plan.delete(ClusterKinds.LOGICAL, made.get());
        } else if (facts.pools.isEmpty()) {
            plan.patch(ClusterKinds.HOSTED, cluster, Objects.withoutFinalizer(cluster, FINALIZER));
        }
        return plan.build();
    }
}
