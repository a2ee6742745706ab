package dev.towtank.controllers.pipelines.runs;

import dev.towtank.controllers.pipelines.api.CustomRun;
import dev.towtank.controllers.pipelines.api.PipelineRun;
import dev.towtank.controllers.pipelines.api.ResolutionRequest;
import dev.towtank.controllers.pipelines.api.TaskRun;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;

/// Tekton's kinds in the versions that the controllers read and write.
public final class PipelineKinds {

    private static final String GROUP = "tekton.dev";

    public static final Kind<Json.Obj> TASK = Kind.namespaced(GROUP, "v1", "Task", "tasks");
    public static final Kind<Json.Obj> PIPELINE = Kind.namespaced(GROUP, "v1", "Pipeline", "pipelines");
    public static final Kind<Json.Obj> STEP_ACTION = Kind.namespaced(GROUP, "v1beta1", "StepAction", "stepactions");
    public static final Kind<TaskRun> TASK_RUN =
            Kind.namespaced(GROUP, "v1", "TaskRun", "taskruns").withStatus().readAs(TaskRun.class);
    public static final Kind<PipelineRun> PIPELINE_RUN = Kind.namespaced(GROUP, "v1", "PipelineRun", "pipelineruns")
            .withStatus()
            .readAs(PipelineRun.class);
    public static final Kind<CustomRun> CUSTOM_RUN = Kind.namespaced(GROUP, "v1beta1", "CustomRun", "customruns")
            .withStatus()
            .readAs(CustomRun.class);
    public static final Kind<ResolutionRequest> RESOLUTION_REQUEST = Kind.namespaced(
                    "resolution.tekton.dev", "v1beta1", "ResolutionRequest", "resolutionrequests")
            .withStatus()
            .readAs(ResolutionRequest.class);

    private PipelineKinds() {}
}
