package dev.towtank.app.conformance;

import dev.towtank.node.machine.NamedNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// How settled the features are that an example uses, and the flags under which Tekton's own builds try it.
public enum Stage {
    STABLE(Map.of("enable-api-fields", "stable")),
    BETA(Map.of("enable-api-fields", "beta", "results-from", "sidecar-logs", "keep-pod-on-cancel", "true")),
    ALPHA(Map.of(
            "enable-api-fields", "alpha",
            "results-from", "sidecar-logs",
            "keep-pod-on-cancel", "true",
            "enable-cel-in-whenexpression", "true",
            "enable-param-enum", "true",
            "enable-artifacts", "true",
            "enable-concise-resolver-syntax", "true",
            "enable-kubernetes-sidecar", "true",
            "enable-termination-message-compression", "true"));

    @SuppressWarnings("ImmutableEnumChecker") // made with Map.of
    private final Map<String, String> flags;

    Stage(Map<String, String> flags) {
        this.flags = flags;
    }

    public Map<String, String> flags() {
        return flags;
    }

    /// The nodes of the cluster of Tekton's builds: three to choose from, by a label.
    public static List<NamedNode> nodes() {
        return Stream.of("worker-1", "worker-2", "worker-3")
                .map(name -> new NamedNode(name, Map.of("node-type", name)))
                .toList();
    }

    /// By the directory that an example lies in.
    static Stage of(String name) {
        var path = "/" + name;
        if (path.contains("/alpha/")) {
            return ALPHA;
        }
        return path.contains("/beta/") ? BETA : STABLE;
    }
}
