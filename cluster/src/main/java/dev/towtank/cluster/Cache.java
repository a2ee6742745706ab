package dev.towtank.cluster;

import dev.towtank.model.LabelSelector;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The objects of a kind as an informer last saw them: perhaps a little old, never half a change.
///
/// Lists are immutable, in the order of their names, and shared between callers until the next change.
public interface Cache {

    /// A question that a cache answers without looking at every object.
    ///
    /// @param keys what an object is found under; of each object only, not of the world
    record Index(String name, Function<Resource, List<String>> keys) {

        public static final Index NAMESPACE = new Index("namespace", Index::namespaceKey);

        public static final Index OWNER = new Index(
                "owner",
                resource -> resource.owners().stream().map(Resource.Owner::uid).toList());

        public static final Index LABEL = new Index(
                "label",
                resource -> resource.labels().entrySet().stream()
                        .map(label ->
                                labelKey(resource.cluster(), resource.namespace(), label.getKey(), label.getValue()))
                        .toList());

        private static List<String> namespaceKey(Resource resource) {
            return List.of(namespaceKey(resource.cluster(), resource.namespace()));
        }

        // Neither ids nor namespaces nor label keys contain these separators.
        private static String namespaceKey(LogicalCluster cluster, String namespace) {
            return cluster.id() + ":" + namespace;
        }

        private static String labelKey(LogicalCluster cluster, String namespace, String key, String value) {
            return namespaceKey(cluster, namespace) + ":" + key + "=" + value;
        }
    }

    Optional<Resource> get(ObjectName name);

    List<Resource> list();

    /// The objects under a key of an index. An index is built when it is first asked, and kept from then on.
    List<Resource> by(Index index, String key);

    /// How many objects there are under a key of an index: what would take a list to find out otherwise.
    int count(Index index, String key);

    default List<Resource> in(LogicalCluster cluster, String namespace) {
        return by(Index.NAMESPACE, Index.namespaceKey(cluster, namespace));
    }

    /// The objects that name an owner of this uid.
    default List<Resource> ownedBy(String uid) {
        return by(Index.OWNER, uid);
    }

    default List<Resource> labelled(LogicalCluster cluster, String namespace, String key, String value) {
        return by(Index.LABEL, Index.labelKey(cluster, namespace, key, value));
    }

    default List<Resource> select(LogicalCluster cluster, String namespace, LabelSelector selector) {
        return in(cluster, namespace).stream()
                .filter(resource -> selector.matches(resource.json()))
                .toList();
    }
}
