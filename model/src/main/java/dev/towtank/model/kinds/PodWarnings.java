package dev.towtank.model.kinds;

import dev.towtank.model.Json;
import dev.towtank.model.Path;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Advice on pods that are accepted and will not do what was meant.
public final class PodWarnings {

    private static final Map<String, String> OLD_LABELS = Map.of(
            "beta.kubernetes.io/arch", "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
            "beta.kubernetes.io/os", "deprecated since v1.14; use \"kubernetes.io/os\" instead",
            "failure-domain.beta.kubernetes.io/region",
                    "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
            "failure-domain.beta.kubernetes.io/zone",
                    "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
            "beta.kubernetes.io/instance-type",
                    "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead");

    private static final Map<String, String> OLD_ANNOTATIONS = Map.of(
            "scheduler.alpha.kubernetes.io/critical-pod",
                    "non-functional in v1.16+; use the \"priorityClassName\" field instead",
            "security.alpha.kubernetes.io/sysctls", "non-functional in v1.11+; use the \"sysctls\" field instead",
            "security.alpha.kubernetes.io/unsafe-sysctls",
                    "non-functional in v1.11+; use the \"sysctls\" field instead",
            "seccomp.security.alpha.kubernetes.io/pod",
                    "non-functional in v1.27+; use the \"seccompProfile\" field instead");

    private static final Map<String, String> OLD_VOLUMES = Map.of(
            "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+",
            "gitRepo", "deprecated in v1.11",
            "scaleIO", "deprecated in v1.16, non-functional in v1.22+",
            "flocker", "deprecated in v1.22, non-functional in v1.25+",
            "storageos", "deprecated in v1.22, non-functional in v1.25+",
            "quobyte", "deprecated in v1.22, non-functional in v1.25+",
            "glusterfs", "deprecated in v1.25, non-functional in v1.26+",
            "cephfs", "deprecated in v1.28, non-functional in v1.31+",
            "rbd", "deprecated in v1.28, non-functional in v1.31+");

    private final Path spec;
    private final List<String> warnings = new ArrayList<>();

    private PodWarnings(Path path) {
        this.spec = path.child("spec");
    }

    /// Advice about what stands at a path: a pod at the root, or a template such as `spec.template`.
    public static List<String> of(Path path, Json.Obj template) {
        var advice = new PodWarnings(path);
        advice.checkSpec(template.object("spec"));
        template.stringMap("metadata", "annotations").forEach((key, _) -> {
            if (OLD_ANNOTATIONS.containsKey(key)) {
                advice.add(path.child("metadata").child("annotations").key(key), OLD_ANNOTATIONS.get(key));
            }
        });
        return List.copyOf(advice.warnings);
    }

    private void add(Path path, @Nullable String words) {
        warnings.add(path + ": " + words);
    }

    private void checkSpec(Json.Obj pod) {
        pod.stringMap("nodeSelector").forEach((key, _) -> {
            if (OLD_LABELS.containsKey(key)) {
                add(spec.child("nodeSelector").key(key), OLD_LABELS.get(key));
            }
        });
        each(pod, spec, "topologySpreadConstraints", (constraint, path) -> {
            if (!constraint.has("labelSelector")) {
                add(path.child("labelSelector"), "a null labelSelector results in matching no pod");
            }
        });
        each(
                pod,
                spec,
                "volumes",
                (volume, path) -> volume.keys().forEach(source -> {
                    if (OLD_VOLUMES.containsKey(source)) {
                        add(path.child(source), OLD_VOLUMES.get(source));
                    }
                }));
        checkRepeated(pod, "hostAliases", "ip");
        checkRepeated(pod, "imagePullSecrets", "name");
        each(pod, spec, "imagePullSecrets", (secret, path) -> {
            if (secret.string("name").isEmpty()) {
                add(path.child("name"), "invalid empty name \"\"");
            }
        });
        var ports = new HashMap<String, Path>();
        for (var list : List.of("initContainers", "containers", "ephemeralContainers")) {
            each(pod, spec, list, (container, path) -> checkContainer(container, path, ports));
        }
        if (pod.integer("terminationGracePeriodSeconds") < 0) {
            add(
                    spec.child("terminationGracePeriodSeconds"),
                    "must be >= 0; negative values are invalid and will be treated as 1");
        }
    }

    private void checkRepeated(Json.Obj pod, String list, String field) {
        var seen = new HashSet<String>();
        each(pod, spec, list, (item, path) -> {
            if (!seen.add(item.string(field))) {
                add(path.child(field), "duplicate " + field + " " + Json.of(item.string(field)));
            }
        });
    }

    private void checkContainer(Json.Obj container, Path path, Map<String, Path> ports) {
        for (var list : List.of("limits", "requests")) {
            for (var name : List.of("memory", "ephemeral-storage")) {
                ResourceLists.quantity(container.at("resources", list, name))
                        .filter(amount ->
                                amount.amount().remainder(BigDecimal.ONE).signum() != 0)
                        .ifPresent(amount -> add(
                                path.child("resources").child(list).key(name),
                                "fractional byte value \"" + amount + "\" is invalid, must be an integer"));
            }
        }
        checkEnvironment(container, path);
        each(container, path, "ports", (port, portPath) -> {
            var key = port.integer("containerPort") + "/" + port.string("protocol") + "/" + port.string("hostIP") + "/"
                    + port.integer("hostPort");
            var other = ports.putIfAbsent(key, portPath);
            if (other != null) {
                add(portPath, "duplicate port definition with " + other);
            }
        });
    }

    private void checkEnvironment(Json.Obj container, Path path) {
        var seen = new HashSet<String>();
        each(container, path, "env", (variable, variablePath) -> {
            var name = variable.string("name");
            var reference = "$(" + name + ")";
            var value = variable.string("value");
            var extendsItself = !variable.has("valueFrom") && !value.equals(reference) && value.contains(reference);
            if (!seen.add(name) && !extendsItself) {
                add(
                        variablePath,
                        "hides previous definition of " + Json.of(name) + ", which may be dropped when using apply");
            }
        });
    }

    private static void each(Json.Obj parent, Path path, String list, BiConsumer<Json.Obj, Path> action) {
        var items = parent.array(list);
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i) instanceof Json.Obj item) {
                action.accept(item, path.child(list).index(i));
            }
        }
    }
}
