package dev.towtank.apiserver.store;

import dev.towtank.model.GroupResource;
import dev.towtank.model.LogicalCluster;
import java.util.Optional;

/// A set of keys that lie together: every part that is absent means "all of them".
///
/// A watch over everything, which garbage collection needs, has all parts absent. A namespace of "" is the place of
/// cluster-scoped objects, so "all namespaces" is an absent one.
public record Range(Optional<GroupResource> resource, Optional<LogicalCluster> cluster, Optional<String> namespace) {

    public static final Range EVERYTHING = new Range(Optional.empty(), Optional.empty(), Optional.empty());

    /// All objects of a resource in all logical clusters.
    public static Range of(GroupResource resource) {
        return new Range(Optional.of(resource), Optional.empty(), Optional.empty());
    }

    public static Range of(GroupResource resource, LogicalCluster cluster) {
        return new Range(Optional.of(resource), Optional.of(cluster), Optional.empty());
    }

    public static Range of(GroupResource resource, LogicalCluster cluster, String namespace) {
        return new Range(Optional.of(resource), Optional.of(cluster), Optional.of(namespace));
    }

    /// All objects of a logical cluster.
    public static Range of(LogicalCluster cluster) {
        return new Range(Optional.empty(), Optional.of(cluster), Optional.empty());
    }

    public boolean contains(Key key) {
        return (resource.isEmpty() || resource.get().equals(key.resource()))
                && (cluster.isEmpty() || cluster.get().equals(key.cluster()))
                && (namespace.isEmpty() || namespace.get().equals(key.namespace()));
    }
}
