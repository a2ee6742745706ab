package dev.towtank.controllers.gitops.health;

import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Of custom kinds, most of which Argo CD has no rule for: without one, a wave of theirs would end when it begins.
final class CustomHealth {

    private static final Set<String> LOADING = Set.of("Pending", "Loading", "Loaded", "Standby", "");

    private static final Set<String> BLOCKED = Set.of("BlockedByFailedLoad", "InvalidSpec");

    // Why an autoscaler cannot work, by the type of the condition.
    private static final Map<String, Set<String>> BROKEN = Map.of(
            "AbleToScale", Set.of("FailedGetScale", "FailedUpdateScale"),
            "ScalingActive",
                    Set.of(
                            "FailedGetResourceMetric",
                            "FailedGetObjectMetric",
                            "FailedGetPodsMetric",
                            "FailedGetExternalMetric",
                            "FailedComputeMetricsReplicas",
                            "InvalidSelector"));

    // What our model server says when there is nothing to load yet.
    private static final String NO_MODEL = "No model file";

    private CustomHealth() {}

    private static Optional<Json.Obj> condition(Json.Obj object, String type) {
        return object.objects("status", "conditions").stream()
                .filter(each -> each.string("type").equals(type))
                .findFirst();
    }

    private static boolean isTrue(Json.Obj condition) {
        return condition.string("status").equals("True");
    }

    /// A model that is not there yet is waited for by whoever needs it; one that cannot be loaded is broken.
    static Health inferenceService(Json.Obj object) {
        var ready = condition(object, "Ready");
        // Whoever cannot load what it is told to serves what it had before.
        boolean isBlocked = BLOCKED.contains(object.string("status", "modelStatus", "transitionStatus"));
        if (ready.filter(CustomHealth::isTrue).isPresent() && !isBlocked) {
            return Health.of(Health.Code.HEALTHY, "InferenceService is healthy.");
        }
        var failure = object.object("status", "modelStatus", "lastFailureInfo");
        var state = object.string("status", "modelStatus", "states", "activeModelState");
        var why = failure.string("message").isEmpty()
                ? ready.map(it -> it.string("message")).orElse("")
                : failure.string("message");
        if (why.startsWith(NO_MODEL)) {
            return Health.progressing(
                    "waits for a model at " + object.string("spec", "predictor", "model", "storageUri") + ": " + why);
        }
        boolean isBroken = !LOADING.contains(state)
                || Set.of("ModelLoadFailed", "RuntimeUnhealthy", "NoSupportingRuntime", "InvalidPredictorSpec")
                        .contains(failure.string("reason"));
        return isBroken ? Health.degraded(why) : Health.progressing(why);
    }

    /// How it ended, of the spec that it has now: one that failed and was changed is run again.
    static Health notebookJob(Json.Obj object) {
        if (isOld(object)) {
            return Health.progressing("Waiting for the notebook to be run again");
        }
        var message = object.string("status", "message");
        return switch (object.string("status", "phase")) {
            case "Succeeded" -> Health.of(Health.Code.HEALTHY, message);
            case "Failed" -> Health.degraded(message);
            default -> Health.progressing(message);
        };
    }

    /// Whether its status tells of an older spec.
    private static boolean isOld(Json.Obj object) {
        return object.object("status").has("observedGeneration")
                && object.integer("status", "observedGeneration") != object.integer("metadata", "generation");
    }

    /// Its newest build, if there is one or will be.
    static Health buildConfig(Json.Obj object) {
        boolean isOld = isOld(object);
        var latest = condition(object, BuildKinds.LATEST);
        if (isOld || latest.isEmpty()) {
            boolean isSetOff = object.objects("spec", "triggers").stream()
                    .anyMatch(each -> Set.of("ConfigChange", "ImageChange").contains(each.string("type")));
            return isOld || (isSetOff && object.integer("status", "lastVersion") == 0)
                    ? Health.progressing("Waiting for a build")
                    : Health.HEALTHY;
        }
        var message = latest.get().string("message");
        return switch (latest.get().string("status")) {
            case "True" -> Health.of(Health.Code.HEALTHY, message);
            case "False" -> Health.degraded(message);
            default ->
                latest.get().string("reason").equals("NotStarted")
                        ? Health.of(Health.Code.HEALTHY, message)
                        : Health.progressing(message);
        };
    }

