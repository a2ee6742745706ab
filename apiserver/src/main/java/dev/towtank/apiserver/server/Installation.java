package dev.towtank.apiserver.server;

import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.local.LocalCluster;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.kinds.rbac.ClusterRoles;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Puts the objects that features bring with them into the default cluster, as anybody would: through the API.
final class Installation {

    private static final User SYSTEM = User.of("system:apiserver", User.MASTERS, User.ALL_AUTHENTICATED);
    private static final String AUTO_UPDATE = "rbac.authorization.kubernetes.io/autoupdate";

    private final Cluster cluster;
    private final Catalog catalog;

    Installation(Api api, Catalog catalog) {
        this.cluster = new LocalCluster(api, SYSTEM);
        this.catalog = catalog;
    }

    /// Creates what is missing and brings the rest into the given form. What is in a namespace is only created: from
    /// then
    /// on it belongs to whoever changes it. A feature whose objects are as they were last time is not read at all.
    ///
    /// @return what of it every logical cluster has
    Shared install(List<? extends Feature> features) {
        var ledger = Ledger.read(cluster);
        var entries = new TreeMap<String, Ledger.Entry>();
        for (var feature : features) {
            var fingerprint = FeatureRoles.fingerprint(feature);
            var known = ledger.entries().get(feature.name());
            entries.put(
                    feature.name(),
                    known != null && known.fingerprint().equals(fingerprint) && isUntouched(known)
                            ? known
                            : new Ledger.Entry(fingerprint, install(feature)));
        }
        ledger.write(cluster, entries);
        return shared(features, entries);
    }

    /// Of the default cluster's objects those that count in every other, too.
    ///
    /// @param definitions names of CustomResourceDefinitions
    record Shared(Set<String> definitions, List<Json.Obj> clusterRoles) {}

    private Shared shared(List<? extends Feature> features, Map<String, Ledger.Entry> entries) {
        var definitions = new HashSet<String>();
        var roles = new ArrayList<Json.Obj>();
        for (var feature : features) {
            var entry = entries.get(feature.name());
            if (entry == null || !feature.isEverywhere()) {
                continue;
            }
            for (var line : entry.objects()) {
                if (line.kind().equals(CustomResourceDefinitions.KIND.kind())) {
                    definitions.add(line.name());
                } else if (line.kind().equals(ClusterRoles.KIND.kind())
                        && !line.name().startsWith("system:")) {
                    var name = new ObjectName(LogicalCluster.DEFAULT, "", line.name());
                    cluster.get(ClusterRoles.KIND, name).ifPresent(role -> roles.add(role.json()));
                }
            }
        }
        return new Shared(definitions, roles);
    }

    private boolean isUntouched(Ledger.Entry entry) {
        return entry.objects().stream()
                .allMatch(line -> catalog.findKind(LogicalCluster.DEFAULT, line.group(), line.kind())
                        .flatMap(served -> cluster.get(
                                served.kind(), new ObjectName(LogicalCluster.DEFAULT, line.namespace(), line.name())))
                        .filter(found -> line.state().isEmpty() || line.state().equals(Ledger.state(found)))
                        .isPresent());
    }

    private List<Ledger.Line> install(Feature feature) {
        var lines = new ArrayList<Ledger.Line>();
        var objects = new ArrayList<>(FeatureRoles.objects(feature));
        objects.addAll(feature.definitions().objects());
        for (var object : objects) {
            try {
                lines.add(Ledger.Line.of(install(object)));
            } catch (StatusError e) {
                throw new IllegalStateException(
                        "cannot install " + object.string("kind") + " " + object.string("metadata", "name") + ": "
                                + e.text(),
                        e);
            }
        }
        return lines;
    }

    private Resource install(Json.Obj object) {
        var kind = kind(object);
        var namespace = object.string("metadata", "namespace");
        var name = new ObjectName(LogicalCluster.DEFAULT, namespace, object.string("metadata", "name"));
        var found = cluster.get(kind, name);
        if (found.isEmpty()) {
            return cluster.create(kind, new Resource(LogicalCluster.DEFAULT, object), WriteOptions.DEFAULT);
        }
        var present = found.get().json();
        var wanted = kind.isNamespaced() ? present : kind.completed(overlay(present, object));
        return wanted.equals(present) || isLeftAlone(present)
                ? found.get()
                : cluster.update(kind, new Resource(LogicalCluster.DEFAULT, wanted), WriteOptions.DEFAULT);
    }

    private Kind<?> kind(Json.Obj object) {
        var apiVersion = object.string("apiVersion");
        boolean isNamespaced = object.object("metadata").has("namespace");
        int slash = apiVersion.indexOf('/');
        var group = slash < 0 ? "" : apiVersion.substring(0, slash);
        return catalog.findKind(LogicalCluster.DEFAULT, group, object.string("kind"))
                .<Kind<?>>map(Catalog.Served::kind)
                .filter(kind -> kind.apiVersion().equals(apiVersion) && kind.isNamespaced() == isNamespaced)
                .orElseThrow(() -> new IllegalStateException("cannot install " + object.string("kind") + " "
                        + object.string("metadata", "name") + ": " + apiVersion
                        + " has no such kind " + (isNamespaced ? "in namespaces" : "outside of namespaces")));
    }

    // Labels and annotations that others added stay, and so does the status.
    private static Json.Obj overlay(Json.Obj present, Json.Obj wanted) {
        var result = present;
        for (int i = 0; i < wanted.size(); i++) {
            var key = wanted.key(i);
            if (!key.equals("metadata") && !key.equals("status")) {
                result = result.with(key, wanted.value(i));
            }
        }
        for (var field : List.of("labels", "annotations")) {
            var theirs = wanted.object("metadata", field);
            for (int i = 0; i < theirs.size(); i++) {
                result = result.with(List.of("metadata", field, theirs.key(i)), theirs.value(i));
            }
        }
        return result;
    }

    // As Kubernetes has it for its own roles: whoever says so keeps a role as it is.
    private static boolean isLeftAlone(Json.Obj present) {
        return present.string("metadata", "annotations", AUTO_UPDATE).equals("false");
    }
}
