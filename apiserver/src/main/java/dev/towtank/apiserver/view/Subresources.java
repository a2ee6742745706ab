package dev.towtank.apiserver.view;

import dev.towtank.model.GroupResource;
import dev.towtank.model.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What can be done with a kind and with its parts: verbs, and subresources such as `status` and `scale`.
///
/// The registry serves what is listed here, and discovery shows it.
public final class Subresources {

    /// @param group of the objects that it takes and gives, which may differ from the parent's
    public record Subresource(String name, String group, String version, String kind, List<String> verbs) {
        public Subresource {
            verbs = List.copyOf(verbs);
        }
    }

    private static final List<String> ALL_VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
    private static final List<String> READ_WRITE = List.of("get", "patch", "update");
    private static final List<String> CREATE = List.of("create");
    private static final List<String> CONNECT = List.of("create", "get");

    /// Kinds that are questions rather than objects: asked, answered, never stored.
    private static final Set<String> QUESTIONS = Set.of(
            "bindings",
            "tokenreviews.authentication.k8s.io",
            "selfsubjectreviews.authentication.k8s.io",
            "subjectaccessreviews.authorization.k8s.io",
            "localsubjectaccessreviews.authorization.k8s.io",
            "selfsubjectaccessreviews.authorization.k8s.io",
            "selfsubjectrulesreviews.authorization.k8s.io");

    private static final Map<String, List<Subresource>> SPECIAL = Map.of(
            "pods",
            List.of(
                    new Subresource("attach", "", "v1", "PodAttachOptions", CONNECT),
                    new Subresource("binding", "", "v1", "Binding", CREATE),
                    new Subresource("ephemeralcontainers", "", "v1", "Pod", READ_WRITE),
                    new Subresource("eviction", "policy", "v1", "Eviction", CREATE),
                    new Subresource("exec", "", "v1", "PodExecOptions", CONNECT),
                    new Subresource("log", "", "v1", "Pod", List.of("get")),
                    new Subresource("portforward", "", "v1", "PodPortForwardOptions", CONNECT)),
            "namespaces",
            List.of(new Subresource("finalize", "", "v1", "Namespace", List.of("update"))),
            "serviceaccounts",
            List.of(new Subresource("token", "authentication.k8s.io", "v1", "TokenRequest", CREATE)),
            "certificatesigningrequests.certificates.k8s.io",
            List.of(new Subresource("approval", "certificates.k8s.io", "v1", "CertificateSigningRequest", READ_WRITE)));

    private Subresources() {}

    /// In the order of their names.
    public static List<Subresource> of(Kind<?> kind) {
        List<Subresource> found =
                new ArrayList<>(SPECIAL.getOrDefault(kind.resource().toString(), List.of()));
        if (kind.hasStatus()) {
            found.add(new Subresource("status", kind.group(), kind.version(), kind.kind(), READ_WRITE));
        }
        if (kind.scale().isPresent()) {
            found.add(new Subresource("scale", "autoscaling", "v1", "Scale", READ_WRITE));
        }
        found.sort(Comparator.comparing(Subresource::name));
        return found;
    }

    public static Optional<Subresource> find(Kind<?> kind, String name) {
        return of(kind).stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /// What can be done with the kind itself.
    public static List<String> verbs(Kind<?> kind) {
        if (isQuestion(kind.resource())) {
            return CREATE;
        }
        return kind.resource().toString().equals("namespaces")
                ? ALL_VERBS.stream()
                        .filter(verb -> !verb.equals("deletecollection"))
                        .toList()
                : ALL_VERBS;
    }

    /// Whether objects of this kind are answers to a question and never stored.
    public static boolean isQuestion(GroupResource resource) {
        return QUESTIONS.contains(resource.toString());
    }
}
