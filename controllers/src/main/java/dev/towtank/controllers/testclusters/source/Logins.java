package dev.towtank.controllers.testclusters.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.remote.RemoteAccess;
import dev.towtank.cluster.remote.RemoteCluster;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.IOException;

/// Tries whether keys that somebody brought open a cluster, and whether they open all of it: what is set up in a
/// cluster
/// is set up with rights that the keys must have themselves.
public final class Logins implements Outside.Reader<RemoteAccess, Boolean> {

    private static final Kind<Json.Obj> REVIEW =
            Kind.clusterScoped("authorization.k8s.io", "v1", "SelfSubjectAccessReview", "selfsubjectaccessreviews");

    @Override
    public Boolean read(RemoteAccess access) throws IOException {
        try (var cluster = RemoteCluster.at(access)) {
            var everything = Json.Obj.of("group", Json.of("*"), "resource", Json.of("*"), "verb", Json.of("*"));
            var review = Json.Obj.builder()
                    .put("apiVersion", REVIEW.apiVersion())
                    .put("kind", REVIEW.kind())
                    .put("metadata", Json.Obj.EMPTY)
                    .put("spec", Json.Obj.of("resourceAttributes", everything))
                    .build();
            var answer =
                    cluster.create(REVIEW, new Resource(LogicalCluster.DEFAULT, review), Cluster.WriteOptions.DEFAULT);
            if (!answer.status().flag("allowed")) {
                throw new IOException("the kubeconfig is not that of an administrator of the cluster");
            }
            return true;
        } catch (StatusError | IllegalArgumentException e) {
            throw new IOException("failed to log in at " + access.server() + ": " + e.getMessage(), e);
        }
    }
}
