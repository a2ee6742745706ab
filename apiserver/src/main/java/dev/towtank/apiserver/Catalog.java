package dev.towtank.apiserver;

import dev.towtank.model.GroupResource;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import java.util.List;
import java.util.Optional;

/// Which kinds a logical cluster serves.
public interface Catalog {

    /// Everything served, groups and versions in the order that discovery shows them.
    List<Served> served(LogicalCluster cluster);

    Optional<Served> find(LogicalCluster cluster, String group, String version, String resource);

    /// The preferred version of a kind, for references that name a group and a kind.
    Optional<Served> findKind(LogicalCluster cluster, String group, String kind);

    /// A kind as one version of the API serves it.
    ///
    /// @param storage what its objects are stored as; two groups may share one (events)
    /// @param conversion between the stored form and this version
    record Served(Kind<?> kind, GroupResource storage, Conversion conversion) {

        public static Served asStored(Kind<?> kind) {
            return new Served(kind, kind.resource(), Conversion.NONE);
        }
    }
}
