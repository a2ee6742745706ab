package dev.towtank.apiserver.view;

import dev.towtank.model.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The parts of objects that have addresses of their own, such as `status` and `scale`.
///
/// The registry serves what is listed here, and discovery shows it.
public final class Subresources {

    /// @param group of the objects that it takes and gives, which may differ from the parent's
    public record Subresource(String name, String group, String version, String kind, List<String> verbs) {
        public Subresource {
            verbs = List.copyOf(verbs);
        }
    }

    private static final List<String> READ_WRITE = List.of("get", "patch", "update");
    private static final List<String> ANYTHING = List.of("create", "delete", "get", "patch", "update");
    private static final List<String> CREATE = List.of("create");
    private static final List<String> CONNECT = List.of("create", "get");

    private static final Map<String, List<Subresource>> SPECIAL = Map.of(
            "pods",
            List.of(
                    new Subresource("attach", "", "v1", "PodAttachOptions", CONNECT),
                    new Subresource("binding", "", "v1", "Binding", CREATE),
                    new Subresource("ephemeralcontainers", "", "v1", "Pod", READ_WRITE),
                    new Subresource("eviction", "policy", "v1", "Eviction", CREATE),
                    new Subresource("exec", "", "v1", "PodExecOptions", CONNECT),
                    new Subresource("log", "", "v1", "Pod", List.of("get")),
                    new Subresource("portforward", "", "v1", "PodPortForwardOptions", CONNECT),
                    new Subresource("proxy", "", "v1", "PodProxyOptions", ANYTHING),
                    new Subresource("resize", "", "v1", "Pod", READ_WRITE)),
            "services",
            List.of(new Subresource("proxy", "", "v1", "ServiceProxyOptions", ANYTHING)),
            "namespaces",
            List.of(new Subresource("finalize", "", "v1", "Namespace", List.of("update"))),
            "serviceaccounts",
            List.of(new Subresource("token", "authentication.k8s.io", "v1", "TokenRequest", CREATE)));

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
}
