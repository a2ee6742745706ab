package dev.towtank.model;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A Kubernetes object: its tree, and the logical cluster it lives in.
///
/// Reading goes through the methods here; changing means a new tree, so nothing that came from a cache can be damaged.
public final class Resource {

    private final LogicalCluster cluster;
    private final Supplier<Json.Obj> tree;

    public Resource(LogicalCluster cluster, Json.Obj json) {
        this(cluster, () -> json);
    }

    private Resource(LogicalCluster cluster, Supplier<Json.Obj> tree) {
        this.cluster = cluster;
        this.tree = tree;
    }

    /// An object whose tree is elsewhere, and is made again when it is needed after it was forgotten: a tree takes ten
    /// times the memory of its text, and most objects in a cache are never looked at again.
    ///
    /// @param tree always gives an equal one
    public static Resource kept(LogicalCluster cluster, Supplier<Json.Obj> tree) {
        return new Resource(cluster, tree);
    }

    public LogicalCluster cluster() {
        return cluster;
    }

    public Json.Obj json() {
        return tree.get();
    }

    /// An entry of `metadata.ownerReferences`.
    public record Owner(
            String apiVersion, String kind, String name, String uid, boolean controller, boolean blockOwnerDeletion) {

        static Owner read(Json.Obj json) {
            return new Owner(
                    json.string("apiVersion"),
                    json.string("kind"),
                    json.string("name"),
                    json.string("uid"),
                    json.flag("controller"),
                    json.flag("blockOwnerDeletion"));
        }

        public String group() {
            int slash = apiVersion.indexOf('/');
            return slash < 0 ? "" : apiVersion.substring(0, slash);
        }

        public Json.Obj json() {
            var builder = Json.Obj.builder()
                    .put("apiVersion", apiVersion)
                    .put("kind", kind)
                    .put("name", name)
                    .put("uid", uid);
            if (controller) {
                builder.put("controller", true);
            }
            if (blockOwnerDeletion) {
                builder.put("blockOwnerDeletion", true);
            }
            return builder.build();
        }
    }

    /// An object of the default logical cluster.
    public static Resource of(Json.Obj json) {
        return new Resource(LogicalCluster.DEFAULT, json);
    }

    public Resource with(Json.Obj changed) {
        return new Resource(cluster, changed);
    }

    public String apiVersion() {
        return json().string("apiVersion");
    }

    public String kind() {
        return json().string("kind");
    }

    public String group() {
        int slash = apiVersion().indexOf('/');
        return slash < 0 ? "" : apiVersion().substring(0, slash);
    }

    public Json.Obj metadata() {
        return json().object("metadata");
    }

    public String name() {
        return json().string("metadata", "name");
    }

    /// Empty for cluster-scoped objects.
    public String namespace() {
        return json().string("metadata", "namespace");
    }

    public String uid() {
        return json().string("metadata", "uid");
    }

    /// The opaque resource version; empty on an object that was never stored.
    public String resourceVersion() {
        return json().string("metadata", "resourceVersion");
    }

    public long generation() {
        return json().integer("metadata", "generation");
    }

    public Map<String, String> labels() {
        return json().stringMap("metadata", "labels");
    }

    public Map<String, String> annotations() {
        return json().stringMap("metadata", "annotations");
    }

    public List<String> finalizers() {
        return json().array("metadata", "finalizers").strings();
    }

    public List<Owner> owners() {
        return json().objects("metadata", "ownerReferences").stream()
                .map(Owner::read)
                .toList();
    }

    public Optional<Owner> controller() {
        return owners().stream().filter(Owner::controller).findFirst();
    }

    /// A reference to this object, to put on what it owns.
    public Owner asOwner(boolean controller) {
        return new Owner(apiVersion(), kind(), name(), uid(), controller, controller);
    }

    public boolean isDeleting() {
        return json().at("metadata", "deletionTimestamp") instanceof Json.Str;
    }

    public Optional<Instant> deletionTimestamp() {
        return instant("deletionTimestamp");
    }

    public Optional<Instant> creationTimestamp() {
        return instant("creationTimestamp");
    }

    public Json.Obj spec() {
        return json().object("spec");
    }

    public Json.Obj status() {
        return json().object("status");
    }

    /// For messages: `Pod default/web` or `Node worker`.
    public String describe() {
        return kind() + " " + (namespace().isEmpty() ? name() : namespace() + "/" + name());
    }

    private Optional<Instant> instant(String field) {
        try {
            return json().at("metadata", field) instanceof Json.Str(var text)
                    ? Optional.of(Timestamps.parse(text))
                    : Optional.empty();
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof Resource that && cluster.equals(that.cluster) && json().equals(that.json()));
    }

    @Override
    public int hashCode() {
        return 31 * cluster.hashCode() + json().hashCode();
    }

    /// Not its contents, which may be secret.
    @Override
    public String toString() {
        return describe();
    }
}
