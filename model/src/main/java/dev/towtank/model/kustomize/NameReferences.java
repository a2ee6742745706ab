package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Names that stand in other objects, and follow when the object they mean gets a new name.
final class NameReferences {

    /// Objects name one of the kind `target` at a place; `*` stands for any group or version.
    record Reference(String target, String targetGroup, String targetVersion, FieldSpec place) {
        List<String> path() {
            return FieldPaths.split(place.path());
        }

        boolean isOf(Id id) {
            return (targetGroup.equals("*") || targetGroup.equals(id.group()))
                    && (targetVersion.equals("*") || targetVersion.equals(id.version()));
        }
    }

    static final Map<String, String> POD_SPECS = Map.ofEntries(
            Map.entry("Pod", "spec"),
            Map.entry("PodTemplate", "template/spec"),
            Map.entry("Deployment", "spec/template/spec"),
            Map.entry("ReplicaSet", "spec/template/spec"),
            Map.entry("ReplicationController", "spec/template/spec"),
            Map.entry("DaemonSet", "spec/template/spec"),
            Map.entry("StatefulSet", "spec/template/spec"),
            Map.entry("Job", "spec/template/spec"),
            Map.entry("CronJob", "spec/jobTemplate/spec/template/spec"));
    private static final List<Reference> REFERENCES = references();

    private NameReferences() {}

    static List<Item> follow(List<Item> all, Configuration more) {
        var items = byName(all);
        var references = new ArrayList<>(REFERENCES);
        references.addAll(more.references());
        var result = new ArrayList<Item>();
        for (var item : all) {
            var object = item.object();
            for (var reference : references) {
                if (reference.place.isIn(item.id())) {
                    object = FieldPaths.change(
                            object, reference.path(), false, value -> renamed(value, reference, item, items));
                }
            }
            object = roleReference(object, item, items);
            result.add(item.with(object));
        }
        return result;
    }

    /// By kind and each name that an object ever had.
    private static Map<String, List<Item>> byName(List<Item> items) {
        var found = new HashMap<String, List<Item>>();
        for (var item : items) {
            item.ids()
                    .map(id -> item.id().kind() + "/" + id.name())
                    .distinct()
                    .forEach(key ->
                            found.computeIfAbsent(key, _ -> new ArrayList<>()).add(item));
        }
        return found;
    }

    private static @Nullable Json renamed(
            @Nullable Json value, Reference reference, Item referrer, Map<String, List<Item>> items) {
        return switch (value) {
            case Json.Str(var name) -> {
                var found = find(name, null, reference, referrer, items);
                yield found == null ? value : Json.of(found.id().name());
            }
            case Json.Arr names ->
                names.map(name -> {
                    var changed = renamed(name, reference, referrer, items);
                    return changed == null ? name : changed;
                });
            // A name with a namespace: a subject, or the service of a webhook.
            case Json.Obj object -> {
                var kind = object.string("kind");
                if (!kind.isEmpty() && !kind.equals(reference.target)) {
                    yield value;
                }
                if (object.get("namespace") instanceof Json.Null) {
                    throw new KustomizeError("Invalid Input: namespace is blank for resource " + kind + " "
                            + object.string("name") + " in " + referrer.id());
                }
                var found = find(object.string("name"), object.string("namespace"), reference, referrer, items);
                if (found == null) {
                    yield value;
                }
                var changed = object.with("name", Json.of(found.id().name()));
                yield found.id().namespace().isEmpty()
                        ? changed
                        : changed.with("namespace", Json.of(found.id().namespace()));
            }
            case null -> null;
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _ -> value;
        };
    }

    private static Json.Obj roleReference(Json.Obj object, Item item, Map<String, List<Item>> items) {
        var kind = object.string("roleRef", "kind");
        if (!item.id().kind().endsWith("RoleBinding") || kind.isEmpty()) {
            return object;
        }
        var reference = new Reference(
                kind,
                "rbac.authorization.k8s.io",
                "*",
                new FieldSpec("*", item.id().kind(), "roleRef/name", false));
        return FieldPaths.change(object, reference.path(), false, value -> renamed(value, reference, item, items));
    }

    /// The one object that once had this name; none if several are meant.
    private static @Nullable Item find(
            String name,
            @Nullable String namespace,
            Reference reference,
            Item referrer,
            Map<String, List<Item>> items) {
        var candidates = items.getOrDefault(reference.target + "/" + name, List.of()).stream()
                .filter(item -> reference.isOf(item.id()))
                .filter(item ->
                        item.ids().anyMatch(id -> id.name().equals(name) && isMeant(id, item, namespace, referrer)))
                .toList();
        if (candidates.size() > 1) {
            var near = candidates.stream()
                    .filter(item -> item.id().place().equals(referrer.id().place()))
                    .toList();
            candidates = near.isEmpty() ? candidates : near;
        }
        if (candidates.size() > 1) {
            int nearest = candidates.stream()
                    .mapToInt(item -> common(item, referrer))
                    .max()
                    .orElse(0);
            candidates = candidates.stream()
                    .filter(item -> common(item, referrer) == nearest)
                    .toList();
        }
        boolean isOne =
                candidates.stream().map(item -> item.id().name()).distinct().count() == 1;
        return isOne ? candidates.getFirst() : null;
    }

