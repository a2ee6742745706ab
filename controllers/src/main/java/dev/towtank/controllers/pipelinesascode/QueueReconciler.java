package dev.towtank.controllers.pipelinesascode;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.controllers.pipelinesascode.runs.RunObjects;
import dev.towtank.controllers.pipelinesascode.runs.RunReports;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/// Lets as many runs of a repository run at once as its limit allows, the oldest first.
///
/// The queue is what the runs themselves say, and nothing is kept beside them: so nothing can drift from it.
final class QueueReconciler implements Reconciler<Json.Obj, QueueReconciler.Facts> {

    /// @param limit how many may run at once; less than one for no limit
    /// @param runs of the Repository
    record Facts(long limit, List<Resource> runs) {}

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Facts facts, Instant now) {
        var runs = facts.runs();
        long limit = facts.limit();
        long running = runs.stream()
                .filter(run -> RunReports.state(run).equals(RunObjects.STARTED) && !RunReports.isDone(run))
                .count();
        long free = limit > 0 ? limit - running : Long.MAX_VALUE;
        var plan = Plan.NONE;
        var waiting = runs.stream()
                .filter(run -> RunReports.state(run).equals(RunObjects.QUEUED) && !RunReports.isDone(run))
                .sorted(Comparator.<Resource, String>comparing(
                                run -> run.metadata().string("creationTimestamp"))
                        .thenComparing(Resource::name))
                .toList();
        for (var run : waiting) {
            if (free-- <= 0) {
                break;
            }
            var fields = RunReconciler.state(RunObjects.STARTED);
            plan = plan.patch(
                    PacKinds.PIPELINE_RUN,
                    run,
                    run.spec().string("status").equals("PipelineRunPending")
                            ? fields.with("spec", Json.Obj.of("status", Json.Null.NULL))
                            : fields);
        }
        return plan;
    }
}
