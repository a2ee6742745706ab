package dev.towtank.controllers.gitops.health;

import dev.towtank.model.Json;
import java.util.stream.Stream;

/// Of what runs pods, as Argo CD sees it.
final class WorkloadHealth {

    private WorkloadHealth() {}

    private static boolean isSeen(Json.Obj object) {
        return object.integer("metadata", "generation") <= object.integer("status", "observedGeneration");
    }

    static Health deployment(Json.Obj object) {
        var status = object.object("status");
        if (object.flag("spec", "paused")) {
            return Health.of(Health.Code.SUSPENDED, "Deployment is paused");
        }
        if (!isSeen(object)) {
            return Health.progressing(
                    "Waiting for rollout to finish: observed deployment generation less than desired generation");
        }
        long wanted = object.integerOr(1, "spec", "replicas");
        long updated = status.integer("updatedReplicas");
        long available = status.integer("availableReplicas");
        if (status.objects("conditions").stream()
                .anyMatch(each -> each.string("type").equals("Progressing")
                        && each.string("reason").equals("ProgressDeadlineExceeded"))) {
            return Health.degraded(
                    "Deployment \"" + object.string("metadata", "name") + "\" exceeded its progress deadline");
        }
        if (updated < wanted) {
            return Health.progressing("Waiting for rollout to finish: " + updated + " out of " + wanted
                    + " new replicas have been updated...");
        }
        if (status.integer("replicas") > updated) {
            return Health.progressing("Waiting for rollout to finish: " + (status.integer("replicas") - updated)
                    + " old replicas are pending termination...");
        }
        return available < updated
                ? Health.progressing("Waiting for rollout to finish: " + available + " of " + updated
                        + " updated replicas are available...")
                : Health.HEALTHY;
    }

    static Health replicaSet(Json.Obj object) {
        if (!isSeen(object)) {
            return Health.progressing(
                    "Waiting for rollout to finish: observed replica set generation less than desired generation");
        }
        var failure = object.objects("status", "conditions").stream()
                .filter(each -> each.string("type").equals("ReplicaFailure")
                        && each.string("status").equals("True"))
                .findFirst();
        if (failure.isPresent()) {
            return Health.degraded(failure.get().string("message"));
        }
        long wanted = object.integerOr(1, "spec", "replicas");
        long available = object.integer("status", "availableReplicas");
        return available < wanted
                ? Health.progressing("Waiting for rollout to finish: " + available + " out of " + wanted
                        + " new replicas are available...")
                : Health.HEALTHY;
    }

    static Health daemonSet(Json.Obj object) {
        var status = object.object("status");
        var title = "Waiting for daemon set \"" + object.string("metadata", "name") + "\" rollout to finish: ";
        long wanted = status.integer("desiredNumberScheduled");
        long updated = status.integer("updatedNumberScheduled");
        if (!isSeen(object)) {
            return Health.progressing(
                    "Waiting for rollout to finish: observed daemon set generation less than desired generation");
        }
        if (object.string("spec", "updateStrategy", "type").equals("OnDelete")) {
            return Health.of(
                    Health.Code.HEALTHY, "daemon set " + updated + " out of " + wanted + " new pods have been updated");
        }
        if (updated < wanted) {
            return Health.progressing(title + updated + " out of " + wanted + " new pods have been updated...");
        }
        long available = status.integer("numberAvailable");
        return available < wanted
                ? Health.progressing(title + available + " of " + wanted + " updated pods are available...")
                : Health.HEALTHY;
    }

