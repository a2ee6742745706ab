package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.Notes;
import dev.towtank.apiserver.admission.PodSecurityPolicy.Standard;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.FieldError;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Applies the Pod Security Standards that a namespace asks for with its labels.
///
/// `enforce` refuses pods; `warn` tells the user and `audit` the audit log, both also about the templates of workloads.
/// Nobody is exempt.
public final class PodSecurity implements Admission {

    private static final GroupResource PODS = new GroupResource("", "pods");
    private static final List<String> TEMPLATE = List.of("spec", "template");

    /// Where each kind keeps the template of its pods.
    private static final Map<GroupResource, List<String>> TEMPLATES = Map.of(
            PODS,
            List.of(),
            new GroupResource("", "podtemplates"),
            List.of("template"),
            new GroupResource("", "replicationcontrollers"),
            TEMPLATE,
            new GroupResource("apps", "deployments"),
            TEMPLATE,
            new GroupResource("apps", "replicasets"),
            TEMPLATE,
            new GroupResource("apps", "statefulsets"),
            TEMPLATE,
            new GroupResource("apps", "daemonsets"),
            TEMPLATE,
            new GroupResource("batch", "jobs"),
            TEMPLATE,
            new GroupResource("batch", "cronjobs"),
            List.of("spec", "jobTemplate", "spec", "template"));

    /// Which change no pod.
    private static final Set<String> IGNORED =
            Set.of("exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status");

    private static final int MOST_PODS = 3000;

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
            checkLabels(object, review.old());
        } else if (isLookedAt(review)) {
            var policy = policy(review);
            var template = template(review, object);
            boolean isPod = review.isKind("", "Pod");
            note(policy, template, isPod, review.call().notes());
            var broken = PodSecurityRules.violations(policy.enforce(), template);
            if (isPod && !broken.isEmpty()) {
                throw review.forbidden("violates " + words(policy.enforce(), broken));
            }
        }
    }

    private static void note(PodSecurityPolicy policy, Json.Obj template, boolean isPod, Notes notes) {
        if (isPod) {
            notes.put(
                    PodSecurityPolicy.PREFIX + "enforce-policy",
                    (policy.isPrivileged() ? Standard.PRIVILEGED : policy.enforce()).toString());
        }
        if (!policy.errors().isEmpty()) {
            notes.put(PodSecurityPolicy.PREFIX + "error", "Failed to parse policy: " + aggregate(policy.errors()));
        }
        var audited = PodSecurityRules.violations(policy.audit(), template);
        if (!audited.isEmpty()) {
            notes.put(PodSecurityPolicy.PREFIX + "audit-violations", "would violate " + words(policy.audit(), audited));
        }
    }

    private static String aggregate(List<FieldError> errors) {
        var all = errors.stream().map(FieldError::message).distinct().collect(Collectors.joining(", "));
        return errors.size() == 1 ? all : "[" + all + "]";
    }

    @Override
    public List<String> warnings(Review review) {
        var object = review.object();
        if (object == null) {
            return List.of();
        }
        if (review.isWholeObject("", "Namespace")) {
            return namespaceWarnings(review, object);
        }
        if (!isLookedAt(review)) {
            return List.of();
        }
        var warn = policy(review).warn();
        var broken = PodSecurityRules.violations(warn, template(review, object));
        return broken.isEmpty() ? List.of() : List.of("would violate " + words(warn, broken));
    }

    private static boolean isLookedAt(Review review) {
        var object = review.object();
        var old = review.old();
        if (object == null || !TEMPLATES.containsKey(review.kind().resource())) {
            return false;
        }
        if (!review.isKind("", "Pod")) {
            return review.subresource().isEmpty();
        }
        return !IGNORED.contains(review.subresource()) && (old == null || runsSomethingElse(object, old));
    }

    // Pods that run already stay: only an update that makes them run something else is judged.
    private static boolean runsSomethingElse(Json.Obj pod, Json.Obj old) {
        return !images(pod, "containers").equals(images(old, "containers"))
                || !images(pod, "initContainers").equals(images(old, "initContainers"))
                || !old.objects("spec", "ephemeralContainers").stream()
                        .map(PodSecurity::nameAndImage)
                        .toList()
                        .containsAll(pod.objects("spec", "ephemeralContainers").stream()
                                .map(PodSecurity::nameAndImage)
                                .toList());
    }

    private static List<String> images(Json.Obj pod, String list) {
        return pod.objects("spec", list).stream()
                .map(each -> each.string("image"))
                .toList();
    }

    private static List<String> nameAndImage(Json.Obj container) {
        return List.of(container.string("name"), container.string("image"));
    }

    private static Json.Obj template(Review review, Json.Obj object) {
        var path = TEMPLATES.getOrDefault(review.kind().resource(), List.of());
        return path.isEmpty() ? object : object.object(path.toArray(String[]::new));
    }

    private PodSecurityPolicy policy(Review review) {
        var key = new Key(new GroupResource("", "namespaces"), review.cluster(), "", review.namespace());
        var namespace = store.get(key);
        return policy(namespace == null ? Json.Obj.EMPTY : namespace.tree());
    }

    private static PodSecurityPolicy policy(Json.Obj namespace) {
        return PodSecurityPolicy.of(namespace.stringMap("metadata", "labels"));
    }

    private static String words(Standard standard, List<PodSecurityRules.Violation> broken) {
        return "PodSecurity \"" + standard + "\": " + PodSecurityRules.details(broken);
    }

    private static void checkLabels(Json.Obj namespace, Json.@Nullable Obj old) {
        var errors = policy(namespace).errors();
        if (!errors.isEmpty() && (old == null || !errors.equals(policy(old).errors()))) {
            throw StatusError.invalid("", "Namespace", namespace.string("metadata", "name"), errors);
        }
    }

    /// Which pods that are there already would be refused from now on.
    private List<String> namespaceWarnings(Review review, Json.Obj namespace) {
        var old = review.old();
        var policy = policy(namespace);
        if (old == null || !policy.isStricterThan(policy(old))) {
            return List.of();
        }
        var name = namespace.string("metadata", "name");
        var pods =
                store.list(Range.of(PODS, review.cluster(), name), 0, null, 0).items();
        var offenders = new TreeMap<String, List<String>>();
        pods.stream().limit(MOST_PODS).forEach(pod -> {
            var broken = PodSecurityRules.violations(policy.enforce(), pod.tree());
            if (!broken.isEmpty()) {
                offenders
                        .computeIfAbsent(PodSecurityRules.rules(broken), _ -> new ArrayList<>())
                        .add(pod.key().name());
            }
        });
        var warnings = new ArrayList<String>();
        if (pods.size() > MOST_PODS) {
            warnings.add("new PodSecurity enforce level only checked against the first " + MOST_PODS + " of "
                    + pods.size() + " existing pods");
        }
        if (!offenders.isEmpty()) {
            warnings.add("existing pods in namespace \"" + name + "\" violate the new PodSecurity enforce level \""
                    + policy.enforce() + "\"");
        }
        offenders.entrySet().stream()
                .map(each -> counted(each.getValue()) + ": " + each.getKey())
                .sorted()
                .forEach(warnings::add);
        return warnings;
    }

    private static String counted(List<String> pods) {
        var first = pods.stream().sorted().findFirst().orElseThrow();
        return switch (pods.size()) {
            case 1 -> first;
            case 2 -> first + " (and 1 other pod)";
            default -> first + " (and " + (pods.size() - 1) + " other pods)";
        };
    }
}
