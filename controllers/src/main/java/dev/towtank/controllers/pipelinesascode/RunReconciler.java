package dev.towtank.controllers.pipelinesascode;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.controllers.pipelinesascode.runs.PacSettings;
import dev.towtank.controllers.pipelinesascode.runs.RunObjects;
import dev.towtank.controllers.pipelinesascode.runs.RunReports;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Tells the forge how a run has ended, once, and clears away older ones of its name.
final class RunReconciler implements Reconciler<Json.Obj, RunReconciler.Facts> {

    /// @param repository that it is of, while there is one
    /// @param siblings all runs of the same template
    record Facts(Optional<Resource> repository, List<Resource> siblings, PacSettings settings) {}

    /// Tells the forge. To tell it twice does no harm.
    record Report(Resource repository, Resource run, PacSettings settings) implements Deed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("report", Json.of(run.describe()));
        }
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Facts facts, Instant now) {
        var run = observed.object();
        if (!RunReports.isDone(run) || run.isDeleting()) {
            return Plan.NONE;
        }
        if (RunReports.state(run).equals(RunObjects.COMPLETED)) {
            return cleared(run, facts);
        }
        var completed = Plan.NONE.patch(PacKinds.PIPELINE_RUN, run, state(RunObjects.COMPLETED));
        return facts.repository()
                .map(repository ->
                        Plan.of(new Change.Act(new Report(repository, run, facts.settings()), _ -> completed)))
                .orElse(completed);
    }

    static Json.Obj state(String state) {
        var marks = Json.Obj.of(PacKinds.PREFIX + "state", Json.of(state));
        return Json.Obj.of("metadata", Json.Obj.of("labels", marks, "annotations", marks));
    }

    private static Plan cleared(Resource run, Facts facts) {
        var kept = facts.settings().kept(RunReports.annotation(run, "max-keep-runs"));
        if (kept.isEmpty()) {
            return Plan.NONE;
        }
        var old = facts.siblings().stream()
                .filter(RunReports::isDone)
                .filter(each -> RunReports.state(each).equals(RunObjects.COMPLETED))
                .sorted(Comparator.<Resource, String>comparing(
                                each -> each.status().string("completionTime"))
                        .reversed())
                .skip(kept.getAsInt())
                .toList();
        var plan = Plan.NONE;
        for (var each : old) {
            plan = plan.delete(PacKinds.PIPELINE_RUN, each);
        }
        return plan;
    }
}
