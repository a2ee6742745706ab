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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Tells the forge how a run has ended, once, and clears away older ones of its name.
final class RunReconciler implements Reconciler<Json.Obj, RunReconciler.Facts> {

    private static final int MOST_NOTED = 5;

    /// @param repository that it is of, while there is one
    /// @param siblings all runs of the same template
    /// @param taskRuns of the run
    record Facts(
            Optional<Resource> repository, List<Resource> siblings, List<Resource> taskRuns, PacSettings settings) {}

    /// Tells the forge. To tell it twice does no harm.
    ///
    /// @param isOver whether it has ended, or is about to run
    record Report(Resource repository, Resource run, List<Resource> taskRuns, PacSettings settings, boolean isOver)
            implements Deed {
        Report {
            taskRuns = List.copyOf(taskRuns);
        }

        @Override
        public Json.Obj json() {
            return Json.Obj.of("report", Json.of(run.describe()));
        }
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Facts facts, Instant now) {
        var run = observed.object();
        if (run.isDeleting()) {
            return Plan.NONE;
        }
        if (!RunReports.isDone(run)) {
            return started(run, facts);
        }
        if (RunReports.state(run).equals(RunObjects.COMPLETED)) {
            return cleared(run, facts);
        }
        var completed = Plan.NONE.patch(PacKinds.PIPELINE_RUN, run, state(RunObjects.COMPLETED));
        return facts.repository()
                .map(repository -> Plan.of(new Change.Act(
                        new Report(repository, run, facts.taskRuns(), facts.settings(), true),
                        _ -> noted(repository, run).then(completed))))
                .orElse(completed);
    }

    /// One that waited for others runs now.
    private static Plan started(Resource run, Facts facts) {
        boolean isNews = RunReports.state(run).equals(RunObjects.STARTED)
                && RunReports.annotation(run, RunObjects.START_TOLD).isEmpty();
        if (!isNews || facts.repository().isEmpty()) {
            return Plan.NONE;
        }
        var told = Json.Obj.of(PacKinds.PREFIX + RunObjects.START_TOLD, Json.of("true"));
        return Plan.of(new Change.Act(
                new Report(facts.repository().get(), run, List.of(), facts.settings(), false),
                _ -> Plan.NONE.patch(
                        PacKinds.PIPELINE_RUN, run, Json.Obj.of("metadata", Json.Obj.of("annotations", told)))));
    }

    /// The last runs of a Repository are on it, outside of its status, where everybody looks for them.
    private static Plan noted(Resource repository, Resource run) {
        var known = repository.json().objects("pipelinerun_status");
        if (known.stream().anyMatch(each -> each.string("pipelineRunName").equals(run.name()))) {
            return Plan.NONE;
        }
        var all = new ArrayList<Json>(known);
        all.add(RunReports.summary(run));
        var last = all.subList(Math.max(0, all.size() - MOST_NOTED), all.size());
        return Plan.NONE.patch(
                PacKinds.REPOSITORY, repository, Json.Obj.of("pipelinerun_status", new Json.Arr(List.copyOf(last))));
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
