package dev.towtank.node.scheduling;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;

/// Whether a pod stands a taint.
final class Tolerations {

    private Tolerations() {}

    static boolean tolerates(Resource pod, String key, String value, String effect) {
        return pod.spec().objects("tolerations").stream()
                .anyMatch(toleration -> tolerates(toleration, key, value, effect));
    }

    private static boolean tolerates(Json.Obj toleration, String key, String value, String effect) {
        var ownEffect = toleration.string("effect");
        var ownKey = toleration.string("key");
        boolean exists = toleration.string("operator").equals("Exists");
        return (ownEffect.isEmpty() || ownEffect.equals(effect))
                && (ownKey.isEmpty() ? exists : ownKey.equals(key))
                && (exists || toleration.string("value").equals(value));
    }
}
