package dev.towtank.cluster;

import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;

/// Which object of a kind: its logical cluster, namespace (empty for cluster-scoped kinds) and name.
public record ObjectName(LogicalCluster cluster, String namespace, String name) implements Comparable<ObjectName> {

    public static ObjectName of(Resource resource) {
        return new ObjectName(resource.cluster(), resource.namespace(), resource.name());
    }

    /// A namespaced object of the default logical cluster.
    public static ObjectName of(String namespace, String name) {
        return new ObjectName(LogicalCluster.DEFAULT, namespace, name);
    }

    @Override
    public int compareTo(ObjectName other) {
        int order = cluster.compareTo(other.cluster);
        if (order == 0) {
            order = namespace.compareTo(other.namespace);
        }
        return order == 0 ? name.compareTo(other.name) : order;
    }

    @Override
    public String toString() {
        var place = namespace.isEmpty() ? name : namespace + "/" + name;
        return cluster.equals(LogicalCluster.DEFAULT) ? place : cluster + ":" + place;
    }
}
