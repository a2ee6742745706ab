package dev.towtank.controllers.notebooks.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.notebooks.api.Follower;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.Timestamps;
import dev.towtank.model.patch.Patch;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Does what `mlops.dev/on-success-trigger` asks for, where the account of the notebook's pod may do it.
public final class Followers {

    private static final Kind<Json.Obj> REVIEW =
            Kind.clusterScoped("authorization.k8s.io", "v1", "SubjectAccessReview", "subjectaccessreviews");

    private static final Map<String, Kind<Json.Obj>> KINDS = Map.of(
            "Deployment", Kind.namespaced("apps", "v1", "Deployment", "deployments"),
            "StatefulSet", Kind.namespaced("apps", "v1", "StatefulSet", "statefulsets"),
            "InferenceService",
                    Kind.namespaced("serving.kserve.io", "v1beta1", "InferenceService", "inferenceservices"),
            "Application", Kind.namespaced("argoproj.io", "v1alpha1", "Application", "applications"));

    private final Cluster cluster;
    private final InstantSource clock;

    public Followers(Cluster cluster, InstantSource clock) {
        this.cluster = cluster;
        this.clock = clock;
    }

    /// @return one entry for each, with what came of it
    public Json.Arr of(Resource job) {
        var told = new ArrayList<Json>();
        for (var follower : Follower.all(job)) {
            told.add(Json.Obj.builder()
                    .put("kind", follower.kind())
                    .put("name", follower.name())
                    .put("action", follower.action())
                    .put("result", done(job, follower))
                    .build());
        }
        return new Json.Arr(told);
    }

    private String done(Resource job, Follower follower) {
        var kind = KINDS.get(follower.kind());
        if (kind == null) {
            return "failed: " + follower.kind() + " cannot be started again; only "
                    + String.join(", ", KINDS.keySet().stream().sorted().toList());
        }
        var namespace = follower.namespace().isEmpty() ? job.namespace() : follower.namespace();
        var account = job.spec().string("podConfig", "serviceAccountName");
        var user = "system:serviceaccount:" + job.namespace() + ":" + (account.isEmpty() ? "default" : account);
        try {
            if (!mayPatch(job, user, kind, namespace, follower.name())) {
                return "failed: User \"" + user + "\" cannot patch resource \"" + kind.plural() + "\" in API group \""
                        + kind.group() + "\" in the namespace \"" + namespace + "\"";
            }
            cluster.patch(
                    kind,
                    new ObjectName(job.cluster(), namespace, follower.name()),
                    new Patch.Merge(patch(follower)),
                    Cluster.WriteOptions.DEFAULT);
            return "done";
        } catch (StatusError e) {
            return "failed: " + e.text();
        }
    }

    private Json.Obj patch(Follower follower) {
        var now = Json.of(Timestamps.seconds(clock.instant()));
        return switch (follower.kind()) {
            case "InferenceService" ->
                Json.Obj.EMPTY.with(List.of("metadata", "annotations", "mlops.dev/restartedAt"), now);
            case "Application" ->
                follower.action().equals("refresh")
                        ? Json.Obj.EMPTY.with(
                                List.of("metadata", "annotations", "argocd.argoproj.io/refresh"), Json.of("normal"))
                        : Json.Obj.EMPTY.with(List.of("operation", "sync"), Json.Obj.EMPTY);
            default ->
                Json.Obj.EMPTY.with(
                        List.of("spec", "template", "metadata", "annotations", "kubectl.kubernetes.io/restartedAt"),
                        now);
        };
    }

    private boolean mayPatch(Resource job, String user, Kind<?> kind, String namespace, String name) {
        var attributes = Json.Obj.builder()
                .put("verb", "patch")
                .put("group", kind.group())
                .put("resource", kind.plural())
                .put("namespace", namespace)
                .put("name", name)
                .build();
        var groups =
                List.of("system:serviceaccounts", "system:serviceaccounts:" + job.namespace(), "system:authenticated");
        var review = Json.Obj.builder()
                .put("apiVersion", REVIEW.apiVersion())
                .put("kind", REVIEW.kind())
                .put("metadata", Json.Obj.EMPTY)
                .put(
                        "spec",
                        Json.Obj.of(
                                "user", Json.of(user),
                                "groups", Json.Arr.ofStrings(groups),
                                "resourceAttributes", attributes))
                .build();
        return cluster.create(REVIEW, job.with(review), Cluster.WriteOptions.DEFAULT)
                .status()
                .flag("allowed");
    }
}
