package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.FieldError;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Path;
import dev.towtank.model.StatusError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Applies the Pod Security Standards that a namespace asks for with its labels.
///
/// `enforce` refuses pods; `warn` tells the user, also about the templates of workloads. `audit` is accepted and has no
/// effect, as there is no audit log.
public final class PodSecurity implements Admission {

    private static final String PREFIX = "pod-security.kubernetes.io/";

    /// Where each kind keeps the spec of its pods.
    private static final Map<GroupResource, List<String>> SPECS = Map.of(
            new GroupResource("", "pods"), List.of("spec"),
            new GroupResource("", "podtemplates"), List.of("template", "spec"),
            new GroupResource("", "replicationcontrollers"), List.of("spec", "template", "spec"),
            new GroupResource("apps", "deployments"), List.of("spec", "template", "spec"),
            new GroupResource("apps", "replicasets"), List.of("spec", "template", "spec"),
            new GroupResource("apps", "statefulsets"), List.of("spec", "template", "spec"),
            new GroupResource("apps", "daemonsets"), List.of("spec", "template", "spec"),
            new GroupResource("batch", "jobs"), List.of("spec", "template", "spec"),
            new GroupResource("batch", "cronjobs"), List.of("spec", "jobTemplate", "spec", "template", "spec"));

    private final Store store;

    public PodSecurity(Store store) {
        this.store = store;
    }

    @Override
    public void check(Review review) {
        var object = review.object();
        if (object == null) {
            return;
        }
        if (review.isWholeObject("", "Namespace")) {
            checkLabels(object);
        } else if (review.isKind("", "Pod") && isLookedAt(review)) {
            var labels = labels(review);
            var broken = violations(level(labels, "enforce"), review, object);
            if (!broken.isEmpty()) {
                throw review.forbidden("violates " + words(labels, "enforce", broken));
            }
        }
    }

    @Override
    public List<String> warnings(Review review) {
        var object = review.object();
        if (object == null || !isLookedAt(review)) {
            return List.of();
        }
        var labels = labels(review);
        // Who enforces and says nothing about warnings wants to hear early about templates that can never run.
        var mode =
                labels.containsKey(PREFIX + "warn") || labels.containsKey(PREFIX + "warn-version") ? "warn" : "enforce";
        var broken = violations(level(labels, mode), review, object);
        return broken.isEmpty() ? List.of() : List.of("would violate " + words(labels, mode, broken));
    }

    private static boolean isLookedAt(Review review) {
        return review.operation() != Review.Operation.DELETE
                && SPECS.containsKey(review.kind().resource())
                && (review.subresource().isEmpty() || review.subresource().equals("ephemeralcontainers"));
    }

    private Map<String, String> labels(Review review) {
        var key = new Key(new GroupResource("", "namespaces"), review.cluster(), "", review.namespace());
        var namespace = store.get(key);
        return namespace == null ? Map.of() : namespace.tree().stringMap("metadata", "labels");
    }

    /// A label that cannot be read must not open the door: it counts as the strictest level.
    private static PodSecurityLevel level(Map<String, String> labels, String mode) {
        var label = labels.get(PREFIX + mode);
        return label == null
                ? PodSecurityLevel.PRIVILEGED
                : PodSecurityLevel.parse(label).orElse(PodSecurityLevel.RESTRICTED);
    }

    private static List<String> violations(PodSecurityLevel level, Review review, Json.Obj object) {
        var path = SPECS.getOrDefault(review.kind().resource(), List.of("spec")).toArray(String[]::new);
        var spec = object.object(path);
        var old = review.old();
        // Pods that run already stay: only what an update changes is judged.
        return isUnchanged(spec, old, path) ? List.of() : PodSecurityRules.violations(level, spec);
    }

    private static boolean isUnchanged(Json.Obj spec, Json.@Nullable Obj old, String... path) {
        return old != null && old.object(path).equals(spec);
    }

    private static String words(Map<String, String> labels, String mode, List<String> broken) {
        var version = labels.getOrDefault(PREFIX + mode + "-version", "latest");
        return "PodSecurity \"" + level(labels, mode) + ":" + version + "\": " + String.join(", ", broken);
    }

    private static void checkLabels(Json.Obj namespace) {
        var errors = new FieldError.Collector();
        var labels = namespace.stringMap("metadata", "labels");
        for (var mode : List.of("enforce", "audit", "warn")) {
            var value = labels.get(PREFIX + mode);
            if (value != null && PodSecurityLevel.parse(value).isEmpty()) {
                errors.invalid(
                        Path.of("metadata", "labels").key(PREFIX + mode),
                        value,
                        "must be one of privileged, baseline, restricted");
            }
        }
        if (!errors.isEmpty()) {
            throw StatusError.invalid("", "Namespace", namespace.string("metadata", "name"), errors.errors());
        }
    }
}
