package dev.towtank.archive.service;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.retention.RetentionPolicy;
import dev.towtank.cluster.Change;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import dev.towtank.model.kinds.batch.CronSchedule;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Tells whether the archive works, what of the configuration has no effect, and when old runs are thrown away.
final class TektonResultReconciler implements Reconciler<Json.Obj, TektonResultReconciler.Facts> {

    /// @param problem why the archive cannot be opened
    /// @param retention the ConfigMap about it
    record Facts(Optional<String> problem, Optional<Resource> retention) {}

    /// Throws away what has been kept long enough.
    record Retain(RetentionPolicy policy) implements Deed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("retain", Json.of(policy.runAt()));
        }
    }

    private static final String LAST_RETENTION = "lastRetention";

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Facts facts, Instant now) {
        var result = observed.object();
        if (!result.name().equals(ResultKinds.NAME.name())) {
            var named = "metadata.name, Only one instance of TektonResult is allowed by name, result";
            return Plan.NONE.setStatus(
                    ResultKinds.TEKTON_RESULT, result, status(result, Optional.of(named), Optional.empty(), now));
        }
        if (!ArchiveSettings.isOn(result)) {
            return Plan.NONE;
        }
        var settings = ArchiveSettings.of(result);
        var policy = policy(facts.retention());
        var problem =
                settings.problems().stream().findFirst().or(facts::problem).or(policy::problem);
        var without = settings.withoutEffect().isEmpty()
                ? Optional.<String>empty()
                : Optional.of("accepted, and of no effect in one process: spec."
                        + String.join(", spec.", settings.withoutEffect()));
        var told = Plan.NONE.setStatus(ResultKinds.TEKTON_RESULT, result, status(result, problem, without, now));
        return problem.isPresent()
                ? told
                : told.then(retention(result, policy.policy().orElseThrow(), now));
    }

    private record Read(Optional<RetentionPolicy> policy, Optional<String> problem) {}

    private static Read policy(Optional<Resource> map) {
        try {
            var data = new LinkedHashMap<String, String>();
            map.ifPresent(found -> found.json().object("data").forEach((key, value) -> {
                if (value instanceof Json.Str(var text)) {
                    data.put(key, text);
                }
            }));
            var policy = RetentionPolicy.of(Map.copyOf(data));
            CronSchedule.parse(policy.runAt());
            return new Read(Optional.of(policy), Optional.empty());
        } catch (ArchiveRefusal e) {
            return new Read(Optional.empty(), Optional.of(e.text()));
        } catch (CronSchedule.Malformed e) {
            return new Read(Optional.empty(), Optional.of("incorrect configuration for runAt: " + e.text()));
        }
    }

    private static Plan retention(Resource result, RetentionPolicy policy, Instant now) {
        var said = result.status().string(LAST_RETENTION);
        var last = Timestamps.parseSeconds(said.isEmpty() ? result.metadata().string("creationTimestamp") : said)
                .orElse(now);
        var due = CronSchedule.parse(policy.runAt()).next(last.atZone(ZoneOffset.UTC));
        if (due.isEmpty()) {
            return Plan.NONE;
        }
        var moment = due.get().toInstant();
        if (now.isBefore(moment)) {
            return Plan.lookAgainAt(moment);
        }
        var after = result.status().with(LAST_RETENTION, Json.of(Timestamps.seconds(now)));
        return Plan.of(
                new Change.Act(new Retain(policy), _ -> Plan.NONE.setStatus(ResultKinds.TEKTON_RESULT, result, after)));
    }

    private static Json.Obj status(
            Resource result, Optional<String> problem, Optional<String> withoutEffect, Instant now) {
        var conditions = new ArrayList<Json>();
        conditions.add(condition(
                result, "Ready", problem.isEmpty(), problem.isEmpty() ? "" : "Error", problem.orElse(""), now));
        withoutEffect.ifPresent(text ->
                conditions.add(condition(result, "FieldsWithoutEffect", true, "AcceptedWithoutEffect", text, now)));
        return result.status().with("conditions", new Json.Arr(conditions));
    }

    private static Json.Obj condition(
            Resource result, String type, boolean isTrue, String reason, String message, Instant now) {
        var wire = isTrue ? "True" : "False";
        var since = Timestamps.ofCondition(result.status(), type, wire, now);
        return Json.Obj.builder()
                .put("type", type)
                .put("status", wire)
                .putNonEmpty("reason", reason)
                .putNonEmpty("message", message)
                .put("lastTransitionTime", since)
                .build();
    }
}
