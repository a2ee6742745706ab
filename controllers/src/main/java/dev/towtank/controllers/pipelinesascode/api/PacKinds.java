package dev.towtank.controllers.pipelinesascode.api;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;

/// The kinds of Pipelines-as-Code, and the names that it writes on runs.
public final class PacKinds {

    public static final String GROUP = "pipelinesascode.tekton.dev";
    public static final String PREFIX = GROUP + "/";

    public static final Kind<Json.Obj> REPOSITORY = Kind.namespaced(GROUP, "v1alpha1", "Repository", "repositories");
    public static final Kind<Json.Obj> PIPELINE_RUN =
            Kind.namespaced("tekton.dev", "v1", "PipelineRun", "pipelineruns");

    /// Where its own ConfigMap and the Secret of a GitHub App are.
    public static final String NAMESPACE = "pipelines-as-code";

    private PacKinds() {}
}