    static Health build(Json.Obj object) {
        var message = object.string("status", "message");
        return switch (object.string("status", "phase")) {
            case "Complete" -> Health.of(Health.Code.HEALTHY, message);
            case "Failed", "Error", "Cancelled" -> {
                var log = object.string("status", "logSnippet");
                yield Health.degraded(log.isEmpty() ? message : message + "\n" + log);
            }
            default -> Health.progressing(message);
        };
    }

    /// Tags of which an import failed are named.
    static Health imageStream(Json.Obj object) {
        var failed = object.objects("status", "tags").stream()
                .flatMap(tag -> tag.objects("conditions").stream()
                        .filter(each -> each.string("type").equals("ImportSuccess")
                                && each.string("status").equals("False"))
                        .map(each -> tag.string("tag") + ": " + each.string("message")))
                .collect(Collectors.joining(", "));
        return failed.isEmpty() ? Health.HEALTHY : Health.degraded(failed);
    }

    static Health clusterTemplateInstance(Json.Obj object) {
        var phase = object.string("status", "phase");
        var message = object.string("status", "message");
        if (phase.equals("Ready")) {
            return Health.of(Health.Code.HEALTHY, message);
        }
        return phase.endsWith("Failed") || phase.equals("Failed") || phase.endsWith("Error")
                ? Health.degraded(message)
                : Health.progressing(message);
    }

    static Health bucketClaim(Json.Obj object) {
        return switch (object.string("status", "phase")) {
            case "Bound" -> Health.HEALTHY;
            case "Failed" -> Health.degraded("");
            default -> Health.progressing("");
        };
    }

    /// Of version 1 the conditions are in an annotation.
    static Health autoscaler(Json.Obj object) {
        var conditions = object.objects("status", "conditions").isEmpty()
                ? annotated(object.string("metadata", "annotations", "autoscaling.alpha.kubernetes.io/conditions"))
                : object.objects("status", "conditions");
        return conditions.stream()
                .filter(each ->
                        BROKEN.getOrDefault(each.string("type"), Set.of()).contains(each.string("reason")))
                .findFirst()
                .map(each -> Health.degraded(each.string("message")))
                .or(() -> conditions.stream()
                        .filter(each -> isTrue(each)
                                && Set.of("AbleToScale", "ScalingLimited").contains(each.string("type")))
                        .findFirst()
                        .map(each -> Health.of(Health.Code.HEALTHY, each.string("message"))))
                .orElse(Health.progressing("Waiting to Autoscale"));
    }

    private static List<Json.Obj> annotated(String text) {
        try {
            return !text.isEmpty() && JsonText.parse(text) instanceof Json.Arr list ? list.objects() : List.of();
        } catch (JsonText.Malformed e) {
            return List.of();
        }
    }

    static Health apiService(Json.Obj object) {
        return condition(object, "Available")
                .map(it -> Health.of(
                        isTrue(it) ? Health.Code.HEALTHY : Health.Code.PROGRESSING,
                        it.string("reason") + ": " + it.string("message")))
                .orElse(Health.progressing("Waiting to be processed"));
    }

    static Health workflow(Json.Obj object) {
        var message = object.string("status", "message");
        return switch (object.string("status", "phase")) {
            case "", "Pending", "Running" -> Health.progressing(message);
            case "Succeeded" -> Health.of(Health.Code.HEALTHY, message);
            case "Failed", "Error" -> Health.degraded(message);
            default -> Health.of(Health.Code.UNKNOWN, message);
        };
    }

    static Health applicationSet(Json.Obj object) {
        var error = condition(object, "ErrorOccurred");
        if (error.isEmpty()) {
            return Health.progressing("Waiting for the ApplicationSet to be looked at");
        }
        if (isTrue(error.get())) {
            return Health.degraded(error.get().string("message"));
        }
        return condition(object, "RolloutProgressing")
                .filter(CustomHealth::isTrue)
                .map(it -> Health.progressing(it.string("message")))
                .orElse(Health.of(Health.Code.HEALTHY, "ApplicationSet is healthy."));
    }
}
