package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.pipelines.api.TaskRun;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.controllers.pipelines.runs.RunStatus.Outcome;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.time.Duration;
import java.time.Instant;

/// What a run comes to when the server does not take its pod.
record PodRefused(Resource run, TaskRun value, RunStatus before, RunStatus status, Instant now)
        implements Change.Alternative {

    private static final Duration NEXT_TRY = Duration.ofMinutes(1);

    @Override
    public Plan after(StatusError refusal) {
        var text = refusal.text();
        if (refusal.is(StatusError.Reason.FORBIDDEN) && text.contains("exceeded quota")) {
            // It has not started while there is no room for it, so its time does not run.
            var waiting = status.without("startTime")
                    .with(
                            Outcome.running(
                                    "ExceededResourceQuota", "TaskRun Pod exceeded available resources: " + text),
                            now);
            return TaskRunEnd.write(run, value, before, waiting, now).then(Plan.lookAgainAt(now.plus(NEXT_TRY)));
        }
        var outcome = refusal.is(StatusError.Reason.FORBIDDEN)
                        && (text.contains("violates PodSecurity") || text.contains("security context constraint"))
                ? Outcome.failed("PodAdmissionFailed", text)
                : Outcome.failed(
                        "PodCreationFailed",
                        "failed to create task run pod \"%s\": %s. Maybe %s".formatted(run.name(), text, suspect()));
        return TaskRunEnd.write(run, value, before, status.with(outcome, now).stamped("completionTime", now), now);
    }

    private String suspect() {
        return value.spec()
                .taskRef()
                .map(reference -> "missing or invalid Task %s/%s".formatted(run.namespace(), reference.name()))
                .orElse("invalid TaskSpec");
    }
}
