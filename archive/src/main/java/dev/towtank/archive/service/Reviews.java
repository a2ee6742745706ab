package dev.towtank.archive.service;

import dev.towtank.archive.api.Permissions;
import dev.towtank.archive.api.Request;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;

/// Asks the API server whether somebody may do something, as every extension of Kubernetes does.
final class Reviews implements Permissions {

    private static final Kind<Json.Obj> KIND =
            Kind.clusterScoped("authorization.k8s.io", "v1", "SubjectAccessReview", "subjectaccessreviews");

    private final Cluster cluster;

    Reviews(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public boolean may(Request.Caller caller, String verb, String resource, String namespace) {
        var attributes = Json.Obj.builder()
                .put("group", "results.tekton.dev")
                .put("resource", resource)
                .put("verb", verb)
                .putNonEmpty("namespace", namespace)
                .build();
        var extra = Json.Obj.builder();
        caller.extra().forEach((key, values) -> extra.put(key, list(values)));
        return isAllowed(Json.Obj.builder()
                .put("user", caller.user())
                .put("groups", list(caller.groups()))
                .putNonEmpty("uid", caller.uid())
                .putNonEmpty("extra", extra.build())
                .put("resourceAttributes", attributes)
                .build());
    }

    /// Whether somebody may look at a workspace.
    boolean maySee(WebRequest.Caller caller, Resource space) {
        var attributes = Json.Obj.builder()
                .put("group", "toolchain.dev.openshift.com")
                .put("resource", "spaces")
                .put("verb", "get")
                .put("namespace", space.namespace())
                .put("name", space.name())
                .build();
        return isAllowed(Json.Obj.builder()
                .put("user", caller.name())
                .put("groups", list(caller.groups()))
                .put("resourceAttributes", attributes)
                .build());
    }

    private boolean isAllowed(Json.Obj spec) {
        var review = Json.Obj.builder()
                .put("apiVersion", "authorization.k8s.io/v1")
                .put("kind", "SubjectAccessReview")
                .put("spec", spec)
                .build();
        return cluster.create(KIND, new Resource(LogicalCluster.DEFAULT, review), Cluster.WriteOptions.DEFAULT)
                .status()
                .flag("allowed");
    }

    private static Json.Arr list(List<String> values) {
        return new Json.Arr(new ArrayList<>(values.stream().map(Json::of).toList()));
    }
}
