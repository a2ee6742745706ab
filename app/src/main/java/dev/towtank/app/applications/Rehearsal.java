package dev.towtank.app.applications;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.kinds.BuiltinKinds;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.storage.StorageClasses;
import dev.towtank.model.patch.Patch;
import dev.towtank.node.volumes.StorageFeature;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Sets an empty cluster up so that a sync can be tried on it: with the namespaces, definitions and rights that the
/// sync
/// would bring, or that have to be there before. None of them does anything by itself.
public final class Rehearsal {

    private static final Set<String> SCENERY =
            Set.of("ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding", "StorageClass");
    private static final Map<String, Kind<?>> KINDS = Stream.concat(
                    BuiltinKinds.ALL.stream()
                            .filter(kind -> SCENERY.contains(kind.kind()))
                            .<Kind<?>>map(Function.identity()),
                    Stream.<Kind<?>>of(CustomResourceDefinitions.KIND))
            .collect(Collectors.toUnmodifiableMap(kind -> kind.apiVersion() + " " + kind.kind(), Function.identity()));

    private final Cluster cluster;
    private final Set<ResourceKey> given = new LinkedHashSet<>();
    private final Set<ResourceKey> props = new LinkedHashSet<>();

    public Rehearsal(Cluster cluster) {
        this.cluster = cluster;
    }

    /// @param beside what is there before, such as its project
    /// @param objects that the sync would bring
    /// @return what was made, and is there only to be tried with
    public Set<ResourceKey> prepare(Json.Obj application, List<Json.Obj> beside, List<Json.Obj> objects) {
        StorageFeature.classes().forEach(object -> apply(StorageClasses.KIND, "", object));
        var home = application.string("spec", "destination", "namespace");
        namespaces(beside, "");
        beside.stream()
                .filter(object -> object.string("kind").equals("AppProject"))
                .forEach(object -> apply(GitOpsKinds.PROJECT, GitOpsKinds.NAMESPACE, object));
        scenery(beside, "default");
        given.addAll(props);
        props.clear();
        namespaces(objects, home);
        scenery(objects, home);
        return Set.copyOf(props);
    }

    private void namespaces(List<Json.Obj> objects, String home) {
        Stream.concat(
                        Stream.of(home),
                        objects.stream()
                                .map(object -> object.string("kind").equals("Namespace")
                                        ? object.string("metadata", "name")
                                        : object.string("metadata", "namespace")))
                .filter(space -> !space.isEmpty())
                .distinct()
                .forEach(this::namespace);
    }

    private void scenery(List<Json.Obj> objects, String home) {
        for (var object : objects) {
            var kind = KINDS.get(object.string("apiVersion") + " " + object.string("kind"));
            if (kind != null) {
                apply(kind, home, object);
            }
        }
    }

    private void namespace(String name) {
        var space = Json.Obj.of(
                "apiVersion",
                Json.of("v1"),
                "kind",
                Json.of("Namespace"),
                "metadata",
                Json.Obj.of("name", Json.of(name)));
        if (cluster.get(Namespaces.KIND, new ObjectName(LogicalCluster.DEFAULT, "", name))
                .isEmpty()) {
            apply(Namespaces.KIND, "", space);
        }
    }

    // What the server would not take, the look itself will tell; and what is there before, it is to compare with.
    private void apply(Kind<?> kind, String home, Json.Obj object) {
        var metadata = object.object("metadata");
        var namespace =
                kind.isNamespaced() ? metadata.string("namespace").isEmpty() ? home : metadata.string("namespace") : "";
        var placed = object.with(
                "metadata",
                namespace.isEmpty() ? metadata.without("namespace") : metadata.with("namespace", Json.of(namespace)));
        var key = ResourceKey.of(placed);
        if (given.contains(key)) {
            return;
        }
        try {
            cluster.patch(
                    kind,
                    new ObjectName(LogicalCluster.DEFAULT, namespace, metadata.string("name")),
                    new Patch.Apply(placed),
                    new Cluster.WriteOptions("", "rehearsal", false, true));
            props.add(key);
        } catch (StatusError e) {
            // told by the look
        }
    }
}
