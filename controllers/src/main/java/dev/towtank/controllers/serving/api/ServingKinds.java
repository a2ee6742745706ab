package dev.towtank.controllers.serving.api;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;

/// KServe's kinds, in the versions that are stored.
public final class ServingKinds {

    public static final String GROUP = "serving.kserve.io";

    public static final Kind<Json.Obj> INFERENCE_SERVICE = Kind.namespaced(
                    GROUP, "v1beta1", "InferenceService", "inferenceservices")
            .withStatus();
    public static final Kind<Json.Obj> SERVING_RUNTIME =
            Kind.namespaced(GROUP, "v1alpha1", "ServingRuntime", "servingruntimes");
    public static final Kind<Json.Obj> CLUSTER_SERVING_RUNTIME =
            Kind.clusterScoped(GROUP, "v1alpha1", "ClusterServingRuntime", "clusterservingruntimes");

    /// The container that answers, whatever else is in the pod.
    public static final String CONTAINER = "kserve-container";

    /// On every pod of an InferenceService: its name.
    public static final String SERVICE_LABEL = GROUP + "/inferenceservice";

    private ServingKinds() {}
}
