package dev.towtank.controllers.models.api;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;

/// Models and their versions.
public final class ModelKinds {

    public static final String GROUP = "towtank.dev";

    public static final Kind<Json.Obj> MODEL =
            Kind.namespaced(GROUP, "v1", "Model", "models").withStatus();
    public static final Kind<Json.Obj> MODEL_VERSION =
            Kind.namespaced(GROUP, "v1", "ModelVersion", "modelversions").withStatus();

    public static final Kind<Json.Obj> DRIFT_POLICY =
            Kind.namespaced(GROUP, "v1", "DriftPolicy", "driftpolicies").withStatus();

    private ModelKinds() {}
}
