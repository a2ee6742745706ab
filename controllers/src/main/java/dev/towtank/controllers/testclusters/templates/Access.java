package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Plan;
import dev.towtank.cluster.remote.RemoteAccess;
import dev.towtank.controllers.testclusters.api.GivenKubeconfig;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.rbac.RoleBindings;
import dev.towtank.model.kinds.rbac.Roles;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What tenants read: copies of the keys, and the right to exactly those.
record Access(Instance instance, InstanceFacts facts) {

    private static final String GROUP = "rbac.authorization.k8s.io";

    private Optional<Resource> source() {
        return instance.hasOwnCluster()
                ? facts.cluster().flatMap(Provided::kubeconfig)
                : facts.given().flatMap(InstanceFacts.Given::secret);
    }

    private Optional<Resource> passwordSource() {
        return facts.cluster().flatMap(Provided::password);
    }

    boolean isComplete() {
        return source().isPresent();
    }

    /// The address that the kubeconfig has.
    String server() {
        return facts.cluster().map(Provided::url).filter(url -> !url.isEmpty()).orElseGet(this::serverOfGiven);
    }

    private String serverOfGiven() {
        return source().map(Access::server).orElse("");
    }

    static String server(Resource secret) {
        return GivenKubeconfig.read(Objects.value(secret, "kubeconfig"))
                .access()
                .map(RemoteAccess::server)
                .orElse("");
    }

    /// Copied again when the source has changed.
    Plan copies() {
        return copied(source(), facts.keys().kubeconfig(), instance.kubeconfigSecret(), List.of("kubeconfig"))
                .then(copied(
                        passwordSource(),
                        facts.keys().password(),
                        instance.passwordSecret(),
                        List.of("username", "password")));
    }

    private Plan copied(Optional<Resource> source, Optional<Resource> copy, String name, List<String> keys) {
        if (source.isEmpty()) {
            return Plan.none();
        }
        var data = Json.Obj.EMPTY;
        for (var key : keys) {
            data = data.withOrWithout(key, source.get().json().object("data").get(key));
        }
        if (copy.isEmpty()) {
            var secret = Objects.secret(instance.owned(name).with("labels", instance.labels("")), Map.of());
            return Plan.none().create(Secrets.KIND, secret.with(secret.json().with("data", data)));
        }
        return copy.get().json().object("data").equals(data)
                ? Plan.none()
                : Plan.none().patch(Secrets.KIND, copy.get(), Json.Obj.of("data", data));
    }

    private List<String> secrets() {
        return passwordSource().isPresent()
                ? List.of(instance.kubeconfigSecret(), instance.passwordSecret())
                : List.of(instance.kubeconfigSecret());
    }

    Plan letIn() {
        return letIn("secrets", secrets());
    }

    /// What the making of the cluster said when it failed, without what is secret there.
    Plan log(Progress progress) {
        var failure = progress.failure();
        if (failure.isEmpty() || facts.keys().log().isPresent() || !facts.jobs().isKnown()) {
            return Plan.none();
        }
        var text = facts.redaction().apply(ProvisionLog.of(progress, facts));
        var map = Objects.of(
                ConfigMaps.KIND,
                LogicalCluster.DEFAULT,
                instance.owned(instance.logName()).with("labels", instance.labels("")),
                "data",
                Json.Obj.of("log", Json.of(ProvisionLog.end(text))));
        return Plan.none().create(ConfigMaps.KIND, map).then(letIn("configmaps", List.of(instance.logName())));
    }

    /// By name: who may read these may neither list nor read any other.
    private Plan letIn(String resource, List<String> names) {
        var rule = Json.Obj.builder()
                .put("apiGroups", Json.Arr.of(Json.of("")))
                .put("resources", Json.Arr.of(Json.of(resource)))
                .put("resourceNames", Json.Arr.ofStrings(names))
                .put("verbs", Json.Arr.of(Json.of("get")))
                .build();
        var roleName = instance.object().name() + "-role-managed";
        var plan = new Plan.Builder();
        if (facts.keys().role().isEmpty()) {
            plan.create(
                    Roles.KIND,
                    Objects.of(
                            Roles.KIND, LogicalCluster.DEFAULT, instance.owned(roleName), "rules", Json.Arr.of(rule)));
        } else if (!facts.keys().role().get().json().array("rules").items().contains(rule)) {
            var rules = facts.keys().role().get().json().array("rules").plus(rule);
            plan.patch(Roles.KIND, facts.keys().role().get(), Json.Obj.of("rules", rules));
        }
        plan.add(bound(roleName));
        return plan.build();
    }

    private Plan bound(String roleName) {
        var subjects = subjects();
        if (facts.keys().binding().isEmpty()) {
            var reference = Json.Obj.of("apiGroup", Json.of(GROUP), "kind", Json.of("Role"), "name", Json.of(roleName));
            var binding = Objects.of(
                    RoleBindings.KIND,
                    LogicalCluster.DEFAULT,
                    instance.owned(instance.object().name() + "-rolebinding-managed"),
                    "roleRef",
                    reference);
            return Plan.none()
                    .create(RoleBindings.KIND, binding.with(binding.json().with("subjects", subjects)));
        }
        var binding = facts.keys().binding().get();
        return binding.json().array("subjects").equals(subjects)
                ? Plan.none()
                : Plan.none().patch(RoleBindings.KIND, binding, Json.Obj.of("subjects", subjects));
    }

    /// All of them, told apart by their namespaces, too.
    private Json.Arr subjects() {
        var all = new LinkedHashSet<Json>();
        facts.keys()
                .users()
                .forEach(binding -> binding.json().objects("subjects").forEach(subject -> {
                    boolean isAccount = subject.string("kind").equals("ServiceAccount");
                    all.add(
                            isAccount && subject.string("namespace").isEmpty()
                                    ? subject.with(
                                            "namespace",
                                            Json.of(instance.object().namespace()))
                                    : subject);
                }));
        return Json.Arr.of(all.toArray(Json[]::new));
    }

    void tell(Progress progress) {
        progress.with("kubeconfig", Objects.reference(instance.kubeconfigSecret()))
                .with("apiServerURL", Json.of(server()));
        if (passwordSource().isPresent()) {
            progress.with("adminPassword", Objects.reference(instance.passwordSecret()));
        }
    }
}
