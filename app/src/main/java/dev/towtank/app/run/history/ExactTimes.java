package dev.towtank.app.run.history;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;

/// Puts the times at which things were seen to begin and to end into objects, which have them in whole seconds only.
///
/// @param times by the name of a run, or by `POD/STEP`
record ExactTimes(Json.Obj times) {

    /// Of a run or of a part of one.
    ///
    /// @param name of the object
    Json.Obj in(Json.Obj object, String name) {
        var seen = times.object(name);
        var status = withSteps(timed(object.object("status"), seen, "startTime", "completionTime"));
        return object.with("status", status.has("retriesStatus") ? withAttempts(status, seen) : status);
    }

    /// The run begins with its first attempt, and ends with its last.
    private Json.Obj withAttempts(Json.Obj status, Json.Obj seen) {
        var attempts = new ArrayList<Json>();
        for (var earlier : status.objects("retriesStatus")) {
            var attempt = attempt(earlier);
            attempts.add(attempts.isEmpty() ? timed(attempt, seen.without("finished"), "startTime", "") : attempt);
        }
        var last = attempt(status).with("retriesStatus", new Json.Arr(attempts));
        return timed(last, seen.without("started"), "", "completionTime");
    }

    private Json.Obj withSteps(Json.Obj status) {
        if (!status.has("steps")) {
            return status;
        }
        var steps = status.objects("steps").stream()
                .<Json>map(step -> step(status.string("podName"), step))
                .toList();
        return status.with("steps", new Json.Arr(steps));
    }

    private Json.Obj step(String pod, Json.Obj step) {
        return step.has("terminated")
                ? step.with(
                        "terminated",
                        timed(
                                step.object("terminated"),
                                times.object(pod + "/" + step.string("name")),
                                "startedAt",
                                "finishedAt"))
                : step;
    }

    /// An attempt took as long as its steps.
    private Json.Obj attempt(Json.Obj status) {
        var steps = withSteps(status);
        var seen = steps.objects("steps").stream()
                .map(step -> times.object(steps.string("podName") + "/" + step.string("name")))
                .filter(time -> time.has("started") && time.has("finished"))
                .toList();
        return seen.isEmpty()
                ? steps
                : timed(
                        steps,
                        Json.Obj.of("started", Json.of(seen.getFirst().string("started")))
                                .with("finished", Json.of(seen.getLast().string("finished"))),
                        "startTime",
                        "completionTime");
    }

    private static Json.Obj timed(Json.Obj object, Json.Obj seen, String start, String end) {
        var result = object;
        for (var field : List.of(List.of("started", start), List.of("finished", end))) {
            var moment = seen.string(field.getFirst());
            result = moment.isEmpty() ? result : result.with(field.getLast(), Json.of(moment));
        }
        return result;
    }
}
