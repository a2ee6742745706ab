package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Plan;
import dev.towtank.cluster.remote.RemoteAccess;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.testclusters.api.GivenKubeconfig;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.kinds.core.Secrets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Optional;

/// What is installed in a new cluster: an Application of each ApplicationSet that its template names.
///
/// @param server the address of the cluster
record Day2(Instance instance, InstanceFacts facts, String server) {

    /// Argo CD knows the cluster by a Secret. For a cluster of this server it has no token in it: none is needed.
    Plan added(Progress progress) {
        progress.done(Progress.ADDED, "ArgoClusterCreated", "ArgoCD cluster created");
        if (facts.argo().isPresent() || facts.setups().isEmpty()) {
            return Plan.none();
        }
        var metadata = Objects.named(facts.argoNamespace(), instance.object().uid())
                .with("labels", instance.labels("").with("argocd.argoproj.io/secret-type", Json.of("cluster")));
        var values = new HashMap<String, String>();
        values.put(
                "name", instance.object().namespace() + "-" + instance.object().name());
        values.put("server", server);
        elsewhere().ifPresent(access -> values.put("config", JsonText.write(GivenKubeconfig.argo(access))));
        return Plan.none().create(Secrets.KIND, Objects.secret(metadata, values));
    }

    /// The keys of a cluster that is not of this server.
    private Optional<RemoteAccess> elsewhere() {
        var secret = instance.hasOwnCluster()
                ? facts.cluster().filter(each -> each.url().isEmpty()).flatMap(Provided::kubeconfig)
                : facts.given().flatMap(InstanceFacts.Given::secret);
        return secret.map(each -> GivenKubeconfig.read(Objects.value(each, "kubeconfig")))
                .flatMap(GivenKubeconfig::access);
    }

    Plan created(Progress progress) {
        var setups = facts.setups();
        if (setups.isEmpty()) {
            progress.done(Progress.SETUP_CREATED, "ClusterSetupNotSpecified", "No cluster setup specified");
            return Plan.none();
        }
        var plan = new Plan.Builder();
        for (var setup : setups) {
            var pattern = facts.patterns().get(setup);
            if (facts.sets().containsKey(setup)) {
                continue;
            }
            if (pattern == null) {
                progress.fails(
                        Progress.SETUP_CREATED,
                        "ClusterSetupCreationFailed",
                        "ClusterSetupCreateFailed",
                        "failed to create cluster setup - ApplicationSet \"" + setup + "\" not found",
                        "ClusterSetupCreationFailed");
                return Plan.none();
            }
            var words = new TemplateWords(facts.template().orElseThrow());
            plan.create(
                    GitOpsKinds.APPLICATION_SET,
                    new InstanceSet(instance, setup, pattern, words.chart(setup)).object(server));
        }
        progress.done(Progress.SETUP_CREATED, "ClusterSetupCreated", "Cluster setup created");
        return plan.build();
    }

    boolean isFinished(Progress progress) {
        if (!progress.has(Progress.SETUP_CREATED)) {
            return false;
        }
        if (facts.setups().isEmpty()) {
            progress.done(Progress.SETUP, "ClusterSetupNotDefined", "No cluster setup defined");
            return true;
        }
        var rows = new ArrayList<Json>();
        var worst = ApplicationState.HEALTHY;
        for (var setup : facts.setups()) {
            var application = facts.applications().get(setup);
            var state = application == null ? ApplicationState.RUNNING : ApplicationState.of(application);
            var message = application == null ? "Waiting for the Application" : ApplicationState.message(application);
            rows.add(Json.Obj.of("name", Json.of(setup), "status", Json.of(state.wire()), "message", Json.of(message)));
            worst = worse(worst, state);
        }
        progress.with("clusterSetup", new Json.Arr(rows));
        switch (worst) {
            case HEALTHY -> progress.done(Progress.SETUP, "ClusterSetupSucceeded", "Cluster setup succeeded");
            case RUNNING ->
                progress.waits(
                        Progress.SETUP, "ClusterSetupRunning", "ClusterSetupRunning", "Cluster setup is running");
            case DEGRADED ->
                progress.fails(
                        Progress.SETUP,
                        "ClusterSetupDegraded",
                        "ClusterSetupDegraded",
                        "Cluster setup is degraded",
                        "ClusterSetupDegraded");
            case ERROR ->
                progress.fails(
                        Progress.SETUP,
                        "ClusterSetupError",
                        "ClusterSetupFailed",
                        "Cluster setup failed",
                        "ClusterSetupError");
        }
        return worst == ApplicationState.HEALTHY;
    }

    private static ApplicationState worse(ApplicationState one, ApplicationState other) {
        return rank(other) > rank(one) ? other : one;
    }

    private static int rank(ApplicationState state) {
        return switch (state) {
            case HEALTHY -> 0;
            case RUNNING -> 1;
            case DEGRADED -> 2;
            case ERROR -> 3;
        };
    }
}
