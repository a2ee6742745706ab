package dev.towtank.controllers.testclusters.spaces;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Conditions;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.controllers.testclusters.api.SpaceKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.Secrets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// Fulfils a TestPlatformCluster by a ClusterDeployment: no ProwJob is needed, and what one would do is told at once.
public final class ClaimedClusterReconciler implements Reconciler<Json.Obj, ClaimedClusterReconciler.Facts> {

    /// @param kubeconfig of the administrator, as the deployment has it; likewise the password
    /// @param secret what the tenant has of them
    public record Facts(
            Optional<Resource> deployment,
            Optional<Resource> kubeconfig,
            Optional<Resource> password,
            Optional<Resource> secret) {

        private boolean isReady() {
            return kubeconfig.isPresent()
                    && password.isPresent()
                    && deployment
                            .filter(each -> Conditions.isTrue(each.status(), "Ready"))
                            .isPresent();
        }

        private Optional<String> failure() {
            return deployment.stream()
                    .flatMap(each -> each.status().objects("conditions").stream())
                    .filter(each -> each.string("type").equals("ProvisionStopped")
                            && each.string("status").equals("True"))
                    .map(each -> each.string("message"))
                    .findFirst();
        }
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Facts facts, Instant now) {
        var claim = new ClaimedCluster(observed.object());
        var object = claim.object();
        if (object.isDeleting()) {
            return object.finalizers().contains(ClaimedCluster.FINALIZER) ? takenAway(claim, facts) : Plan.none();
        }
        var plan = object.finalizers().contains(ClaimedCluster.FINALIZER)
                ? Plan.none()
                : Plan.none()
                        .patch(
                                SpaceKinds.CLUSTER_CLAIM,
                                object,
                                Objects.withFinalizer(object, ClaimedCluster.FINALIZER));
        return plan.then(claim.isOver() ? over(claim, facts, now) : standing(claim, facts, now));
    }

    private static Plan takenAway(ClaimedCluster claim, Facts facts) {
        return facts.deployment
                .map(each -> Plan.none().delete(ClusterKinds.DEPLOYMENT, each))
                .orElseGet(() -> Plan.none()
                        .patch(
                                SpaceKinds.CLUSTER_CLAIM,
                                claim.object(),
                                Objects.withoutFinalizer(claim.object(), ClaimedCluster.FINALIZER)));
    }

    private static Plan over(ClaimedCluster claim, Facts facts, Instant now) {
        var gone = facts.deployment.isEmpty();
        var conditions = conditions(claim, now)
                .set("TestCompleted", true, "TestCompleted", "The cluster is not needed any more")
                .set("ClusterReady", false, "TestCompleted", "")
                .set("ProwJobCompleted", gone, gone ? "ProwJobCompleted" : "Deprovisioning", "")
                .set("Ready", false, "TestCompleted", "");
        var plan = facts.deployment
                .map(each -> Plan.none().delete(ClusterKinds.DEPLOYMENT, each))
                .orElse(Plan.none());
        return said(plan, claim, conditions, gone ? "Deprovisioned" : "Deprovisioning");
    }

    private static Plan standing(ClaimedCluster claim, Facts facts, Instant now) {
        var conditions = conditions(claim, now);
        if (facts.failure().isPresent()) {
            conditions
                    .set(
                            "ClusterReady",
                            false,
                            "ProvisionFailed",
                            facts.failure().get())
                    .set("Ready", false, "Unavailable", "");
            return said(Plan.none(), claim, conditions, "Failed");
        }
        if (!facts.isReady()) {
            var plan = facts.deployment.isPresent()
                    ? Plan.none()
                    : Plan.none()
                            .create(Namespaces.KIND, claim.namespace())
                            .create(ClusterKinds.DEPLOYMENT, claim.deployment());
            conditions.set("ClusterReady", false, "Provisioning", "").set("Ready", false, "Creating", "");
            return said(plan, claim, conditions, "Provisioning");
        }
        conditions
                .set("ClusterReady", true, "ClusterReady", "")
                .set("ProwJobCompleted", false, "ClusterReady", "")
                .set("Ready", true, "Available", "");
        return said(copied(claim, facts), claim, conditions, "Ready");
    }

    private static Plan copied(ClaimedCluster claim, Facts facts) {
        if (claim.secret().isEmpty()) {
            return Plan.none();
        }
        var metadata = Objects.owned(Objects.named(claim.object().namespace(), claim.secret()), claim.object());
        var secret = Objects.secret(
                metadata,
                Map.of(
                        "kubeconfig",
                        Objects.value(facts.kubeconfig.orElseThrow(), "kubeconfig"),
                        "kubeAdminPassword",
                        Objects.value(facts.password.orElseThrow(), "password")));
        var data = secret.json().object("data");
        var before = facts.secret.filter(each -> each.controller()
                .filter(owner -> owner.uid().equals(claim.object().uid()))
                .isPresent());
        if (before.isEmpty()) {
            return Plan.none().create(Secrets.KIND, secret);
        }
        return before.get().json().object("data").equals(data)
                ? Plan.none()
                : Plan.none().patch(Secrets.KIND, before.get(), Json.Obj.of("data", data));
    }

    private static Conditions conditions(ClaimedCluster claim, Instant now) {
        return Conditions.of(claim.object().status(), now)
                .set("Synced", true, "ReconcileSuccess", "")
                .set("ProwJobCreating", false, "NoProwJob", "The cluster is made by this server, without a ProwJob");
    }

    private static Plan said(Plan before, ClaimedCluster claim, Conditions conditions, String phase) {
        conditions.set("_EphemeralClusterPhase", true, "Phase", phase).set("_ProwJobURL", true, "NoProwJob", "");
        return before.setStatus(
                SpaceKinds.CLUSTER_CLAIM,
                claim.object(),
                claim.object().status().with("conditions", conditions.json()));
    }
}