    static Health statefulSet(Json.Obj object) {
        var status = object.object("status");
        long wanted = object.integerOr(1, "spec", "replicas");
        long ready = status.integer("readyReplicas");
        long updated = status.integer("updatedReplicas");
        if (status.integer("observedGeneration") == 0 || !isSeen(object)) {
            return Health.progressing("Waiting for statefulset spec update to be observed...");
        }
        if (ready < wanted) {
            return Health.progressing("Waiting for " + (wanted - ready) + " pods to be ready...");
        }
        var strategy = object.object("spec", "updateStrategy");
        if (strategy.string("type").equals("RollingUpdate") && strategy.has("rollingUpdate")) {
            long due = wanted - strategy.integer("rollingUpdate", "partition");
            return updated < due
                    ? Health.progressing("Waiting for partitioned roll out to finish: " + updated + " out of " + due
                            + " new pods have been updated...")
                    : Health.of(
                            Health.Code.HEALTHY,
                            "partitioned roll out complete: " + updated + " new pods have been updated...");
        }
        if (strategy.string("type").equals("OnDelete")) {
            return Health.of(Health.Code.HEALTHY, "statefulset has " + ready + " ready pods");
        }
        return status.string("updateRevision").equals(status.string("currentRevision"))
                ? Health.of(
                        Health.Code.HEALTHY,
                        "statefulset rolling update complete " + status.integer("currentReplicas")
                                + " pods at revision " + status.string("currentRevision") + "...")
                : Health.progressing("waiting for statefulset rolling update to complete " + updated
                        + " pods at revision " + status.string("updateRevision") + "...");
    }

    static Health job(Json.Obj object) {
        var health = Health.progressing("");
        for (var condition : object.objects("status", "conditions")) {
            boolean isTrue = condition.string("status").equals("True");
            var message = condition.string("message");
            switch (condition.string("type")) {
                case "Failed" -> {
                    return Health.degraded(message);
                }
                case "Complete" -> health = Health.of(Health.Code.HEALTHY, message);
                case "Suspended" -> health = isTrue ? Health.of(Health.Code.SUSPENDED, message) : health;
                default -> {}
            }
        }
        return health;
    }

    static Health pod(Json.Obj object) {
        var status = object.object("status");
        var message = status.string("message");
        boolean isServer = object.string("spec", "restartPolicy").equals("Always") || isKeptRunning(object);
        if (isServer) {
            var stuck = status.objects("containerStatuses").stream()
                    .map(each -> each.object("state", "waiting"))
                    .filter(waiting -> isStuck(waiting.string("reason")))
                    .map(waiting -> waiting.string("message"))
                    .toList();
            if (!stuck.isEmpty()) {
                return Health.degraded(String.join(", ", stuck));
            }
        }
        return switch (status.string("phase")) {
            case "Pending" -> Health.progressing(message);
            case "Succeeded" -> Health.of(Health.Code.HEALTHY, message);
            case "Failed" -> Health.degraded(message.isEmpty() ? failure(status) : message);
            case "Running" -> isServer ? running(status) : Health.progressing(message);
            default -> Health.of(Health.Code.UNKNOWN, message);
        };
    }

    /// Somebody says of a pod that it is to go on, though it is not to be restarted; hooks are there to end.
    private static boolean isKeptRunning(Json.Obj pod) {
        var annotations = pod.object("metadata", "annotations");
        return annotations.string("argocd.argoproj.io/ignore-restart-policy").equals("true")
                && !annotations.has("argocd.argoproj.io/hook")
                && !annotations.has("helm.sh/hook");
    }

    private static Health running(Json.Obj status) {
        var message = status.string("message");
        if (status.objects("conditions").stream()
                .anyMatch(each -> each.string("type").equals("Ready")
                        && each.string("status").equals("True"))) {
            return Health.of(Health.Code.HEALTHY, message);
        }
        boolean hasEnded = status.objects("containerStatuses").stream()
                .anyMatch(each -> each.object("lastState").has("terminated"));
        return hasEnded ? Health.degraded(message) : Health.progressing(message);
    }

    private static boolean isStuck(String reason) {
        return reason.startsWith("Err") || reason.endsWith("Error") || reason.endsWith("BackOff");
    }

    private static String failure(Json.Obj status) {
        return Stream.of("initContainerStatuses", "containerStatuses")
                .flatMap(list -> status.objects(list).stream())
                .map(WorkloadHealth::end)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static String end(Json.Obj container) {
        var end = container.object("state", "terminated");
        if (!end.string("message").isEmpty()) {
            return end.string("message");
        }
        if (end.string("reason").equals("OOMKilled")) {
            return "OOMKilled";
        }
        return end.integer("exitCode") == 0
                ? ""
                : "container \"" + container.string("name") + "\" failed with exit code " + end.integer("exitCode");
    }
}
