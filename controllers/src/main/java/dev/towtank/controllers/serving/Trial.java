package dev.towtank.controllers.serving;

import dev.towtank.controllers.serving.api.Routes;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// A new revision that takes over by steps: how far it is, and what comes next. What was decided is in `status.rollout`
/// of
/// the InferenceService, so that a server that starts again goes on from there.
///
/// @param status what is remembered; nothing where no revision is on trial
/// @param percent that the revision gets; absent for as much as the predictor says
/// @param isOn whether it may not have everything for good yet
/// @param failure why it gets nothing any more
/// @param needsTest whether it is to be asked before anything else is decided
/// @param lookAgain when its errors are counted next
record Trial(
        Json.Obj status,
        Optional<Long> percent,
        boolean isOn,
        Optional<String> failure,
        boolean needsTest,
        Optional<Instant> lookAgain) {

    /// Fewer answers than these say nothing about a model before its step is over.
    private static final long JUDGED_EARLY = 10;

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    static final Trial NONE =
            new Trial(Json.Obj.EMPTY, Optional.empty(), false, Optional.empty(), false, Optional.empty());

    /// @param latest of the predictor
    /// @param hasStable whether an older revision serves, to which requests can go back
    static Trial of(Resource service, ServiceFacts facts, RevisionState latest, boolean hasStable, Instant now) {
        var steps = Steps.of(service);
        boolean isByHand = service.spec().object("predictor").has("canaryTrafficPercent");
        if (steps.isEmpty() || isByHand || !hasStable) {
            return NONE;
        }
        var known = service.status().object("rollout");
        boolean isSame = known.string("revision").equals(latest.name());
        if (isSame && known.has("failure")) {
            return failed(known, known.string("failure"));
        }
        if (!latest.isReady()) {
            return new Trial(
                    isSame ? known : Json.Obj.EMPTY, Optional.of(0L), true, Optional.empty(), false, Optional.empty());
        }
        var tally = facts.tallies().getOrDefault(latest.name(), Routes.Tally.NONE);
        return isSame
                ? judged(steps.get(), known, tally, facts.tested(), now)
                : step(steps.get(), latest.name(), 0, tally, now);
    }

    private static Trial failed(Json.Obj known, String why) {
        return new Trial(known, Optional.of(0L), true, Optional.of(why), false, Optional.empty());
    }

    private static Trial step(Steps steps, String revision, int step, Routes.Tally tally, Instant now) {
        var status = Json.Obj.builder()
                .put("failuresBefore", tally.failures())
                .put("percent", steps.percents().get(step))
                .put("requestsBefore", tally.requests())
                .put("revision", revision)
                .put("since", now.toString())
                .put("step", step)
                .build();
        return on(steps, status, now);
    }

    private static Trial on(Steps steps, Json.Obj status, Instant now) {
        var end = since(status).plus(steps.every());
        var next = now.plus(BETWEEN_LOOKS);
        return new Trial(
                status,
                Optional.of(status.integer("percent")),
                true,
                Optional.empty(),
                false,
                Optional.of(end.isAfter(now) && end.isBefore(next) ? end : next));
    }

    private static Instant since(Json.Obj status) {
        return Timestamps.parse(status.string("since"));
    }

    private static Trial judged(Steps steps, Json.Obj known, Routes.Tally tally, Optional<String> tested, Instant now) {
        var since = tally.since(new Routes.Tally(known.integer("requestsBefore"), known.integer("failuresBefore")));
        boolean isOver = !now.isBefore(since(known).plus(steps.every())) && since.requests() >= steps.minRequests();
        boolean isBad = since.failures() > steps.maxErrorRate() * since.requests();
        if (isBad && (isOver || since.requests() >= Math.max(JUDGED_EARLY, steps.minRequests()))) {
            return failed(
                    known,
                    now,
                    "failed %d of %d requests with %d %% of them, more than a share of %s"
                            .formatted(
                                    since.failures(),
                                    since.requests(),
                                    known.integer("percent"),
                                    steps.maxErrorRate()));
        }
        if (!isOver) {
            return on(steps, known, now);
        }
        if (steps.test().isPresent() && tested.isEmpty()) {
            return new Trial(
                    known, Optional.of(known.integer("percent")), true, Optional.empty(), true, Optional.empty());
        }
        if (tested.filter(problem -> !problem.isEmpty()).isPresent()) {
            return failed(known, now, "failed its test: " + tested.get());
        }
        int next = (int) known.integer("step") + 1;
        return next < steps.percents().size() ? step(steps, known.string("revision"), next, tally, now) : NONE;
    }

    private static Trial failed(Json.Obj known, Instant now, String how) {
        var why = "Revision " + known.string("revision") + " " + how + ": requests go to the one before it again";
        return failed(
                known.with("failure", Json.of(why))
                        .with("failedAt", Json.of(Timestamps.seconds(now)))
                        .with("percent", Json.of(0)),
                why);
    }
}
