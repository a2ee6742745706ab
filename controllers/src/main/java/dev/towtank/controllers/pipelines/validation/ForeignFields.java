package dev.towtank.controllers.pipelines.validation;

import dev.towtank.model.Json;
import dev.towtank.model.Schema;
import dev.towtank.model.Schemas;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Fields that Tekton's definitions do not have and ours let in. Theirs spell out Kubernetes' own types, so that a
/// field
/// which these do not have is dropped, and told, before a webhook sees it; ours leave them open, and have some fields
/// more,
/// where one record stands in several places.
///
/// What Tekton's definitions leave open, too (embedded specs, volumes, claims, affinity), stays as it is: there a
/// webhook
/// stumbles over it, see [Decoding].
public final class ForeignFields {

    private static final String CORE = "io.k8s.api.core.v1.";

    private static final Map<String, String> CONTAINER = Map.ofEntries(
            Map.entry("env", "EnvVar"),
            Map.entry("envFrom", "EnvFromSource"),
            Map.entry("computeResources", "ResourceRequirements"),
            Map.entry("resources", "ResourceRequirements"),
            Map.entry("volumeMounts", "VolumeMount"),
            Map.entry("volumeDevices", "VolumeDevice"),
            Map.entry("securityContext", "SecurityContext"),
            Map.entry("ports", "ContainerPort"),
            Map.entry("livenessProbe", "Probe"),
            Map.entry("readinessProbe", "Probe"),
            Map.entry("startupProbe", "Probe"),
            Map.entry("lifecycle", "Lifecycle"));

    private static final Map<String, String> WORKSPACE = Map.of(
            "persistentVolumeClaim", "PersistentVolumeClaimVolumeSource",
            "emptyDir", "EmptyDirVolumeSource",
            "configMap", "ConfigMapVolumeSource",
            "secret", "SecretVolumeSource",
            "projected", "ProjectedVolumeSource",
            "csi", "CSIVolumeSource");

    private static final Map<String, String> POD = Map.of(
            "env", "EnvVar",
            "tolerations", "Toleration",
            "dnsConfig", "PodDNSConfig",
            "hostAliases", "HostAlias",
            "imagePullSecrets", "LocalObjectReference",
            "topologySpreadConstraints", "TopologySpreadConstraint");

    private static final Map<String, String> RESOURCES = Map.of("computeResources", "ResourceRequirements");

    private static final Set<String> STEPS = Set.of("steps", "sidecars", "stepTemplate");
    private static final Set<String> TASKS = Set.of("tasks", "finally");
    private static final Set<String> REFERENCE = Set.of("kind", "apiVersion");
    private static final Set<String> DECLARED = Set.of("mountPath", "readOnly");
    private static final Set<String> OVERRIDES =
            Set.of("stepSpecs", "sidecarSpecs", "stepOverrides", "sidecarOverrides");
    private static final Set<String> POD_TEMPLATES = Set.of("podTemplate", "taskPodTemplate");

    private static final Map<String, Schema.Type> TYPES = Stream.of(CONTAINER, WORKSPACE, POD)
            .flatMap(types -> types.values().stream())
            .distinct()
            .collect(Collectors.toUnmodifiableMap(
                    name -> name, name -> Schemas.builtin().type(CORE + name).orElseThrow()));

    private final Consumer<String> unknownField;

    private ForeignFields(Consumer<String> unknownField) {
        this.unknownField = unknownField;
    }

    /// The object without them; the very same one where nothing had to go.
    ///
    /// @param object in any served version
    /// @param unknownField is told the path of each field that goes
    public static Json.Obj dropped(Json.Obj object, Consumer<String> unknownField) {
        var walk = new ForeignFields(unknownField);
        return inside(object, "spec", "", (spec, at) -> walk.spec(object.string("kind"), spec, at));
    }

    private Json.Obj spec(String kind, Json.Obj spec, String at) {
        return switch (kind) {
            case "Task" -> insideAll(spec, STEPS, at, this::step);
            case "StepAction" -> step(spec, at);
            case "Pipeline" -> {
                var known = insideAll(spec, TASKS, at, this::pipelineRef);
                yield inside(known, "workspaces", at, (workspace, place) -> without(workspace, DECLARED, place));
            }
            case "TaskRun" -> taskRun(workspaces(spec, at), at);
            case "PipelineRun" -> {
                var outer = pipelineRef(taskRun(workspaces(spec, at), at), at);
                outer = inside(outer, "taskRunSpecs", at, this::taskRun);
                yield inside(outer, "taskRunTemplate", at, this::taskRun);
            }
            case "CustomRun" -> workspaces(spec, at);
            default -> spec;
        };
    }

