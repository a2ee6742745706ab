package dev.towtank.node.scheduling;

import dev.towtank.model.Resource;
import java.util.List;

/// Which nodes count as one place with a node: those with the same value of a label.
record Topology(Resource node, List<Resource> nodes) {

    boolean has(String key) {
        return node.labels().containsKey(key);
    }

    /// Whether the other node is in the same place, by this label.
    boolean isShared(String key, String other) {
        var here = node.labels().get(key);
        if (here == null || other.equals(node.name())) {
            return here != null;
        }
        return nodes.stream()
                .anyMatch(each ->
                        each.name().equals(other) && here.equals(each.labels().get(key)));
    }
}
