package dev.towtank.apiserver.store;

import dev.towtank.model.GroupResource;
import dev.towtank.model.LogicalCluster;
import java.util.Comparator;

/// The address of a stored object. The order is the order of lists: resource, logical cluster, namespace, name.
///
/// @param namespace empty for cluster-scoped objects
public record Key(GroupResource resource, LogicalCluster cluster, String namespace, String name)
        implements Comparable<Key> {

    private static final Comparator<Key> ORDER = Comparator.comparing(Key::resource)
            .thenComparing(Key::cluster)
            .thenComparing(Key::namespace)
            .thenComparing(Key::name);

    @Override
    public int compareTo(Key other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return resource + "/" + cluster + "/" + namespace + "/" + name;
    }
}
