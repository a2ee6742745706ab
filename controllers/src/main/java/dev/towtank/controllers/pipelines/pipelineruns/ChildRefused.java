package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.controllers.pipelines.runs.RunStatus.Outcome;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.time.Instant;

/// What a run comes to when the server does not take the run of one of its tasks.
///
/// @param child what was refused
record ChildRefused(Resource run, Resource child, RunStatus before, RunStatus status, Instant now)
        implements Change.Alternative {

    @Override
    public Plan after(StatusError refusal) {
        if (refusal.is(StatusError.Reason.FORBIDDEN)) {
            throw refusal; // a quota may have room again
        }
        var outcome = Outcome.failed("CreateRunFailed", refusal.text());
        var next = status.with(outcome, now).stamped("completionTime", now);
        var plan = Plan.NONE
                .setStatus(PipelineKinds.PIPELINE_RUN, run, next.json())
                .then(told(refusal.text()));
        for (var event : RunStatus.events(run, before, next)) {
            plan = plan.then(event);
        }
        return plan;
    }

    private Change told(String why) {
        var message = " [\"" + child.name() + "\"]: " + why;
        return switch (child.kind()) {
            case "CustomRun" ->
                Change.Event.warning(run, "RunsCreationFailed", "Failed to create CustomRuns" + message);
            case "PipelineRun" ->
                Change.Event.warning(
                        run, "ChildPipelineRunsCreationFailed", "Failed to create child (PIP) PipelineRuns" + message);
            default -> Change.Event.warning(run, "TaskRunsCreationFailed", "Failed to create TaskRuns" + message);
        };
    }
}
