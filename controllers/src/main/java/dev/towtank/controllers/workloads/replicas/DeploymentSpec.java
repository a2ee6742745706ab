package dev.towtank.controllers.workloads.replicas;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.IntOrStrings;
import java.util.Optional;

/// What a Deployment asks for.
record DeploymentSpec(Resource object) {

    private static final long FOREVER = Integer.MAX_VALUE;

    long replicas() {
        return object.spec().integerOr(1, "replicas");
    }

    boolean isPaused() {
        return object.spec().flag("paused");
    }

    boolean isRolling() {
        return !object.spec().string("strategy", "type").equals("Recreate");
    }

    Json.Obj template() {
        return object.spec().object("template");
    }

    long minReadySeconds() {
        return object.spec().integer("minReadySeconds");
    }

    Optional<Long> progressDeadlineSeconds() {
        long seconds = object.spec().integerOr(FOREVER, "progressDeadlineSeconds");
        return seconds == FOREVER ? Optional.empty() : Optional.of(seconds);
    }

    Optional<Long> historyLimit() {
        long limit = object.spec().integerOr(FOREVER, "revisionHistoryLimit");
        return limit == FOREVER ? Optional.empty() : Optional.of(limit);
    }

    /// How many pods more than asked for there may be for a while.
    long maxSurge() {
        return isRolling() ? surge() : 0;
    }

    private long surge() {
        return IntOrStrings.scaled(object.json().at("spec", "strategy", "rollingUpdate", "maxSurge"), replicas(), true);
    }

    /// How many pods less than asked for may be available for a while.
    long maxUnavailable() {
        if (!isRolling() || replicas() == 0) {
            return 0;
        }
        var given = object.json().at("spec", "strategy", "rollingUpdate", "maxUnavailable");
        long unavailable = IntOrStrings.scaled(given, replicas(), false);
        // Both rounded to nothing would never move.
        return Math.min(surge() == 0 && unavailable == 0 ? 1 : unavailable, replicas());
    }

    long maxReplicas() {
        return replicas() + maxSurge();
    }

    long minAvailable() {
        return replicas() - maxUnavailable();
    }

    boolean isComplete(Json.Obj status) {
        return status.integer("updatedReplicas") == replicas()
                && status.integer("replicas") == replicas()
                && status.integer("availableReplicas") == replicas()
                && status.integer("observedGeneration") >= object.generation();
    }
}
