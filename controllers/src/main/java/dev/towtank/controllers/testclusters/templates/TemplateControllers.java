package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Trigger;
import dev.towtank.cluster.remote.RemoteAccess;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Conditions;
import dev.towtank.controllers.testclusters.api.GivenKubeconfig;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.rbac.RoleBindings;
import dev.towtank.model.kinds.rbac.Roles;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// The controllers of templates' kinds, and where their facts come from.
public final class TemplateControllers {

    private static final String USERS = "cluster-templates-user";

    private final Cluster cluster;
    private final GitOpsCaches gitOps;
    private final Providers providers;
    private final JobLogs jobLogs;
    private final Outside<PodQuestion, String> words;
    private final Outside<RemoteAccess, Boolean> logins;
    private final Cache instances;
    private final Cache templates;
    private final Cache setups;
    private final Cache quotas;
    private final Cache secrets;
    private final Cache logs;
    private final Cache roles;
    private final Cache bindings;

    public TemplateControllers(
            Cluster cluster,
            Caches caches,
            GitOpsCaches gitOps,
            Outside<RemoteAccess, Boolean> logins,
            Outside<PodQuestion, String> words) {
        this.cluster = cluster;
        this.gitOps = gitOps;
        this.logins = logins;
        this.words = words;
        providers = new Providers(caches, gitOps.applications());
        jobLogs = new JobLogs(caches, words);
        instances = caches.of(ClusterKinds.INSTANCE);
        templates = caches.of(ClusterKinds.TEMPLATE);
        setups = caches.of(ClusterKinds.SETUP);
        quotas = caches.of(ClusterKinds.QUOTA);
        secrets = caches.of(Secrets.KIND);
        logs = caches.of(ConfigMaps.KIND);
        roles = caches.of(Roles.KIND);
        bindings = caches.of(RoleBindings.KIND);
    }

    public List<Controller<?, ?>> all() {
        return List.of(instances(), quotas());
    }

    private Controller<Json.Obj, InstanceFacts> instances() {
        var controller = Controller.of(
                        "clustertemplateinstance-controller",
                        ClusterKinds.INSTANCE,
                        this::around,
                        new InstanceReconciler())
                .wokenBy(Trigger.of(ClusterKinds.DEPLOYMENT, providers::instances))
                .wokenBy(Trigger.of(ClusterKinds.CLAIM, providers::instances))
                .wokenBy(Trigger.of(ClusterKinds.HOSTED, providers::instances))
                .wokenBy(Trigger.of(ClusterKinds.NODE_POOL, providers::instancesOfPool))
                .wokenBy(logins)
                .wokenBy(words)
                .wokenBy(Trigger.of(Secrets.KIND, providers::instancesOfSecret))
                .wokenBy(Trigger.of(
                        RoleBindings.KIND,
                        binding -> isOfUsers(binding) ? inNamespace(binding.namespace()) : List.of()))
                .wokenBy(Trigger.of(ClusterKinds.QUOTA, quota -> inNamespace(quota.namespace())))
                .wokenBy(Trigger.of(
                        ClusterKinds.TEMPLATE,
                        template -> unfinished(each -> each.template().equals(template.name()))));
        return gitOps.isServed()
                ? controller
                        .wokenBy(Trigger.of(GitOpsKinds.APPLICATION, Providers::instanceOf))
                        .wokenBy(Trigger.of(GitOpsKinds.APPLICATION_SET, this::usersOf))
                : controller;
    }

    /// Its own instance; or those that wait for an administrator's.
    private List<ObjectName> usersOf(Resource set) {
        var own = Providers.instanceOf(set);
        return own.isEmpty()
                ? unfinished(each -> !Conditions.isTrue(each.object().status(), Progress.SETUP_CREATED))
                : own;
    }

    private List<ObjectName> inNamespace(String namespace) {
        return instances.in(LogicalCluster.DEFAULT, namespace).stream()
                .map(ObjectName::of)
                .toList();
    }

    private List<ObjectName> unfinished(Predicate<Instance> which) {
        return instances.list().stream()
                .map(Instance::new)
                .filter(each -> each.object().isDeleting()
                        || !each.object().status().string("phase").equals("Ready"))
                .filter(which)
                .map(each -> ObjectName.of(each.object()))
                .toList();
    }

    private static boolean isOfUsers(Resource binding) {
        return binding.json().string("roleRef", "name").equals(USERS)
                && binding.json().string("roleRef", "kind").equals("ClusterRole");
    }

    private static ObjectName cluster(String name) {
        return new ObjectName(LogicalCluster.DEFAULT, "", name);
    }

