package dev.towtank.archive.watch;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Locale;

/// The kinds that are archived, and those that tell about them.
public final class RunKinds {

    public static final Kind<Json.Obj> PIPELINE_RUN =
            Kind.namespaced("tekton.dev", "v1", "PipelineRun", "pipelineruns");
    public static final Kind<Json.Obj> TASK_RUN = Kind.namespaced("tekton.dev", "v1", "TaskRun", "taskruns");
    public static final Kind<Json.Obj> CUSTOM_RUN = Kind.namespaced("tekton.dev", "v1beta1", "CustomRun", "customruns");
    public static final Kind<Json.Obj> POD = Kind.namespaced("", "v1", "Pod", "pods");
    public static final Kind<Json.Obj> EVENT = Kind.namespaced("", "v1", "Event", "events");

    public static final List<Kind<Json.Obj>> RUNS = List.of(PIPELINE_RUN, TASK_RUN, CUSTOM_RUN);

    private RunKinds() {}

    static Kind<Json.Obj> of(Resource run) {
        return RUNS.stream()
                .filter(kind -> kind.kind().equals(run.kind()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(run.kind() + " is no run"));
    }

    static String finalizer(Resource run) {
        return Marks.PREFIX + run.kind().toLowerCase(Locale.ROOT);
    }
}
