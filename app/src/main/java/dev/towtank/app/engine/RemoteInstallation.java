package dev.towtank.app.engine;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Permission;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.crd.DefinedKinds;
import dev.towtank.model.kinds.BuiltinKinds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What features need in a cluster that is not ours: their definitions, and an account with their rights and no more.
public final class RemoteInstallation {

    static final String NAMESPACE = "kube-system";
    static final String NAME = "towtank-controllers";

    /// An account, its rights to lead, and a role that gets those of the features.
    private static final String ACCOUNT = """
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: NAME, namespace: NAMESPACE}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: NAME, namespace: NAMESPACE}
            rules:
            - {apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, create, update]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: NAME, namespace: NAMESPACE}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: NAME}
            subjects: [{kind: ServiceAccount, name: NAME, namespace: NAMESPACE}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: NAME}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: NAME}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: NAME}
            subjects: [{kind: ServiceAccount, name: NAME, namespace: NAMESPACE}]
            """.replace("NAMESPACE", NAMESPACE).replace("NAME", NAME);

    private RemoteInstallation() {}

    /// For an administrator to apply before somebody with fewer rights runs the controllers.
    public static List<Json.Obj> objects(List<Feature> features) {
        var objects = new ArrayList<>(definitions(features));
        for (var document : YamlText.parseAll(ACCOUNT.getBytes(StandardCharsets.UTF_8))) {
            var object = (Json.Obj) document;
            objects.add(object.string("kind").equals("ClusterRole") ? object.with("rules", rights(features)) : object);
        }
        return objects;
    }

    /// What every feature may do, to write Events about it, to see kinds come and go, and to ask who somebody is who
    /// comes to an endpoint.
    private static Json.Arr rights(List<Feature> features) {
        return new Json.Arr(Stream.of(
                        features.stream().flatMap(feature -> feature.permissions().stream()),
                        Permission.EVENTS.stream(),
                        Permission.read("""
                                read | apiextensions.k8s.io | customresourcedefinitions
                                create | authentication.k8s.io | tokenreviews
                                create | authorization.k8s.io | subjectaccessreviews
                                """).stream())
                .flatMap(each -> each)
                .distinct()
                .<Json>map(Permission::json)
                .toList());
    }

    private static List<Json.Obj> definitions(List<Feature> features) {
        return features.stream()
                .flatMap(feature -> feature.definitions().objects().stream())
                .toList();
    }

    /// Creates what is missing. What is there stays as it is: it may be somebody else's, and newer.
    ///
    /// @return how many were created
    public static int install(Cluster cluster, List<Feature> features) {
        int created = 0;
        var definitions = definitions(features);
        for (var object : definitions) {
            created += installed(cluster, kind(object, definitions), object) ? 1 : 0;
        }
        return created;
    }

    private static boolean installed(Cluster cluster, Kind<?> kind, Json.Obj object) {
        var name = ObjectName.of(new Resource(LogicalCluster.DEFAULT, object));
        try {
            if (cluster.get(kind, name).isPresent()) {
                return false;
            }
            cluster.create(kind, new Resource(LogicalCluster.DEFAULT, object), WriteOptions.DEFAULT);
            return true;
        } catch (StatusError e) {
            if (e.is(StatusError.Reason.ALREADY_EXISTS)) {
                return false;
            }
            throw e.is(StatusError.Reason.FORBIDDEN) ? notAllowed(object, e) : e;
        }
    }

    private static Failure notAllowed(Json.Obj object, StatusError problem) {
        return new Failure(
                "The cluster lacks " + object.string("kind") + " " + object.string("metadata", "name")
                        + ", and this account may not look or create it: " + problem.text()
                        + " Let an administrator apply what 'controllers --print' prints, and start with"
                        + " --no-install.",
                problem);
    }

    private static Kind<?> kind(Json.Obj object, List<Json.Obj> definitions) {
        var apiVersion = object.string("apiVersion");
        var kind = object.string("kind");
        return Stream.concat(
                        Stream.concat(BuiltinKinds.ALL.stream(), Stream.of(CustomResourceDefinitions.KIND)),
                        definitions.stream().flatMap(each -> DefinedKinds.served(each).stream()))
                .filter(each ->
                        each.apiVersion().equals(apiVersion) && each.kind().equals(kind))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("a feature installs an unknown kind: " + kind));
    }
}
