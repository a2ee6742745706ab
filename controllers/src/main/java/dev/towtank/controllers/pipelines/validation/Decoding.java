package dev.towtank.controllers.pipelines.validation;

import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Pruning;
import dev.towtank.model.Records;
import dev.towtank.model.Schemas;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Reads specs as strictly as Tekton: a field that no type has is a mistake, not something to pass over.
final class Decoding {

    /// Fields that a record has because it stands in several places, and that are none in this one.
    private static final Map<String, Set<String>> NOT_HERE = Map.of(
            "Step.ref", Set.of("kind", "apiVersion"),
            "PipelineTask.pipelineRef", Set.of("kind"),
            "PipelineRunSpec.pipelineRef", Set.of("kind"),
            "PipelineSpec.workspaces", Set.of("mountPath", "readOnly"),
            "Step.results", Set.of("value"),
            "Spec.results", Set.of("value"));

    private static final Map<String, String> CORE_TYPES = Map.ofEntries(
            Map.entry("env", "EnvVar"),
            Map.entry("envFrom", "EnvFromSource"),
            Map.entry("computeResources", "ResourceRequirements"),
            Map.entry("volumeMounts", "VolumeMount"),
            Map.entry("volumeDevices", "VolumeDevice"),
            Map.entry("securityContext", "SecurityContext"),
            Map.entry("volumes", "Volume"),
            Map.entry("ports", "ContainerPort"),
            Map.entry("livenessProbe", "Probe"),
            Map.entry("readinessProbe", "Probe"),
            Map.entry("startupProbe", "Probe"),
            Map.entry("lifecycle", "Lifecycle"),
            Map.entry("volumeClaimTemplate", "PersistentVolumeClaim"),
            Map.entry("persistentVolumeClaim", "PersistentVolumeClaimVolumeSource"),
            Map.entry("emptyDir", "EmptyDirVolumeSource"),
            Map.entry("configMap", "ConfigMapVolumeSource"),
            Map.entry("secret", "SecretVolumeSource"),
            Map.entry("projected", "ProjectedVolumeSource"),
            Map.entry("csi", "CSIVolumeSource"),
            Map.entry("secretRef", "SecretReference"));

    /// The fields of a pod template.
    static final Set<String> POD_TEMPLATE = Set.of(
            "nodeSelector",
            "env",
            "tolerations",
            "affinity",
            "securityContext",
            "volumes",
            "runtimeClassName",
            "automountServiceAccountToken",
            "dnsPolicy",
            "dnsConfig",
            "enableServiceLinks",
            "priorityClassName",
            "schedulerName",
            "imagePullSecrets",
            "hostAliases",
            "hostNetwork",
            "hostUsers",
            "topologySpreadConstraints");

    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message, null, false, false);
        }
    }

    private Decoding() {}

    /// Why the spec of an object cannot be read, in the words of Go's decoder where they are known.
    ///
    /// @param object in its stored version
    static Optional<String> complaint(Json.Obj object) {
        var type = FieldNames.specOf(object.string("kind"));
        if (type.isEmpty() || !(object.get("spec") instanceof Json.Obj spec)) {
            return Optional.empty();
        }
        try {
            Records.read(type.get(), spec);
            fields(type.get(), spec, Set.of());
            return Optional.empty();
        } catch (Records.Mismatch | Pruning.Mismatch | Refused e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static void fields(Class<?> record, Json.Obj object, Set<String> notHere) {
        var components = FieldNames.of(record);
        object.forEach((name, value) -> {
            var component = components.get(name);
            if (component == null || notHere.contains(name)) {
                throw unknown(name);
            }
            var place = record.getSimpleName() + "." + name;
            value(component.getGenericType(), name, value, NOT_HERE.getOrDefault(place, Set.of()));
        });
    }

    private static Refused unknown(String name) {
        return new Refused("json: unknown field " + GoText.quote(name));
    }

    private static void value(Type type, String name, Json value, Set<String> notHere) {
        if (value instanceof Json.Null) {
            return;
        }
        if (type instanceof ParameterizedType generic) {
            var arguments = generic.getActualTypeArguments();
            each(
                    value,
                    generic.getRawType() == Map.class,
                    item -> value(arguments[arguments.length - 1], name, item, notHere));
        } else if (type instanceof Class<?> plain && value instanceof Json.Obj object) {
            if (plain.isRecord()) {
                fields(plain, object, notHere);
            } else if (plain == Json.Obj.class) {
                foreign(name, object);
            }
        } else if (name.equals("timeout")
                || name.equals("pipeline")
                || name.equals("tasks")
                || name.equals("finally")) {
            duration(value);
        }
    }

    private static void each(Json value, boolean isMap, Consumer<Json> action) {
        if (value instanceof Json.Arr items) {
            items.forEach(action);
        } else if (isMap && value instanceof Json.Obj entries) {
            entries.forEach((_, item) -> action.accept(item));
        } else {
            action.accept(value);
        }
    }

    private static void duration(Json value) {
        try {
            if (value instanceof Json.Str(var text)) {
                Durations.parse(text);
            }
        } catch (Durations.Malformed e) {
            throw new Refused(String.valueOf(e.getMessage()));
        }
    }

    private static void foreign(String name, Json.Obj object) {
        if (name.equals("podTemplate")) {
            object.keys().stream()
                    .filter(key -> !POD_TEMPLATE.contains(key))
                    .findFirst()
                    .ifPresent(key -> {
                        throw unknown(key);
                    });
            return;
        }
        var core = CORE_TYPES.get(name);
        if (core != null) {
            Schemas.builtin()
                    .type("io.k8s.api.core.v1." + core)
                    .ifPresent(type -> Pruning.prune(object, type, path -> {
                        throw unknown(path.substring(path.lastIndexOf('.') + 1));
                    }));
        }
    }
}
