package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Outside.Answer;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Faults;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.controllers.testclusters.api.ProviderKind;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Namespaces;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The first half of the way: from a template to a cluster that runs.
record Installation(Instance instance, InstanceFacts facts, Progress progress, Plan.Builder plan, Instant now) {

    private static final String HERE = "https://kubernetes.default.svc";
    private static final Duration LOGIN = Duration.ofMinutes(10);

    boolean isDone() {
        return instance.hasOwnCluster() ? isDefined() && isInstalled() : isGiven();
    }

    /// A set of its own, or a cluster at once.
    private boolean isDefined() {
        if (facts.isMadeHere()) {
            if (facts.provided().isEmpty() && !progress.has(Progress.INSTALLED)) {
                plan.create(Namespaces.KIND, namespace());
                plan.create(ClusterKinds.DEPLOYMENT, deployment());
            }
            progress.done(Progress.DEFINED, "ApplicationCreated", "The cluster is made without an Application");
            return true;
        }
        var pattern = facts.patterns().get("");
        if (pattern == null && !facts.sets().containsKey("")) {
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
        // The set may be there before anybody could write down what it leaves out.
        if (pattern != null && !(facts.sets().containsKey("") && progress.has(Progress.DEFINED))) {
            var words = new TemplateWords(facts.template().orElseThrow());
            var set = new InstanceSet(instance, "", pattern, words.chart(""));
            if (!facts.sets().containsKey("")) {
                plan.create(GitOpsKinds.APPLICATION_SET, set.object(HERE));
            }
            progress.ignored(set.ignored());
        }
        progress.done(Progress.DEFINED, "ApplicationCreated", "Application created");
        return true;
    }

    private static Resource namespace() {
        return Objects.of(
                Namespaces.KIND, LogicalCluster.DEFAULT, Objects.named("", Instance.CLUSTERS), "spec", Json.Obj.EMPTY);
    }

    private Resource deployment() {
        var metadata = Objects.named(Instance.CLUSTERS, instance.application(""))
                .with("labels", instance.labels(""))
                .with("annotations", annotations());
        var spec = Json.Obj.builder()
                .put("clusterName", instance.object().name())
                .put("baseDomain", "test.local")
                .put("installAttemptsLimit", Json.of(1));
        var given = facts.template()
                .map(each -> each.annotations().getOrDefault(ProviderKind.KUBECONFIG_SECRET, ""))
                .orElse("");
        if (facts.provider().equals(ProviderKind.KUBECONFIG) && !given.isEmpty()) {
            spec.put("installed", Json.of(true))
                    .put("clusterMetadata", Json.Obj.of("adminKubeconfigSecretRef", Objects.reference(given)));
        }
        return Objects.of(ClusterKinds.DEPLOYMENT, LogicalCluster.DEFAULT, metadata, "spec", spec.build());
    }

    /// Whoever tries their own patience says so at the instance.
    private Json.Obj annotations() {
        var all = Json.Obj.builder().put(ProviderKind.ANNOTATION, facts.provider());
        for (var each : new String[] {Faults.ANNOTATION, Faults.LOG}) {
            all.putNonEmpty(each, instance.object().annotations().getOrDefault(each, ""));
        }
        return all.build();
    }

    private boolean isInstalled() {
        if (facts.provided().size() > 1) {
            fails(
                    "ClusterProviderDetectionFailed",
                    "the chart makes " + facts.provided().size()
                            + " clusters, and an instance is one: leave one of them in it",
                    "ClusterProviderDetectionFailed");
            return false;
        }
        if (progress.has(Progress.INSTALLED)) {
            return isStillThere();
        }
        if (!facts.isMadeHere() && !isSynced()) {
            return false;
        }
        if (facts.cluster().isEmpty()) {
            waits("Cluster is installing");
            return false;
        }
        var provided = facts.cluster().get();
        var problem = provided.problem().or(provided::lost);
        if (problem.isPresent()) {
            fails(
                    "ClusterStatusFailed",
                    "Failed to detect cluster status - " + facts.redaction().apply(problem.get()),
                    "ProvisionFailed");
            return false;
        }
        if (!provided.isReady()) {
            waits(provided.state());
            return false;
        }
        progress.done(Progress.INSTALLED, "ClusterInstalled", provided.state());
        return true;
    }

    /// What was there once is never made a second time: it would be another.
    private boolean isStillThere() {
        var gone = facts.cluster().isEmpty()
                ? Optional.of("what made the cluster is gone")
                : facts.cluster().get().lost();
        if (gone.isPresent()) {
            progress.lost("The cluster is lost: " + facts.redaction().apply(gone.get()));
            return false;
        }
        if (!facts.cluster().get().isReady()) {
            progress.rests(facts.cluster().get().state());
            return false;
        }
        return true;
    }

    private void waits(String message) {
        progress.waits(Progress.INSTALLED, "ClusterInstalling", "ClusterInstalling", message);
    }

    private void fails(String reason, String message, String ready) {
        progress.fails(Progress.INSTALLED, reason, "ClusterInstallFailed", message, ready);
    }

    private boolean isSynced() {
        var application = facts.application();
        if (application.isEmpty()) {
            var problem = Optional.ofNullable(facts.sets().get("")).flatMap(Installation::problem);
            if (problem.isPresent()) {
                fails("ApplicationFetchFailed", facts.redaction().apply(problem.get()), "ApplicationError");
            } else {
                waits("Waiting for the Application");
            }
            return false;
        }
        var message = ApplicationState.message(application.get());
        switch (ApplicationState.of(application.get())) {
            case ERROR -> fails("ApplicationError", facts.redaction().apply(message), "ApplicationError");
            case DEGRADED -> fails("ApplicationDegraded", facts.redaction().apply(message), "ApplicationDegraded");
            case RUNNING -> waits(message);
            case HEALTHY -> {
                if (facts.cluster().isPresent()) {
                    return true;
                }
                fails(
                        "ClusterProviderDetectionFailed",
                        "Unknown cluster provider - only Hive and Hypershift clusters are recognized",
                        "ClusterProviderDetectionFailed");
            }
        }
        return false;
    }

    private static Optional<String> problem(Resource set) {
        return set.status().objects("conditions").stream()
                .filter(each -> each.string("type").equals("ErrorOccurred")
                        && each.string("status").equals("True"))
                .map(each -> each.string("message"))
                .findFirst();
    }

    private boolean isGiven() {
        progress.done(Progress.DEFINED, "ApplicationCreated", "Cluster defined via secret");
        var given = facts.given().orElseThrow();
        if (given.secret().isEmpty() || !given.problem().isEmpty()) {
            fails(
                    "ClusterStatusFailed",
                    given.secret().isEmpty()
                            ? "the Secret with the kubeconfig is gone"
                            : "the kubeconfig " + given.problem(),
                    "KubeconfigMissing");
            return false;
        }
        progress.done(Progress.INSTALLED, "ClusterInstalled", "Cluster defined via secret");
        progress.registrationSkipped();
        return isLoggedIn(given.login());
    }

    private boolean isLoggedIn(Optional<Answer<Boolean>> login) {
        if (login.isEmpty() || login.get() instanceof Answer.Known<Boolean>) {
            return true;
        }
        progress.firstLogin(now);
        var why = login.get() instanceof Answer.Failed<Boolean> failed ? failed.problem() : "Logging in";
        var limit = facts.config()
                .flatMap(each -> Instance.duration(each.spec().string("loginAttemptTimeoutOverride")))
                .orElse(LOGIN);
        if (now.isBefore(progress.firstLogin().plus(limit))) {
            progress.waits(Progress.ADDED, "ArgoClusterLoginPending", "ClusterLoginPending", why);
        } else {
            progress.fails(
                    Progress.ADDED,
                    "ArgoClusterFailed",
                    "ArgoClusterFailed",
                    "not within " + Durations.format(limit) + ": " + why,
                    "LoginFailed");
        }
        return false;
    }

    /// When the waiting for a login ends.
    static Optional<Instant> loginEnds(Progress progress, InstanceFacts facts) {
        return progress.reason(Progress.ADDED).equals("ArgoClusterLoginPending")
                ? Optional.of(progress.firstLogin()
                        .plus(facts.config()
                                .flatMap(each -> Instance.duration(each.spec().string("loginAttemptTimeoutOverride")))
                                .orElse(LOGIN)))
                : Optional.empty();
    }
}
