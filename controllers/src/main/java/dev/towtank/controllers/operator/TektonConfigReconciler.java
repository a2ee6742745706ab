package dev.towtank.controllers.operator;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.operator.api.OperatorKinds;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Namespaces;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Makes ConfigMaps and the TektonResult as the TektonConfig says, prunes when that is due, and tells what has no
/// effect.
final class TektonConfigReconciler implements Reconciler<Json.Obj, TektonConfigReconciler.Facts> {

    static final String MANAGER = "tekton-operator";
    /// Of what was written last: who changes the ConfigMap by hand leaves it as it is.
    static final String HASH = "operator.tekton.dev/last-applied-hash";
    /// By schedule, when it was last followed.
    static final String PRUNINGS = "prunings";

    static final Kind<Json.Obj> PIPELINE_RUN = Kind.namespaced("tekton.dev", "v1", "PipelineRun", "pipelineruns");
    static final Kind<Json.Obj> TASK_RUN = Kind.namespaced("tekton.dev", "v1", "TaskRun", "taskruns");

    /// @param children by their kinds, as far as they are there
    /// @param runs of both kinds; none while nothing is pruned
    /// @param limits by namespace, its ConfigMap about pruning
    record Facts(
            Map<RenderedConfig.Place, Resource> maps,
            Optional<Resource> result,
            Map<String, Resource> children,
            List<Resource> namespaces,
            List<Resource> runs,
            Map<String, Resource> limits) {}

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Facts facts, Instant now) {
        var config = observed.object();
        if (config.isDeleting()) {
            return Plan.NONE;
        }
        var rendering = RenderedConfig.of(config);
        var problem = config.name().equals(OperatorKinds.CONFIG.name())
                ? rendering.problems().stream().findFirst()
                : Optional.of("metadata.name,  Only one instance of TektonConfig is allowed by name, config");
        var edited = new ArrayList<String>();
        var plan = Plan.NONE;
        if (problem.isEmpty()) {
            plan = maps(config, rendering, facts, edited)
                    .then(result(config, rendering, facts))
                    .then(children(config, facts));
        }
        var told = status(config, problem, rendering.withoutEffect(), edited, now);
        plan = plan.then(Plan.NONE.setStatus(OperatorKinds.TEKTON_CONFIG, config, told));
        return problem.isEmpty() ? plan.then(pruned(config, told, facts, now)) : plan;
    }

    private static Plan maps(Resource config, RenderedConfig rendering, Facts facts, List<String> edited) {
        var plan = Plan.NONE;
        var present = facts.namespaces().stream().map(Resource::name).toList();
        var missing = new LinkedHashSet<String>();
        rendering.maps().keySet().forEach(place -> missing.add(place.namespace()));
        for (var namespace : missing) {
            if (!present.contains(namespace)) {
                plan = plan.create(Namespaces.KIND, object(config, "v1", "Namespace", "", namespace, Json.Obj.EMPTY));
            }
        }
        for (var wanted : rendering.maps().entrySet()) {
            var place = wanted.getKey();
            var data = Json.Obj.ofStrings(wanted.getValue());
            var hash = hash(data);
            var there = Optional.ofNullable(facts.maps().get(place));
            var known =
                    there.map(map -> map.annotations().getOrDefault(HASH, "")).orElse("");
            if (!known.equals(hash)) {
                var map = object(config, "v1", "ConfigMap", place.namespace(), place.name(), Json.Obj.of("data", data));
                var annotated =
                        map.with(map.json().with(List.of("metadata", "annotations"), Json.Obj.of(HASH, Json.of(hash))));
                plan = plan.then(new Change.Apply(ConfigMaps.KIND, annotated, MANAGER));
            } else if (there.isPresent() && !contains(there.get().json().object("data"), data)) {
                edited.add(place.namespace() + "/" + place.name());
            }
        }
        return plan;
    }

    private static boolean contains(Json.Obj present, Json.Obj wanted) {
        return wanted.keys().stream().allMatch(key -> wanted.string(key).equals(present.string(key)));
    }

    private static Resource object(
            Resource config, String version, String kind, String namespace, String name, Json.Obj more) {
        var metadata = Json.Obj.builder()
                .put("name", name)
                .putNonEmpty("namespace", namespace)
                .put("labels", Json.Obj.of("app.kubernetes.io/managed-by", Json.of(MANAGER)))
                .build();
        var json =
                Json.Obj.builder().put("apiVersion", version).put("kind", kind).put("metadata", metadata);
        more.forEach(json::put);
        return new Resource(config.cluster(), json.build());
    }

    private static Plan result(Resource config, RenderedConfig rendering, Facts facts) {
        var present = facts.result();
        boolean isOurs = present.filter(result -> result.labels()
                        .getOrDefault("app.kubernetes.io/managed-by", "")
                        .equals(MANAGER))
                .isPresent();
        if (rendering.result().isEmpty()) {
            return isOurs ? Plan.NONE.delete(OperatorKinds.TEKTON_RESULT, present.get()) : Plan.NONE;
        }
        var spec = rendering.result().get();
        if (present.isPresent() && present.get().spec().equals(spec)) {
            return Plan.NONE;
        }
        var object =
                object(config, "operator.tekton.dev/v1alpha1", "TektonResult", "", "result", Json.Obj.of("spec", spec));
        return Plan.of(new Change.Apply(OperatorKinds.TEKTON_RESULT, object, MANAGER));
    }

    /// One object for each part, as the operator makes them: what they say is what this one says.
    private static Plan children(Resource config, Facts facts) {
        var plan = Plan.NONE;
        for (var child : Child.ALL) {
            var present = Optional.ofNullable(facts.children().get(child.kind().kind()));
            var wanted = child.spec(config.spec());
            boolean isOurs = present.filter(Child::isManaged).isPresent();
            if (wanted.isEmpty()) {
                plan = isOurs ? plan.delete(child.kind(), present.get()) : plan;
            } else if (present.isEmpty() || !present.get().spec().equals(wanted.get())) {
                var object = object(
                        config,
                        "operator.tekton.dev/v1alpha1",
                        child.kind().kind(),
                        "",
                        child.name(),
                        Json.Obj.of("spec", wanted.get()));
                plan = plan.then(new Change.Apply(child.kind(), object, MANAGER));
            }
        }
        return plan;
    }

    private static Plan pruned(Resource config, Json.Obj told, Facts facts, Instant now) {
        if (EventPruner.isOn(config.spec())) {
            return prunedAtOnce(config, facts, now);
        }
        if (!Pruner.isOn(config.spec())) {
            return Plan.NONE;
        }
        var pruner = config.spec().object("pruner");
        var bySchedule = facts.namespaces().stream()
                .collect(Collectors.groupingBy(
                        namespace -> Pruner.schedule(pruner, namespace), TreeMap::new, Collectors.toList()));
        var runs = Pruner.byNamespace(facts.runs());
        var plan = Plan.NONE;
        var times = config.status().object(PRUNINGS);
        for (var each : bySchedule.entrySet()) {
            var schedule = each.getKey();
            // One that nobody has seen before counts from now on, or from when the configuration was made.
            var first = schedule.equals(pruner.string("schedule"))
                    ? config.metadata().string("creationTimestamp")
                    : Timestamps.seconds(now);
            var last = times.has(schedule) ? times.string(schedule) : first;
            var due = schedule.isEmpty()
                    ? Optional.<Instant>empty()
                    : Pruner.due(schedule, Timestamps.parseSeconds(last).orElse(now));
            if (due.isEmpty()) {
                continue;
            }
            if (now.isBefore(due.get())) {
                times = times.with(schedule, Json.of(last));
                plan = plan.then(Plan.lookAgainAt(due.get()));
                continue;
            }
            times = times.with(schedule, Json.of(Timestamps.seconds(now)));
            if (!isTooLate(pruner, due.get(), now)) {
                for (var namespace : each.getValue()) {
                    plan = plan.then(prunedIn(namespace, pruner, runs, now));
                }
            }
            plan = plan.then(Plan.lookAgainAt(Pruner.due(schedule, now).orElse(now.plus(Duration.ofDays(1)))));
        }
        return times.equals(config.status().object(PRUNINGS))
                ? plan
                : plan.then(Plan.NONE.setStatus(OperatorKinds.TEKTON_CONFIG, config, told.with(PRUNINGS, times)));
    }

    private static boolean isTooLate(Json.Obj pruner, Instant due, Instant now) {
        return pruner.integer("startingDeadlineSeconds") > 0
                && due.plusSeconds(pruner.integer("startingDeadlineSeconds")).isBefore(now);
    }

    private static Plan prunedIn(Resource namespace, Json.Obj pruner, Map<String, List<Resource>> runs, Instant now) {
        return Pruner.rule(pruner, namespace)
                .map(rule -> prunedIn(runs.getOrDefault(namespace.name(), List.of()), rule, now))
                .orElse(Plan.NONE);
    }

    /// What is old enough, or one too many, goes when it ends.
    private static Plan prunedAtOnce(Resource config, Facts facts, Instant now) {
        var global = EventPruner.global(config.spec());
        var plan = Plan.NONE;
        for (var each : Pruner.byNamespace(facts.runs()).entrySet()) {
            var limits = EventPruner.limits(
                    global, each.getKey(), Optional.ofNullable(facts.limits().get(each.getKey())));
            for (var kind : List.of(PIPELINE_RUN, TASK_RUN)) {
                var ofKind = each.getValue().stream()
                        .filter(run ->
                                run.kind().equals(kind.kind()) && run.owners().isEmpty() && !run.isDeleting())
                        .toList();
                for (var run : EventPruner.gone(limits, ofKind, now)) {
                    plan = plan.delete(kind, run);
                }
                var next = EventPruner.next(limits, ofKind, now);
                plan = next.isPresent() ? plan.then(Plan.lookAgainAt(next.get())) : plan;
            }
        }
        return plan;
    }

    private static Plan prunedIn(List<Resource> runs, Pruner.Rule rule, Instant now) {
        var plan = Plan.NONE;
        var kinds = new LinkedHashMap<String, Kind<Json.Obj>>();
        kinds.put("pipelinerun", PIPELINE_RUN);
        kinds.put("taskrun", TASK_RUN);
        for (var resource : rule.resources()) {
            var kind = kinds.get(resource);
            if (kind != null) {
                var ofKind = runs.stream()
                        .filter(run ->
                                run.kind().equals(kind.kind()) && run.owners().isEmpty())
                        .toList();
                for (var run : Pruner.gone(rule, ofKind, now)) {
                    plan = plan.delete(kind, run);
                }
            }
        }
        return plan;
    }

    private static Json.Obj status(
            Resource config, Optional<String> problem, List<String> without, List<String> edited, Instant now) {
        var conditions = new ArrayList<Json>();
        conditions.add(condition(
                config, "Ready", problem.isEmpty(), problem.isEmpty() ? "" : "Error", problem.orElse(""), now));
        if (!without.isEmpty()) {
            conditions.add(condition(
                    config,
                    "FieldsWithoutEffect",
                    true,
                    "AcceptedWithoutEffect",
                    "accepted, and of no effect in one process: spec." + String.join(", spec.", without),
                    now));
        }
        if (!edited.isEmpty()) {
            conditions.add(condition(
                    config,
                    "EditedByHand",
                    true,
                    "ConfigMapsDiffer",
                    "these say something else than this TektonConfig, and will be overwritten when it changes: "
                            + String.join(", ", edited),
                    now));
        }
        return config.status().with("conditions", new Json.Arr(conditions));
    }

    private static Json.Obj condition(
            Resource config, String type, boolean isTrue, String reason, String message, Instant now) {
        var wire = isTrue ? "True" : "False";
        var since = Timestamps.ofCondition(config.status(), type, wire, now);
        return Json.Obj.builder()
                .put("type", type)
                .put("status", wire)
                .putNonEmpty("reason", reason)
                .putNonEmpty("message", message)
                .put("lastTransitionTime", since)
                .build();
    }

    private static String hash(Json.Obj data) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256")
                            .digest(JsonText.write(data).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
