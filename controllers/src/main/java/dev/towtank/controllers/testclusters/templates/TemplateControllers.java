package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.IndexedCache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.rbac.RoleBindings;
import dev.towtank.model.kinds.rbac.Roles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// The controllers of templates' kinds, and where their facts come from.
public final class TemplateControllers {

    private static final String USERS = "cluster-templates-user";

    private final Cluster cluster;
    private final boolean hasGitOps;
    private final Providers providers;
    private final Cache instances;
    private final Cache templates;
    private final Cache setups;
    private final Cache quotas;
    private final Cache configs;
    private final Cache sets;
    private final Cache applications;
    private final Cache secrets;
    private final Cache roles;
    private final Cache bindings;

    public TemplateControllers(Cluster cluster, Caches caches) {
        this.cluster = cluster;
        // A server without GitOps has templates that need none.
        this.hasGitOps = isServed(cluster, GitOpsKinds.APPLICATION_SET) && isServed(cluster, GitOpsKinds.APPLICATION);
        applications = hasGitOps ? caches.of(GitOpsKinds.APPLICATION) : new IndexedCache();
        sets = hasGitOps ? caches.of(GitOpsKinds.APPLICATION_SET) : new IndexedCache();
        this.providers = new Providers(caches, applications);
        instances = caches.of(ClusterKinds.INSTANCE);
        templates = caches.of(ClusterKinds.TEMPLATE);
        setups = caches.of(ClusterKinds.SETUP);
        quotas = caches.of(ClusterKinds.QUOTA);
        configs = caches.of(ClusterKinds.CONFIG);
        secrets = caches.of(Secrets.KIND);
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
                .wokenBy(Trigger.of(Secrets.KIND, providers::instancesOfSecret))
                .wokenBy(Trigger.of(
                        RoleBindings.KIND,
                        binding -> isOfUsers(binding) ? inNamespace(binding.namespace()) : List.of()))
                .wokenBy(Trigger.of(ClusterKinds.QUOTA, quota -> inNamespace(quota.namespace())))
                .wokenBy(Trigger.of(
                        ClusterKinds.TEMPLATE,
                        template -> unfinished(each -> each.template().equals(template.name()))));
        return hasGitOps
                ? controller
                        .wokenBy(Trigger.of(GitOpsKinds.APPLICATION, Providers::instanceOf))
                        .wokenBy(Trigger.of(GitOpsKinds.APPLICATION_SET, _ -> unfinished(_ -> true)))
                : controller;
    }

    private static boolean isServed(Cluster cluster, Kind<?> kind) {
        try {
            cluster.list(kind, Selection.in(LogicalCluster.DEFAULT, GitOpsKinds.NAMESPACE));
            return true;
        } catch (StatusError e) {
            return false;
        }
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
        var namespace = instance.object().namespace();
        var argo = configs.get(cluster("config"))
                .map(config -> config.spec().string("argoCDNamespace"))
                .filter(text -> !text.isEmpty())
                .orElse(GitOpsKinds.NAMESPACE);
        var template = (instance.hasOwnCluster() ? templates : setups).get(cluster(instance.template()));
        var application = applications.get(ObjectName.of(argo, instance.application("")));
        var names = template.map(each -> each.spec().array("clusterSetup").strings())
                .orElse(List.of());
        Map<String, Resource> day2 = new HashMap<>();
        Map<String, Resource> day2Applications = new HashMap<>();
        for (var name : names) {
            sets.get(ObjectName.of(argo, name)).ifPresent(set -> day2.put(name, set));
            applications
                    .get(ObjectName.of(argo, instance.application(name)))
                    .ifPresent(each -> day2Applications.put(name, each));
        }
        return new InstanceFacts(
                template,
                quotas.in(LogicalCluster.DEFAULT, namespace).stream().findFirst(),
                template.flatMap(
                        each -> sets.get(ObjectName.of(argo, each.spec().string("clusterDefinition")))),
                application,
                providers.of(instance, application),
                day2,
                day2Applications,
                given(instance),
                secrets.get(ObjectName.of(namespace, instance.kubeconfigSecret())),
                secrets.get(ObjectName.of(namespace, instance.passwordSecret())),
                roles.get(ObjectName.of(namespace, instance.object().name() + "-role-managed")),
                bindings.get(ObjectName.of(namespace, instance.object().name() + "-rolebinding-managed")),
                bindings.in(LogicalCluster.DEFAULT, namespace).stream()
                        .filter(TemplateControllers::isOfUsers)
                        .toList(),
                secrets.get(ObjectName.of(argo, instance.object().uid())),
                argo);
    }

    private Optional<Resource> given(Instance instance) {
        return instance.hasOwnCluster()
                ? Optional.empty()
                : secrets.get(ObjectName.of(
                        instance.object().namespace(), instance.object().spec().string("kubeconfigSecretRef")));
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
