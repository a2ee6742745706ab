package dev.towtank.cluster;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.patch.Patch;
import java.util.List;
import java.util.Optional;

/// The port to a Kubernetes API: the only way by which controllers, node and archive touch state.
///
/// Refusals are thrown as [dev.towtank.model.StatusError] with Kubernetes' reasons; where a network is between, that it
/// failed is a [java.io.UncheckedIOException]. Every implementation passes `ClusterContract`.
public interface Cluster {

    Optional<Resource> get(Kind<?> kind, ObjectName name);

    /// All selected objects, at one revision.
    Listing list(Kind<?> kind, Selection selection);

    /// Changes after a revision that a list or an earlier event told.
    Watch watch(Kind<?> kind, Selection selection, String afterResourceVersion);

    /// Creates the object; its name may come from `metadata.generateName`.
    Resource create(Kind<?> kind, Resource object, WriteOptions options);

    /// Creates all of these new objects at one moment, for what is told in one breath, in their order.
    ///
    /// @return false when something is wrong with one of them, or nobody here can do it: then nothing was done, and
    ///     each is to be created for itself
    default boolean createTogether(Kind<?> kind, List<Resource> objects, WriteOptions options) {
        return false;
    }

    /// Replaces the whole object. Its resourceVersion, where it has one, must still be the stored one.
    Resource update(Kind<?> kind, Resource object, WriteOptions options);

    Resource patch(Kind<?> kind, ObjectName name, Patch patch, WriteOptions options);

    /// Begins the deletion; finalizers may keep the object for a while.
    ///
    /// @throws dev.towtank.model.StatusError NotFound when it is gone, Conflict when a precondition fails
    void delete(Kind<?> kind, ObjectName name, DeleteOptions options);

    /// Whether there may be other logical clusters than the default one: those are of our own server alone.
    boolean hasLogicalClusters();

    /// @param resourceVersion of the whole list: where a watch goes on
    record Listing(String resourceVersion, List<Resource> items) {
        public Listing {
            items = List.copyOf(items);
        }
    }

    /// @param subresource `status`, `scale`, … or empty for the object itself
    /// @param fieldManager who owns the fields that are written
    /// @param force takes over fields that somebody else owns; for apply only
    /// @param strict refuses an object with fields that its kind does not have, where they are dropped otherwise
    record WriteOptions(String subresource, String fieldManager, boolean dryRun, boolean force, boolean strict) {
        public static final WriteOptions DEFAULT = new WriteOptions("", "", false, false);
        public static final WriteOptions STATUS = new WriteOptions("status", "", false, false);

        public WriteOptions(String subresource, String fieldManager, boolean dryRun, boolean force) {
            this(subresource, fieldManager, dryRun, force, false);
        }

        public WriteOptions by(String manager) {
            return new WriteOptions(subresource, manager, dryRun, force, strict);
        }

        public WriteOptions on(String part) {
            return new WriteOptions(part, fieldManager, dryRun, force, strict);
        }

        /// Only to see whether it would be taken.
        public WriteOptions trying() {
            return new WriteOptions(subresource, fieldManager, true, force, strict);
        }

        public WriteOptions forcing() {
            return new WriteOptions(subresource, fieldManager, dryRun, true, strict);
        }

        public WriteOptions strictly(boolean wanted) {
            return new WriteOptions(subresource, fieldManager, dryRun, force, wanted);
        }
    }

    enum Propagation {
        BACKGROUND("Background"),
        FOREGROUND("Foreground"),
        ORPHAN("Orphan");

        private final String wire;

        Propagation(String wire) {
            this.wire = wire;
        }

        public String wire() {
            return wire;
        }
    }

    /// What must be true for a deletion, and what becomes of the object's dependents.
    record DeleteOptions(
            Optional<String> uid,
            Optional<String> resourceVersion,
            Optional<Propagation> propagation,
            Optional<Long> gracePeriodSeconds) {
        public static final DeleteOptions DEFAULT =
                new DeleteOptions(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

        /// Only the very object that was seen, not a newer one of the same name.
        public static DeleteOptions ofUid(String uid) {
            return new DeleteOptions(Optional.of(uid), Optional.empty(), Optional.empty(), Optional.empty());
        }

        public DeleteOptions with(Propagation policy) {
            return new DeleteOptions(uid, resourceVersion, Optional.of(policy), gracePeriodSeconds);
        }

        public Json.Obj json() {
            var preconditions = Json.Obj.builder();
            uid.ifPresent(value -> preconditions.put("uid", value));
            resourceVersion.ifPresent(value -> preconditions.put("resourceVersion", value));
            var builder = Json.Obj.builder().put("kind", "DeleteOptions").put("apiVersion", "v1");
            builder.putNonEmpty("preconditions", preconditions.build());
            propagation.ifPresent(value -> builder.put("propagationPolicy", value.wire()));
            gracePeriodSeconds.ifPresent(value -> builder.put("gracePeriodSeconds", value));
            return builder.build();
        }
    }
}
