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
record ChildRefused(Resource run, RunStatus before, RunStatus status, Instant now) implements Change.Alternative {

    @Override
    public Plan after(StatusError refusal) {
        if (refusal.is(StatusError.Reason.FORBIDDEN)) {
            throw refusal; // a quota may have room again
        }
        var outcome = Outcome.failed("CreateRunFailed", refusal.text());
        var plan = Plan.NONE.setStatus(
                PipelineKinds.PIPELINE_RUN,
                run,
                status.with(outcome, now).stamped("completionTime", now).json());
        for (var event : RunStatus.events(run, before.outcome(), outcome)) {
            plan = plan.then(event);
        }
        return plan;
    }
}
