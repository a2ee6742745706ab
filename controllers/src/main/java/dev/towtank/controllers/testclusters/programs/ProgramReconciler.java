package dev.towtank.controllers.testclusters.programs;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Conditions;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.controllers.testclusters.api.ProviderKind;
import dev.towtank.controllers.testclusters.api.Provisions;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import dev.towtank.model.kinds.core.Secrets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Lets a program make the cluster of a ClusterDeployment, and take it away.
public final class ProgramReconciler implements Reconciler<Json.Obj, ProgramReconciler.Facts> {

    private static final String FINALIZER = "hive.openshift.io/deprovision";
    private static final Duration RETRY = Duration.ofSeconds(30);

    /// @param allowed which programs this server may run
    /// @param provisions what was tried so far
    public record Facts(Set<String> allowed, List<Resource> provisions) {
        public Facts {
            allowed = Set.copyOf(allowed);
            provisions = List.copyOf(provisions);
        }
    }

    static boolean isMeant(Resource deployment) {
        return ProviderKind.PROGRAMS.contains(program(deployment));
    }

    private static String program(Resource deployment) {
        return deployment.annotations().getOrDefault(ProviderKind.ANNOTATION, "");
    }

    /// A function of the very object, which a program takes as an argument: nothing of what people chose is in it.
    private static String name(Resource deployment) {
        return "towtank-" + deployment.uid().replace("-", "").substring(0, 16);
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Facts facts, Instant now) {
        var deployment = observed.object();
        if (!isMeant(deployment)) {
            return Plan.none();
        }
        if (deployment.isDeleting()) {
            return deployment.finalizers().contains(FINALIZER) ? removed(deployment, now) : Plan.none();
        }
        if (deployment.spec().flag("installed")) {
            return Plan.none();
        }
        var provisions = new Provisions(deployment, facts.provisions);
        if (!facts.allowed.contains(program(deployment))) {
            return stopped(
                    deployment,
                    provisions,
                    "ProviderNotAllowed",
                    "this server runs no " + program(deployment) + ": start it with TOWTANK_CLUSTER_PROGRAMS="
                            + program(deployment),
                    now);
        }
        if (provisions.isExhausted()) {
            return stopped(deployment, provisions, "InstallAttemptsLimitReached", last(facts.provisions), now);
        }
        var next = provisions.next();
        if (next.filter(now::isBefore).isPresent()) {
            return Plan.lookAgainAt(next.get());
        }
        var begun = deployment.finalizers().contains(FINALIZER)
                ? Plan.none()
                : Plan.none().patch(ClusterKinds.DEPLOYMENT, deployment, Objects.withFinalizer(deployment, FINALIZER));
        // The finalizer first, and the program at the next look: what is made without one stays.
        return begun.isNone()
                ? Plan.of(new Change.Act(
                        new ProgramDeed.Make(program(deployment), name(deployment)),
                        result -> made(deployment, provisions, (Json.Obj) result, now)))
                : begun;
    }

    private static String last(List<Resource> provisions) {
        var log = provisions.getLast().spec().string("installLog");
        return log.lines().findFirst().orElse("The program failed");
    }

    private static Plan made(Resource deployment, Provisions provisions, Json.Obj result, Instant now) {
        if (result.has("error")) {
            return provisions.failed(result.string("error") + "\n" + result.string("log"));
        }
        var kubeconfig = deployment.name() + "-admin-kubeconfig";
        var secret = Objects.secret(
                Objects.owned(Objects.named(deployment.namespace(), kubeconfig), deployment),
                Map.of("kubeconfig", result.string("kubeconfig"), "raw-kubeconfig", result.string("kubeconfig")));
        var metadata = Json.Obj.builder()
                .put("clusterID", deployment.uid())
                .put("infraID", name(deployment))
                .put("adminKubeconfigSecretRef", Objects.reference(kubeconfig))
                .build();
        var conditions = Conditions.of(deployment.status(), now)
                .set("RequirementsMet", true, "AllRequirementsMet", "All pre-provision requirements met")
                .set("ProvisionFailed", false, "ProvisionSucceeded", "Provision succeeded")
                .set("ProvisionStopped", false, "ProvisionSucceeded", "Provision succeeded")
                .set("Provisioned", true, "Provisioned", "Cluster is provisioned")
                .set("Hibernating", false, "Unsupported", "Clusters of " + program(deployment) + " do not hibernate")
                .set("Ready", true, "Running", "Cluster is running")
                .set("Unreachable", false, "ClusterReachable", "cluster is reachable");
        var status = deployment
                .status()
                .with("powerState", Json.of("Running"))
                .with("installedTimestamp", Json.of(Timestamps.seconds(now)))
                .with("conditions", conditions.json());
        return Plan.none()
                .create(Secrets.KIND, secret)
                .then(provisions.completed())
                .patch(
                        ClusterKinds.DEPLOYMENT,
                        deployment,
                        Json.Obj.of("spec", Json.Obj.of("installed", Json.of(true), "clusterMetadata", metadata)))
                .then(new Change.SetStatus(ClusterKinds.DEPLOYMENT, deployment, status));
    }

    private static Plan stopped(Resource deployment, Provisions provisions, String reason, String why, Instant now) {
        var conditions = Conditions.of(deployment.status(), now)
                .set("ProvisionFailed", true, reason, why)
                .set("Provisioned", false, "ProvisionStopped", why)
                .set("ProvisionStopped", true, reason, why);
        return Plan.none()
                .setStatus(
                        ClusterKinds.DEPLOYMENT,
                        deployment,
                        provisions.told(deployment.status()).with("conditions", conditions.json()));
    }

    private static Plan removed(Resource deployment, Instant now) {
        return Plan.of(new Change.Act(new ProgramDeed.Remove(program(deployment), name(deployment)), result -> {
            var error = ((Json.Obj) result).string("error");
            if (error.isEmpty()) {
                return Plan.none()
                        .patch(ClusterKinds.DEPLOYMENT, deployment, Objects.withoutFinalizer(deployment, FINALIZER));
            }
            var conditions =
                    Conditions.of(deployment.status(), now).set("Provisioned", false, "DeprovisionFailed", error);
            return Plan.none()
                    .setStatus(
                            ClusterKinds.DEPLOYMENT,
                            deployment,
                            deployment.status().with("conditions", conditions.json()))
                    .then(Plan.lookAgainAt(now.plus(RETRY)));
        }));
    }
}
