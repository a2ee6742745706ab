package dev.towtank.controllers.testclusters.logical;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Map;

/// What whoever asks for a cluster may say about it in annotations: on a ClusterTemplate, a ClusterDeployment, and in
/// `spec.annotations` of a ClusterPool.
public final class Wishes {

    /// The ClusterSnapshot that it begins with.
    public static final String SNAPSHOT = "towtank.dev/snapshot";

    /// `Refuse` or `Resume`: what a request to it does while it hibernates.
    public static final String WHILE_HIBERNATING = "towtank.dev/while-hibernating";

    /// The version of the OpenShift that it pretends to be; see [OpenShift].
    public static final String OPENSHIFT = "towtank.dev/openshift";

    private static final List<String> ALL = List.of(SNAPSHOT, WHILE_HIBERNATING, OPENSHIFT);

    private Wishes() {}

    /// Those among annotations, to be handed on.
    public static Json.Obj of(Map<String, String> annotations) {
        var builder = Json.Obj.builder();
        ALL.forEach(key -> builder.putNonEmpty(key, annotations.getOrDefault(key, "")));
        return builder.build();
    }

    /// The spec of the LogicalCluster.
    static Json.Obj spec(Resource owner) {
        var annotations = owner.annotations();
        return Json.Obj.builder()
                .putNonEmpty("snapshot", annotations.getOrDefault(SNAPSHOT, ""))
                .putNonEmpty("whileHibernating", annotations.getOrDefault(WHILE_HIBERNATING, ""))
                .build();
    }
}
