package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.cluster.Plan;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.List;

/// Ends the runs of tasks before their time.
final class Cancellation {

    private Cancellation() {}

    static Plan cancel(List<ChildRun> runs) {
        return end(
                runs,
                "TaskRun cancelled as the PipelineRun it belongs to has been cancelled.",
                "CustomRun cancelled as the PipelineRun it belongs to has been cancelled.");
    }

    static Plan timeOut(List<ChildRun> runs) {
        return end(runs, Children.TASK_TIMEOUT, Children.CUSTOM_TIMEOUT);
    }

    /// Those that are over or cancelled already stay as they are.
    private static Plan end(List<ChildRun> runs, String taskMessage, String customMessage) {
        var plan = Plan.NONE;
        for (var child : runs) {
            var run = child.run();
            if (child.isOver() || run.isDeleting()) {
                continue;
            }
            plan = switch (child.kind()) {
                case "TaskRun" -> patch(plan, run, "TaskRunCancelled", taskMessage);
                case "CustomRun" -> patch(plan, run, "RunCancelled", customMessage);
                default -> patchPipeline(plan, run);
            };
        }
        return plan;
    }

    private static Plan patch(Plan plan, Resource run, String status, String message) {
        if (run.spec().string("status").equals(status)) {
            return plan;
        }
        var kind = run.kind().equals("TaskRun") ? PipelineKinds.TASK_RUN : PipelineKinds.CUSTOM_RUN;
        return plan.patch(
                kind,
                run,
                Json.Obj.of("spec", Json.Obj.of("status", Json.of(status), "statusMessage", Json.of(message))));
    }

    private static Plan patchPipeline(Plan plan, Resource run) {
        return run.spec().string("status").equals("Cancelled")
                ? plan
                : plan.patch(
                        PipelineKinds.PIPELINE_RUN,
                        run,
                        Json.Obj.of("spec", Json.Obj.of("status", Json.of("Cancelled"))));
    }
}
