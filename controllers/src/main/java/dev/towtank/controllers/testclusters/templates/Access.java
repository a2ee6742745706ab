package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Plan;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.rbac.RoleBindings;
import dev.towtank.model.kinds.rbac.Roles;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What tenants read: copies of the keys, and the right to exactly those.
record Access(Instance instance, InstanceFacts facts) {

    private static final String GROUP = "rbac.authorization.k8s.io";

    private Optional<Resource> source() {
        return instance.hasOwnCluster() ? facts.provided().flatMap(Provided::kubeconfig) : facts.given();
    }

    private Optional<Resource> passwordSource() {
        return facts.provided().flatMap(Provided::password);
    }

    boolean isComplete() {
        return source().isPresent();
    }

    /// The address that the kubeconfig has.
    String server() {
        return facts.provided().map(Provided::url).filter(url -> !url.isEmpty()).orElseGet(this::serverOfGiven);
    }

    private String serverOfGiven() {
        var text = source().map(secret -> Objects.value(secret, "kubeconfig")).orElse("");
        try {
            var parsed = YamlText.parse(text.getBytes(StandardCharsets.UTF_8));
            return parsed instanceof Json.Obj config
                    ? config.objects("clusters").stream()
                            .map(each -> each.string("cluster", "server"))
                            .findFirst()
                            .orElse("")
                    : "";
        } catch (RuntimeException e) {
            return "";
        }
    }

    /// Copied again when the source has changed.
    Plan copies() {
        return copied(source(), facts.kubeconfig(), instance.kubeconfigSecret(), List.of("kubeconfig"))
                .then(copied(
                        passwordSource(),
                        facts.password(),
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

    /// By name: who may read these may neither list nor read any other.
    Plan letIn() {
        var rule = Json.Obj.builder()
                .put("apiGroups", Json.Arr.of(Json.of("")))
                .put("resources", Json.Arr.of(Json.of("secrets")))
                .put("resourceNames", Json.Arr.ofStrings(secrets()))
                .put("verbs", Json.Arr.of(Json.of("get")))
                .build();
        var roleName = instance.object().name() + "-role-managed";
        var plan = new Plan.Builder();
        if (facts.role().isEmpty()) {
            plan.create(
                    Roles.KIND,
                    Objects.of(
                            Roles.KIND, LogicalCluster.DEFAULT, instance.owned(roleName), "rules", Json.Arr.of(rule)));
        }
        var subjects = subjects();
        if (facts.binding().isEmpty()) {
            var reference = Json.Obj.of("apiGroup", Json.of(GROUP), "kind", Json.of("Role"), "name", Json.of(roleName));
            var binding = Objects.of(
                    RoleBindings.KIND,
                    LogicalCluster.DEFAULT,
                    instance.owned(instance.object().name() + "-rolebinding-managed"),
                    "roleRef",
                    reference);
            plan.create(RoleBindings.KIND, binding.with(binding.json().with("subjects", subjects)));
        } else if (!facts.binding().get().json().array("subjects").equals(subjects)) {
            plan.patch(RoleBindings.KIND, facts.binding().get(), Json.Obj.of("subjects", subjects));
        }
        return plan.build();
    }

    /// All of them, told apart by their namespaces, too.
    private Json.Arr subjects() {
        var all = new LinkedHashSet<Json>();
        facts.users()
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