    private InstanceFacts around(Observed<Json.Obj> observed) {
        var instance = new Instance(observed.object());
        var template = (instance.hasOwnCluster() ? templates : setups).get(cluster(instance.template()));
        Map<String, Resource> patterns = new HashMap<>();
        Map<String, Resource> own = new HashMap<>();
        Map<String, Resource> applications = new HashMap<>();
        for (var name : names(instance, template)) {
            var pattern = name.isEmpty()
                    ? template.map(each -> each.spec().string("clusterDefinition"))
                            .orElse("")
                    : name;
            gitOps.set(pattern).ifPresent(each -> patterns.put(name, each));
            there(instance, GitOpsKinds.APPLICATION_SET, name).ifPresent(each -> own.put(name, each));
            there(instance, GitOpsKinds.APPLICATION, name).ifPresent(each -> applications.put(name, each));
        }
        var application = Optional.ofNullable(applications.get(""));
        var provided = instance.hasOwnCluster() ? providers.of(cluster, instance, application) : List.<Provided>of();
        var keys = keys(instance);
        return new InstanceFacts(
                template,
                quotas(instance),
                gitOps.config(),
                patterns,
                own,
                applications,
                provided,
                jobLogs.of(instance, application, keys.log().isPresent()),
                keys,
                instance.hasOwnCluster() ? Optional.empty() : Optional.of(given(instance)),
                secrets.get(ObjectName.of(gitOps.namespace(), instance.object().uid())),
                gitOps.namespace(),
                providers.redaction(provided, application));
    }

    /// Of one that goes, from the API itself: what a cache has not seen yet would stay for good.
    private Optional<Resource> there(Instance instance, Kind<?> kind, String setup) {
        var name = instance.application(setup);
        var seen = kind.equals(GitOpsKinds.APPLICATION) ? gitOps.application(name) : gitOps.set(name);
        return seen.isEmpty() && gitOps.isServed() && instance.object().isDeleting()
                ? cluster.get(kind, ObjectName.of(gitOps.namespace(), name))
                : seen;
    }

    /// Of all sets: what the template says now, and what it said when they were made.
    private static List<String> names(Instance instance, Optional<Resource> template) {
        var all = new LinkedHashSet<String>();
        if (instance.hasOwnCluster()) {
            all.add("");
        }
        template.ifPresent(each -> all.addAll(each.spec().array("clusterSetup").strings()));
        instance.object().status().objects("clusterSetup").forEach(each -> all.add(each.string("name")));
        return List.copyOf(all);
    }

    /// With all of them, as elsewhere, where somebody asks for that.
    private List<Resource> quotas(Instance instance) {
        boolean isAnybodys = gitOps.config()
                .filter(each -> each.annotations()
                        .getOrDefault("towtank.dev/caas.crossNamespaceDeleteAfter", "")
                        .equals("true"))
                .isPresent();
        return isAnybodys
                ? quotas.list()
                : quotas.in(LogicalCluster.DEFAULT, instance.object().namespace());
    }

    private InstanceFacts.Keys keys(Instance instance) {
        var namespace = instance.object().namespace();
        var name = instance.object().name();
        return new InstanceFacts.Keys(
                secrets.get(ObjectName.of(namespace, instance.kubeconfigSecret())),
                secrets.get(ObjectName.of(namespace, instance.passwordSecret())),
                roles.get(ObjectName.of(namespace, name + "-role-managed")),
                bindings.get(ObjectName.of(namespace, name + "-rolebinding-managed")),
                bindings.in(LogicalCluster.DEFAULT, namespace).stream()
                        .filter(TemplateControllers::isOfUsers)
                        .toList(),
                logs.get(ObjectName.of(namespace, instance.logName())));
    }

    private InstanceFacts.Given given(Instance instance) {
        var object = instance.object();
        var secret = secrets.get(ObjectName.of(object.namespace(), object.spec().string("kubeconfigSecretRef")));
        var read = secret.map(each -> GivenKubeconfig.read(Objects.value(each, "kubeconfig")));
        return new InstanceFacts.Given(
                secret,
                read.map(GivenKubeconfig::problem).orElse(""),
                read.flatMap(GivenKubeconfig::access).map(access -> logins.ask(ObjectName.of(object), access)));
    }

    private Controller<Json.Obj, QuotaCount> quotas() {
        return Controller.of(
                        "clustertemplatequota-controller", ClusterKinds.QUOTA, this::counted, new QuotaReconciler())
                .wokenBy(Trigger.of(
                        ClusterKinds.INSTANCE,
                        instance -> quotas.in(LogicalCluster.DEFAULT, instance.namespace()).stream()
                                .map(ObjectName::of)
                                .toList()));
    }

    /// From the API itself, so that what is written is never older than what it is written to.
    private QuotaCount counted(Observed<Json.Obj> quota) {
        var there = Selection.in(LogicalCluster.DEFAULT, quota.object().namespace());
        return QuotaCount.of(
                cluster.list(ClusterKinds.INSTANCE, there).items(),
                template -> templates
                        .get(cluster(template))
                        .map(each -> each.spec().integer("cost"))
                        .orElse(0L));
    }
}
