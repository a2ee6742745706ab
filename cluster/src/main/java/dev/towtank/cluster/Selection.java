package dev.towtank.cluster;

import dev.towtank.model.LogicalCluster;
import java.util.Optional;

/// Which objects of a kind a list or watch is about. Absent parts mean all of them: one informer serves every logical
/// cluster.
///
/// @param labels a label selector in Kubernetes' syntax, or empty
/// @param fields a field selector in Kubernetes' syntax, or empty
public record Selection(Optional<LogicalCluster> cluster, Optional<String> namespace, String labels, String fields) {

    public static final Selection EVERYWHERE = new Selection(Optional.empty(), Optional.empty(), "", "");

    public static Selection in(LogicalCluster cluster) {
        return new Selection(Optional.of(cluster), Optional.empty(), "", "");
    }

    public static Selection in(LogicalCluster cluster, String namespace) {
        return new Selection(Optional.of(cluster), Optional.of(namespace), "", "");
    }

    public Selection labelled(String selector) {
        return new Selection(cluster, namespace, selector, fields);
    }

    public Selection where(String fieldSelector) {
        return new Selection(cluster, namespace, labels, fieldSelector);
    }
}
