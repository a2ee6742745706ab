package dev.towtank.apiserver;

import dev.towtank.model.GroupResource;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.apply.Versions;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
    /// @param verbs what can be done with it: everything, or only `create` for reviews, which are never stored
    /// @param versions how its fields merge and who can own them, in this version and in the others
    record Served(Kind<?> kind, GroupResource storage, Conversion conversion, Set<Verb> verbs, Versions versions) {

        public Served {
            verbs = Set.copyOf(verbs);
        }

        public static Served asStored(Kind<?> kind) {
            return new Served(kind, kind.resource(), Conversion.NONE, Set.of(Verb.values()), LazyShape.only(kind));
        }

        /// A question in the form of an object: created, answered and forgotten.
        public static Served review(Kind<?> kind) {
            return new Served(kind, kind.resource(), Conversion.NONE, Set.of(Verb.CREATE), LazyShape.only(kind));
        }

        /// Worked out when somebody asks.
        public static Served view(Kind<?> kind) {
            return new Served(
                    kind, kind.resource(), Conversion.NONE, Set.of(Verb.GET, Verb.LIST), LazyShape.only(kind));
        }
    }
}
