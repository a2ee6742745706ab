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
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes ConfigMaps and the TektonResult as the TektonConfig says, prunes when that is due, and tells what has no
/// effect.
final class TektonConfigReconciler implements Reconciler<Json.Obj, TektonConfigReconciler.Facts> {

    static final String MANAGER = "tekton-operator";
    /// Of what was written last: who changes the ConfigMap by hand leaves it as it is.
    static final String HASH = "operator.tekton.dev/last-applied-hash";
    static final String LAST_PRUNING = "lastPruning";

    static final Kind<Json.Obj> PIPELINE_RUN = Kind.namespaced("tekton.dev", "v1", "PipelineRun", "pipelineruns");
    static final Kind<Json.Obj> TASK_RUN = Kind.namespaced("tekton.dev", "v1", "TaskRun", "taskruns");

    /// @param runs of both kinds; none while nothing is pruned
    record Facts(
            Map<Rendering.Place, Resource> maps,
            Optional<Resource> result,
            List<Resource> namespaces,
            List<Resource> runs) {}

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Facts facts, Instant now) {
        var config = observed.object();
        if (config.isDeleting()) {
            return Plan.NONE;
        }
        var rendering = Rendering.of(config);
        var problem = config.name().equals(OperatorKinds.CONFIG.name())
                ? rendering.problems().stream().findFirst()
                : Optional.of("metadata.name,  Only one instance of TektonConfig is allowed by name, config");
        var edited = new ArrayList<String>();
        var plan = Plan.NONE;
        if (problem.isEmpty()) {
            plan = maps(config, rendering, facts, edited).then(result(config, rendering, facts));
        }
        var told = status(config, problem, rendering.withoutEffect(), edited, now);
        plan = plan.then(Plan.NONE.setStatus(OperatorKinds.TEKTON_CONFIG, config, told));
        return problem.isEmpty() ? plan.then(pruned(config, told, facts, now)) : plan;
    }

    private static Plan maps(Resource config, Rendering rendering, Facts facts, List<String> edited) {
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

    private static Plan result(Resource config, Rendering rendering, Facts facts) {
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

    private static Plan pruned(Resource config, Json.Obj told, Facts facts, Instant now) {
        var pruner = config.spec().object("pruner");
        if (!Pruner.isOn(config.spec())) {
            return Plan.NONE;
        }
        var last = config.status().string(LAST_PRUNING);
        var since = Timestamps.parseSeconds(last.isEmpty() ? config.metadata().string("creationTimestamp") : last)
                .orElse(now);
        var due = Pruner.due(pruner, since);
        if (due.isEmpty()) {
            return Plan.NONE;
        }
        if (now.isBefore(due.get())) {
            return Plan.lookAgainAt(due.get());
        }
        var plan = Plan.NONE;
        var runs = Pruner.byNamespace(facts.runs());
        for (var namespace : facts.namespaces()) {
            var rule = Pruner.rule(pruner, namespace);
            if (rule.isPresent()) {
                plan = plan.then(prunedIn(runs.getOrDefault(namespace.name(), List.of()), rule.get(), now));
            }
        }
        return plan.then(Plan.NONE.setStatus(
                OperatorKinds.TEKTON_CONFIG, config, told.with(LAST_PRUNING, Json.of(Timestamps.seconds(now)))));
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
        var since = config.status().objects("conditions").stream()
                .filter(before -> before.string("type").equals(type)
                        && before.string("status").equals(wire))
                .map(before -> before.string("lastTransitionTime"))
                .findFirst()
                .orElse(Timestamps.seconds(now));
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