    private Json.Obj step(Json.Obj step, String at) {
        var known = inside(typed(step, CONTAINER, at), "ref", at, (ref, place) -> without(ref, REFERENCE, place));
        return inside(known, "results", at, (result, place) -> without(result, Set.of("value"), place));
    }

    private Json.Obj pipelineRef(Json.Obj holder, String at) {
        return inside(holder, "pipelineRef", at, (ref, place) -> without(ref, Set.of("kind"), place));
    }

    private Json.Obj workspaces(Json.Obj spec, String at) {
        return inside(spec, "workspaces", at, (workspace, place) -> typed(workspace, WORKSPACE, place));
    }

    private Json.Obj taskRun(Json.Obj spec, String at) {
        var known = insideAll(spec, OVERRIDES, at, (step, place) -> typed(step, CONTAINER, place));
        known = insideAll(known, POD_TEMPLATES, at, this::podTemplate);
        return typed(known, RESOURCES, at);
    }

    private Json.Obj podTemplate(Json.Obj template, String at) {
        var strange = new HashSet<>(template.keys());
        strange.removeAll(Decoding.POD_TEMPLATE);
        return typed(without(template, strange, at), POD, at);
    }

    private Json.Obj without(Json.Obj object, Set<String> names, String at) {
        var result = object;
        for (var name : object.keys()) {
            if (names.contains(name)) {
                unknownField.accept(at + "." + name);
                result = result.without(name);
            }
        }
        return result;
    }

    private Json.Obj typed(Json.Obj holder, Map<String, String> types, String at) {
        var result = holder;
        for (var name : holder.keys()) {
            var type = types.containsKey(name) ? TYPES.get(types.get(name)) : null;
            if (type != null) {
                result = inside(result, name, at, (object, place) -> known(object, type, place));
            }
        }
        return result;
    }

    private Json.Obj known(Json.Obj object, Schema.Type type, String at) {
        var result = object;
        for (int i = 0; i < object.size(); i++) {
            var name = object.key(i);
            var field = type.field(name);
            var place = at + "." + name;
            if (field == null) {
                unknownField.accept(place);
                result = result.without(name);
            } else {
                result = replaced(result, name, value(object.value(i), field.value(), place));
            }
        }
        return result;
    }

    // What has another type than expected is for others to complain about.
    private Json value(Json json, Schema.Value expected, String at) {
        return switch (expected) {
            case Schema.Value.ObjectOf(var type) -> json instanceof Json.Obj object ? known(object, type, at) : json;
            case Schema.Value.ListOf list ->
                json instanceof Json.Arr items
                        ? items(items, at, (item, place) -> value(item, list.element(), place))
                        : json;
            case Schema.Value.MapOf _, Schema.Value.ScalarOf _ -> json;
        };
    }

    private static Json.Obj insideAll(
            Json.Obj holder, Set<String> names, String at, BiFunction<Json.Obj, String, Json.Obj> change) {
        var result = holder;
        for (var name : names) {
            result = inside(result, name, at, change);
        }
        return result;
    }

    /// Changes the object in a field, or each in the list that is there.
    private static Json.Obj inside(
            Json.Obj holder, String name, String at, BiFunction<Json.Obj, String, Json.Obj> change) {
        var place = at.isEmpty() ? name : at + "." + name;
        if (holder.get(name) instanceof Json.Obj object) {
            return replaced(holder, name, change.apply(object, place));
        }
        if (holder.get(name) instanceof Json.Arr list) {
            return replaced(
                    holder,
                    name,
                    items(
                            list,
                            place,
                            (item, each) -> item instanceof Json.Obj object ? change.apply(object, each) : item));
        }
        return holder;
    }

    private static Json.Arr items(Json.Arr list, String at, BiFunction<Json, String, Json> change) {
        var changed = new ArrayList<Json>(list.size());
        boolean same = true;
        for (int i = 0; i < list.size(); i++) {
            var item = change.apply(list.get(i), at + "[" + i + "]");
            same &= TreeChanges.isSame(item, list.get(i));
            changed.add(item);
        }
        return same ? list : new Json.Arr(changed);
    }

    private static Json.Obj replaced(Json.Obj holder, String name, Json value) {
        var before = holder.get(name);
        return before != null && TreeChanges.isSame(before, value) ? holder : holder.with(name, value);
    }
}