    /// How many of the outermost kustomizations with prefixes and suffixes two objects went through together.
    private static int common(Item one, Item other) {
        int count = 0;
        var first = one.affixes().reversed();
        var second = other.affixes().reversed();
        while (count < Math.min(first.size(), second.size()) && first.get(count).equals(second.get(count))) {
            count++;
        }
        return count;
    }

    private static boolean isMeant(Id id, Item candidate, @Nullable String namespace, Item referrer) {
        if (namespace != null && !namespace.isEmpty()) {
            return id.namespace().equals(namespace)
                    || candidate.id().namespace().equals(namespace)
                    || id.place().equals(namespace);
        }
        if (namespace != null
                || candidate.id().isClusterScoped()
                || referrer.id().isClusterScoped()) {
            return true;
        }
        return candidate.id().place().equals(referrer.id().place());
    }

    private static List<Reference> references() {
        var all = new ArrayList<Reference>();
        for (var kind : List.of("Deployment", "ReplicationController", "ReplicaSet", "StatefulSet")) {
            add(all, kind, "*", "HorizontalPodAutoscaler", "spec/scaleTargetRef/name");
        }
        POD_SPECS.forEach((kind, spec) -> podReferences(all, kind, spec));
        add(all, "ConfigMap", "", "Node", "spec/configSource/configMap");
        add(
                all,
                "ConfigMap",
                "",
                "Ingress",
                "metadata/annotations/nginx.ingress.kubernetes.io\\/fastcgi-params-configmap");
        for (var target : List.of("ConfigMap", "Secret")) {
            add(all, target, "", "Role", "rules/resourceNames");
            add(all, target, "", "ClusterRole", "rules/resourceNames");
        }
        secretReferences(all);
        add(all, "Service", "", "StatefulSet", "spec/serviceName");
        for (var path : List.of(
                "spec/rules/http/paths/backend/serviceName",
                "spec/backend/serviceName",
                "spec/rules/http/paths/backend/service/name",
                "spec/defaultBackend/service/name")) {
            add(all, "Service", "", "Ingress", path);
        }
        add(all, "Service", "", "APIService", "spec/service/name");
        add(all, "Service", "", "ValidatingWebhookConfiguration", "webhooks/clientConfig/service");
        add(all, "Service", "", "MutatingWebhookConfiguration", "webhooks/clientConfig/service");
        add(all, "ServiceAccount", "", "RoleBinding", "subjects");
        add(all, "ServiceAccount", "", "ClusterRoleBinding", "subjects");
        add(all, "PersistentVolume", "", "PersistentVolumeClaim", "spec/volumeName");
        add(all, "PersistentVolume", "", "ClusterRole", "rules/resourceNames");
        for (var kind : List.of("PersistentVolume", "PersistentVolumeClaim")) {
            add(all, "StorageClass", "storage.k8s.io", kind, "spec/storageClassName");
        }
        add(all, "StorageClass", "storage.k8s.io", "StatefulSet", "spec/volumeClaimTemplates/spec/storageClassName");
        add(all, "IngressClass", "networking.k8s.io", "Ingress", "spec/ingressClassName");
        add(
                all,
                "ValidatingAdmissionPolicy",
                "admissionregistration.k8s.io",
                "ValidatingAdmissionPolicyBinding",
                "spec/policyName");
        return List.copyOf(all);
    }

    private static void podReferences(List<Reference> all, String kind, String spec) {
        add(all, "ConfigMap", "", kind, spec + "/volumes/configMap/name");
        add(all, "ConfigMap", "", kind, spec + "/volumes/projected/sources/configMap/name");
        add(all, "Secret", "", kind, spec + "/volumes/secret/secretName");
        add(all, "Secret", "", kind, spec + "/volumes/projected/sources/secret/name");
        add(all, "Secret", "", kind, spec + "/imagePullSecrets/name");
        for (var containers : List.of("/containers", "/initContainers")) {
            add(all, "ConfigMap", "", kind, spec + containers + "/env/valueFrom/configMapKeyRef/name");
            add(all, "ConfigMap", "", kind, spec + containers + "/envFrom/configMapRef/name");
            add(all, "Secret", "", kind, spec + containers + "/env/valueFrom/secretKeyRef/name");
            add(all, "Secret", "", kind, spec + containers + "/envFrom/secretRef/name");
        }
        add(all, "ServiceAccount", "", kind, spec + "/serviceAccountName");
        add(all, "PersistentVolumeClaim", "", kind, spec + "/volumes/persistentVolumeClaim/claimName");
        add(all, "PriorityClass", "scheduling.k8s.io", kind, spec + "/priorityClassName");
    }

    private static void secretReferences(List<Reference> all) {
        add(all, "Secret", "", "Ingress", "spec/tls/secretName");
        for (var annotation : List.of(
                "ingress.kubernetes.io\\/auth-secret",
                "nginx.ingress.kubernetes.io\\/auth-secret",
                "nginx.ingress.kubernetes.io\\/auth-tls-secret")) {
            add(all, "Secret", "", "Ingress", "metadata/annotations/" + annotation);
        }
        add(all, "Secret", "", "ServiceAccount", "imagePullSecrets/name");
        for (var parameter : List.of("secretName", "adminSecretName", "userSecretName", "secretRef")) {
            add(all, "Secret", "", "StorageClass", "parameters/" + parameter);
        }
        add(all, "Secret", "", "PersistentVolume", "spec/azureFile/secretName");
    }

    private static void add(List<Reference> all, String target, String group, String kind, String path) {
        all.add(new Reference(target, group, "*", new FieldSpec("*", kind, path, false)));
    }
}
