package dev.towtank.controllers.models;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside.Answer;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.models.api.Drift;
import dev.towtank.controllers.models.api.ModelKinds;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.ObjectBuilder;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Raises an alert when a model is asked other things than it was trained with: once, and again only when a pause is
/// over.
/// When that is no longer so, the alert is taken back.
final class DriftReconciler implements Reconciler<Json.Obj, DriftFacts> {

    private static final Duration AFTER_A_PROBLEM = Duration.ofSeconds(30);
    /// How late an alert that goes on may be told again.
    private static final Duration LATE = Duration.ofMinutes(5);

    /// The status, when the alert is out.
    private record Told(Resource policy, Json.Obj status, Json.Obj before, Change.Event event) implements Deed.Sequel {
        @Override
        public Plan after(Json result) {
            var problem = result instanceof Json.Str(var text) ? text : "";
            if (problem.isEmpty()) {
                return Plan.none()
                        .setStatus(ModelKinds.DRIFT_POLICY, policy, status)
                        .then(event);
            }
            var said = "%s was not told: %s".formatted(policy.spec().string("alert", "url"), problem);
            return Plan.none()
                    .setStatus(ModelKinds.DRIFT_POLICY, policy, before.with("problem", Json.of(said)))
                    .then(Change.Event.warning(policy, "AlertFailed", said));
        }
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, DriftFacts facts, Instant now) {
        var policy = primary.object();
        if (policy.isDeleting()) {
            return Plan.none();
        }
        return switch (facts.reading().orElse(null)) {
            case null -> said(policy, "NotServed", "No pod of InferenceService " + facts.service() + " serves", now);
            case Answer.Pending<Drift.Reading> _ -> Plan.none();
            case Answer.Failed<Drift.Reading> failed -> said(policy, "Unknown", failed.problem(), now);
            case Answer.Known<Drift.Reading>(var reading, var _) -> judged(policy, reading, now);
        };
    }

    private static Plan said(Resource policy, String phase, String message, Instant now) {
        var status = carried(policy, phase, message, now).build();
        return Plan.none().setStatus(ModelKinds.DRIFT_POLICY, policy, status);
    }

    /// With what must not be forgotten: since when it drifts, and when that was told.
    private static ObjectBuilder carried(Resource policy, String phase, String message, Instant now) {
        var isDrifting = phase.equals("Drifting");
        var value = isDrifting ? "True" : phase.equals("Stable") ? "False" : "Unknown";
        var since = Timestamps.ofCondition(policy.status(), "Drifting", value, now);
        var condition = Json.Obj.builder()
                .put("lastTransitionTime", since)
                .put("message", message)
                .put("reason", phase)
                .put("status", value)
                .put("type", "Drifting")
                .build();
        return Json.Obj.builder()
                .putNonEmpty("alertedAt", policy.status().string("alertedAt"))
                .put("conditions", Json.Arr.of(condition))
                .put("observedGeneration", policy.generation())
                .put("phase", phase)
                .putNonEmpty("startsAt", policy.status().string("startsAt"));
    }

    private static Plan judged(Resource policy, Drift.Reading reading, Instant now) {
        if (!reading.hasProfile()) {
            return said(
                    policy,
                    "NoProfile",
                    "The model has no profile.json that tells what it was trained with, so nothing can be compared",
                    now);
        }
        long least = policy.spec().integerOr(100, "minRows");
        if (reading.rows() < least) {
            return said(
                    policy,
                    "TooFewRows",
                    "%d rows came within the window; %d are needed".formatted(reading.rows(), least),
                    now);
        }
        var worst = reading.features().entrySet().stream()
                .max(Map.Entry.<String, Double>comparingByValue().thenComparing(Map.Entry.comparingByKey()));
        double index = worst.map(Map.Entry::getValue).orElse(0.0);
        double answers = reading.predictions().orElse(0);
        double limit = number(policy.spec(), "threshold", 0.2);
        boolean isDrifting = index > limit || answers > number(policy.spec(), "predictionThreshold", limit);
        var message = summary(policy, worst, reading, isDrifting);
        var status = carried(policy, isDrifting ? "Drifting" : "Stable", message, now)
                .put("rows", reading.rows())
                .putNonEmpty("feature", worst.map(Map.Entry::getKey).orElse(""))
                .put("psi", Json.of(text(index)));
        reading.predictions().ifPresent(value -> status.put("predictionDrift", text(value)));
        return alerted(policy, status.build(), isDrifting, message, now);
    }

    private static String summary(
            Resource policy, Optional<Map.Entry<String, Double>> worst, Drift.Reading reading, boolean isDrifting) {
        var text = new StringBuilder("Model " + policy.spec().string("model"));
        text.append(isDrifting ? " drifts" : " is asked what it was trained with");
        worst.ifPresent(each -> text.append(", PSI of " + each.getKey() + " is " + text(each.getValue())));
        reading.predictions().ifPresent(value -> text.append(", of its predictions " + text(value)));
        return text.toString();
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    static double number(Json.Obj spec, String field, double usual) {
        return switch (spec.get(field)) {
            case Json.Int(var value) -> value;
            case Json.Real(var value) -> value;
            case null, default -> usual;
        };
    }

    private static Plan alerted(Resource policy, Json.Obj status, boolean isDrifting, String message, Instant now) {
        var startsAt = policy.status().string("startsAt");
        var told = Timestamps.parseSeconds(policy.status().string("alertedAt"));
        var pause = Durations.parse(text(policy.spec().string("coolDown"), "1h"));
        var again = told.map(moment -> moment.plus(pause));
        if (isDrifting && again.filter(now::isBefore).isEmpty()) {
            var since = startsAt.isEmpty() ? Timestamps.seconds(now) : startsAt;
            var after = status.with("startsAt", Json.of(since)).with("alertedAt", Json.of(Timestamps.seconds(now)));
            return tell(
                    policy,
                    new DriftAlert(
                            policy,
                            message,
                            since,
                            "",
                            Timestamps.seconds(now.plus(pause).plus(LATE))),
                    after,
                    status,
                    Change.Event.warning(policy, "DriftDetected", message),
                    now);
        }
        if (!isDrifting && !startsAt.isEmpty()) {
            return tell(
                    policy,
                    new DriftAlert(policy, message, startsAt, Timestamps.seconds(now), ""),
                    status.without("startsAt"),
                    status,
                    Change.Event.normal(policy, "DriftResolved", message),
                    now);
        }
        var plan = Plan.none().setStatus(ModelKinds.DRIFT_POLICY, policy, status);
        return isDrifting ? plan.then(Plan.lookAgainAt(again.orElse(now.plus(pause)))) : plan;
    }

    private static String text(String text, String usual) {
        return text.isEmpty() ? usual : text;
    }

    private static Plan tell(
            Resource policy, DriftAlert alert, Json.Obj after, Json.Obj before, Change.Event event, Instant now) {
        if (policy.spec().string("alert", "url").isEmpty()) {
            return Plan.none().setStatus(ModelKinds.DRIFT_POLICY, policy, after).then(event);
        }
        return Plan.of(new Change.Act(alert.deed(), new Told(policy, after, before, event)))
                .then(Plan.lookAgainAt(now.plus(AFTER_A_PROBLEM)));
    }
}
