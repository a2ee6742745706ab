package dev.towtank.controllers.gitops.health;

import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.model.Json;
import dev.towtank.model.lua.LuaError;
import dev.towtank.model.lua.LuaScript;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/// How to tell the health of objects: by the user's own scripts first, then by what is known about a kind.
///
/// @param settings the data of the ConfigMap argocd-cm
public record HealthRules(Map<String, String> settings) {

    public static final HealthRules BUILT_IN = new HealthRules(Map.of());

    private static final String SCRIPT = "resource.customizations.health.";

    public HealthRules {
        settings = Map.copyOf(settings);
    }

    /// Empty where nobody can tell: such an object is as it should be when it is there.
    public Optional<Health> of(Json.Obj object, Instant now) {
        if (object.object("metadata").has("deletionTimestamp")) {
            return Optional.of(Health.progressing("Pending deletion"));
        }
        var key = ResourceKey.of(object);
        var script = settings.get(SCRIPT + (key.group().isEmpty() ? "" : key.group() + "_") + key.kind());
        return script == null ? builtIn(key, object) : Optional.of(asked(script, object, now));
    }

    private static Health asked(String script, Json.Obj object, Instant now) {
        try {
            var answer = LuaScript.compile("<string>", script).call(Map.of("obj", object), now);
            if (!(answer instanceof Json.Obj health)) {
                return Health.of(Health.Code.UNKNOWN, "the health script returned no table");
            }
            return Arrays.stream(Health.Code.values())
                    .filter(code -> code.wire().equals(health.string("status")))
                    .findFirst()
                    .map(code -> Health.of(code, health.string("message")))
                    .orElse(Health.of(Health.Code.UNKNOWN, "Lua returned an invalid health status"));
        } catch (LuaError e) {
            return Health.of(Health.Code.UNKNOWN, String.valueOf(e.getMessage()));
        }
    }

    private static Optional<Health> builtIn(ResourceKey key, Json.Obj object) {
        return switch (key.group() + "/" + key.kind()) {
            case "apps/Deployment" -> Optional.of(WorkloadHealth.deployment(object));
            case "apps/StatefulSet" -> Optional.of(WorkloadHealth.statefulSet(object));
            case "apps/ReplicaSet" -> Optional.of(WorkloadHealth.replicaSet(object));
            case "apps/DaemonSet" -> Optional.of(WorkloadHealth.daemonSet(object));
            case "batch/Job" -> Optional.of(WorkloadHealth.job(object));
            case "/Pod" -> Optional.of(WorkloadHealth.pod(object));
            case "/PersistentVolumeClaim" -> Optional.of(claim(object));
            case "/Service" -> Optional.of(service(object));
            case "networking.k8s.io/Ingress" ->
                Optional.of(hasAddress(object) ? Health.HEALTHY : Health.progressing(""));
            case "apiextensions.k8s.io/CustomResourceDefinition" -> Optional.of(definition(object));
            case "tekton.dev/PipelineRun", "tekton.dev/TaskRun", "tekton.dev/CustomRun" -> Optional.of(run(object));
            case "argoproj.io/Application" -> application(object);
            case "external-secrets.io/ExternalSecret", "external-secrets.io/SecretStore" -> Optional.of(ready(object));
            default -> Optional.empty();
        };
    }

    private static Health service(Json.Obj object) {
        return object.string("spec", "type").equals("LoadBalancer") && !hasAddress(object)
                ? Health.progressing("")
                : Health.HEALTHY;
    }

    private static boolean hasAddress(Json.Obj object) {
        return !object.objects("status", "loadBalancer", "ingress").isEmpty();
    }

    private static Health claim(Json.Obj object) {
        return switch (object.string("status", "phase")) {
            case "Lost" -> Health.degraded("");
            case "Pending" -> Health.progressing("");
            case "Bound" -> Health.HEALTHY;
            default -> Health.of(Health.Code.UNKNOWN, "");
        };
    }

    private static Optional<Json.Obj> condition(Json.Obj object, String type) {
        return object.objects("status", "conditions").stream()
                .filter(each -> each.string("type").equals(type))
                .findFirst();
    }

    private static Health definition(Json.Obj object) {
        return condition(object, "Established").filter(HealthRules::isTrue).isPresent()
                ? Health.of(Health.Code.HEALTHY, "CRD is healthy")
                : Health.progressing("CRD is not established");
    }

    private static boolean isTrue(Json.Obj condition) {
        return condition.string("status").equals("True");
    }

    /// A run that has not ended holds up whoever waits for it.
    private static Health run(Json.Obj object) {
        var succeeded = condition(object, "Succeeded");
        var message = succeeded.map(it -> it.string("message")).orElse("");
        return switch (succeeded.map(it -> it.string("status")).orElse("Unknown")) {
            case "True" -> Health.of(Health.Code.HEALTHY, message);
            case "False" -> Health.degraded(message);
            default -> Health.progressing(message);
        };
    }

    private static Health ready(Json.Obj object) {
        return condition(object, "Ready")
                .map(it -> isTrue(it)
                        ? Health.of(Health.Code.HEALTHY, it.string("message"))
                        : Health.degraded(it.string("message")))
                .orElse(Health.progressing("Waiting for " + object.string("kind")));
    }

    private static Optional<Health> application(Json.Obj object) {
        return Arrays.stream(Health.Code.values())
                .filter(code -> code.wire().equals(object.string("status", "health", "status")))
                .findFirst()
                .map(code -> Health.of(code, object.string("status", "health", "message")));
    }
}
