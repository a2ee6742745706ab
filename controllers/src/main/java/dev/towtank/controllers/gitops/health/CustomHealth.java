package dev.towtank.controllers.gitops.health;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Of custom kinds, most of which Argo CD has no rule for: without one, a wave of theirs would end when it begins.
final class CustomHealth {

    private static final Set<String> LOADING = Set.of("Pending", "Loading", "Loaded", "Standby", "");

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
        if (ready.filter(CustomHealth::isTrue).isPresent()) {
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

    static Health notebookJob(Json.Obj object) {
        var message = object.string("status", "message");
        return switch (object.string("status", "phase")) {
            case "Succeeded" -> Health.of(Health.Code.HEALTHY, message);
            case "Failed" -> Health.degraded(message);
            default -> Health.progressing(message);
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

    static Health autoscaler(Json.Obj object) {
        for (var type : List.of("AbleToScale", "ScalingActive", "ScalingLimited")) {
            var found = condition(object, type);
            if (found.isPresent()) {
                var reason = found.get().string("reason");
                var message = found.get().string("message");
                if (reason.startsWith("Failed") || reason.startsWith("Invalid")) {
                    return Health.degraded(message);
                }
                if (isTrue(found.get())) {
                    return Health.of(Health.Code.HEALTHY, message);
                }
            }
        }
        return Health.progressing("Waiting to Autoscale");
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
