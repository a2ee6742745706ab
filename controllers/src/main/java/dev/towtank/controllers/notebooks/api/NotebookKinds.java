package dev.towtank.controllers.notebooks.api;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;

/// The kinds of notebooks.
public final class NotebookKinds {

    public static final Kind<Json.Obj> JOB = Kind.namespaced(
                    "mlops.mlops.dev", "v1alpha1", "NotebookValidationJob", "notebookvalidationjobs")
            .withStatus();

    /// What images of jobs are built by, where they are built by pipelines.
    public static final Kind<Json.Obj> PIPELINE = Kind.namespaced("tekton.dev", "v1", "Pipeline", "pipelines");

    public static final Kind<Json.Obj> PIPELINE_RUN =
            Kind.namespaced("tekton.dev", "v1", "PipelineRun", "pipelineruns").withStatus();
    public static final Kind<Json.Obj> TASK_RUN =
            Kind.namespaced("tekton.dev", "v1", "TaskRun", "taskruns").withStatus();
    public static final Kind<Json.Obj> CUSTOM_RUN =
            Kind.namespaced("tekton.dev", "v1beta1", "CustomRun", "customruns").withStatus();

    /// What a CustomRun refers to that makes the image of the job it names. There are no objects of it.
    public static final String IMAGE = "NotebookImage";

    private NotebookKinds() {}
}
