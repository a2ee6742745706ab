package dev.towtank.node.volumes;

import dev.towtank.model.Quantity;
import java.util.Map;

/// What the node knows about a pod before its status says it.
///
/// @param allocatable what a container without a limit may use
public record NodeValues(String hostIp, String podIp, Map<String, Quantity> allocatable) {
    public NodeValues at(String address) {
        return new NodeValues(hostIp, address, allocatable);
    }

    public NodeValues {
        allocatable = Map.copyOf(allocatable);
    }
}
