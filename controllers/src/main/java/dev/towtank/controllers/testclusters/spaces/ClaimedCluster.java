package dev.towtank.controllers.testclusters.spaces;

import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.controllers.testclusters.logical.Wishes;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.util.List;

/// A TestPlatformCluster, read, and the ClusterDeployment behind it.
record ClaimedCluster(Resource object) {

    static final String FINALIZER = "finalizer.apiextensions.crossplane.io";

    /// Where clusters are made that nobody asked for by Hive's kinds; tenants see nothing of it.
    static final String CLUSTERS = "towtank-clusters";

    /// On the ClusterDeployment: the namespace and name of the claim.
    static final String CLAIM = "towtank.dev/testplatformcluster";

    private static final String NEWEST = "4.20";

    private static final List<String> COPIED = List.of(
            "ephemeralcluster.ci.openshift.io/pipeline-run-name", "ephemeralcluster.ci.openshift.io/task-run-name");

    boolean isOver() {
        return object.spec().flag("tearDownCluster");
    }

    String secret() {
        return object.spec().string("writeConnectionSecretToRef", "name");
    }

    /// Of OpenShift, as far as the claim says: of its release, or of the pool that it would come from.
    private String version() {
        var test = object.spec().object("ciOperator", "test");
        var releases = object.spec().object("ciOperator", "releases");
        var latest = releases.object(releases.has("latest") ? "latest" : "initial");
        for (var source : List.of("integration", "candidate", "release", "prerelease")) {
            var name = latest.string(source, "name") + latest.string(source, "version");
            if (!name.isEmpty()) {
                return name;
            }
        }
        var claimed = test.string("clusterClaim", "version");
        return claimed.isEmpty() ? NEWEST : claimed;
    }

    Resource namespace() {
        return new Resource(
                LogicalCluster.DEFAULT,
                Json.Obj.of(
                        "apiVersion",
                        Json.of("v1"),
                        "kind",
                        Json.of("Namespace"),
                        "metadata",
                        Objects.named("", CLUSTERS)));
    }

    Resource deployment() {
        var annotations = Json.Obj.of(
                CLAIM,
                Json.of(object.namespace() + "/" + object.name()),
                "ephemeralcluster.ci.openshift.io/konflux-tenant",
                Json.of(object.namespace()),
                Wishes.OPENSHIFT,
                Json.of(version()));
        for (var key : COPIED) {
            var value = object.annotations().get(key);
            annotations = value == null ? annotations : annotations.with(key, Json.of(value));
        }
        var metadata = Objects.named(CLUSTERS, object.uid()).with("annotations", annotations);
        var spec = Json.Obj.of("clusterName", Json.of(object.name()), "baseDomain", Json.of("test.local"));
        return Objects.of(ClusterKinds.DEPLOYMENT, LogicalCluster.DEFAULT, metadata, "spec", spec);
    }
}
