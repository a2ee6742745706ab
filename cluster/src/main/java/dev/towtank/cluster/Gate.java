package dev.towtank.cluster;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a feature says to writes of its kinds where the object alone does not tell: who writes, and what else there is.
///
/// Asked in the moment of the write, on the present state. A refusal is a thrown
/// [dev.towtank.model.StatusError]. Pure otherwise: when somebody was faster, it is asked again.
public interface Gate {

    /// The kinds that it is asked about, of which whole objects, not their subresources.
    List<Kind<?>> kinds();

    /// The object as it shall go on.
    default Json.Obj change(Entry entry, World world) {
        return entry.object();
    }

    default void check(Entry entry, World world) {}

    /// Objects that are written together with this one or not at all. What one of them was seen as must be what it
    /// still
    /// is, so that what is counted in it is counted once.
    default List<Companion> alongside(Entry entry, World world) {
        return List.of();
    }

    /// @param object what shall be stored
    /// @param old what is stored; null for a creation
    /// @param user who writes
    record Entry(
            Kind<?> kind,
            LogicalCluster cluster,
            String namespace,
            Json.Obj object,
            Json.@Nullable Obj old,
            String user,
            Set<String> groups) {
        public boolean isCreation() {
            return old == null;
        }

        public Resource resource() {
            return new Resource(cluster, object);
        }
    }

    /// @param wanted what becomes of it
    record Companion(Kind<?> kind, Resource seen, Json.Obj wanted) {}

    /// The stored objects, as they are now.
    interface World {
        Optional<Resource> get(Kind<?> kind, ObjectName name);

        List<Resource> list(Kind<?> kind, LogicalCluster cluster, String namespace);

        /// Of all namespaces.
        List<Resource> list(Kind<?> kind, LogicalCluster cluster);
    }
}
