package dev.towtank.controllers.triggers;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.triggers.api.TriggersKinds;
import dev.towtank.controllers.triggers.events.Schedule;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Instant;

/// Starts the templates of Triggers that have a schedule: no pod, and no event.
final class ScheduleReconciler implements Reconciler<Json.Obj, Boolean> {

    /// @param due the moment that it is for
    record Start(ObjectName trigger, Instant due) implements Deed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("start", Json.of(trigger.toString()), "due", Json.of(Timestamps.seconds(due)));
        }
    }

    private record Started(Resource trigger, Instant due) implements Deed.Sequel {
        @Override
        public Plan after(Json result) {
            var told = result instanceof Json.Obj object
                    ? object
                    : Json.Obj.of("message", Json.of("the server ended meanwhile; it is not known what was created"));
            return Plan.of(new Change.SetStatus(
                    TriggersKinds.TRIGGER,
                    trigger,
                    trigger.status()
                            .with("lastScheduleTime", Json.of(Timestamps.seconds(due)))
                            .with("lastSchedule", told)));
        }
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Boolean nothing, Instant now) {
        var trigger = primary.object();
        var text = trigger.annotations().getOrDefault(Schedule.ANNOTATION, "");
        if (text.isEmpty() || trigger.isDeleting()) {
            return Plan.none();
        }
        var problem = Schedule.problem(text);
        if (problem.isPresent()) {
            var told = Json.Obj.of("message", Json.of("annotation " + Schedule.ANNOTATION + ": " + problem.get()));
            return Plan.none()
                    .setStatus(TriggersKinds.TRIGGER, trigger, trigger.status().with("lastSchedule", told));
        }
        var schedule = Schedule.parse(text);
        var since = Timestamps.parseSeconds(trigger.status().string("lastScheduleTime"))
                .or(trigger::creationTimestamp)
                // A clock that was set back must not stop it until it has caught up.
                .filter(moment -> !moment.isAfter(now))
                .orElse(now);
        var due = schedule.due(since, now);
        if (due.isPresent()) {
            return Plan.of(new Change.ActOnce(
                    TriggersKinds.TRIGGER,
                    trigger,
                    new Start(primary.name(), due.get()),
                    new Started(trigger, due.get())));
        }
        return schedule.next(now).map(Plan::lookAgainAt).orElse(Plan.none());
    }
}
