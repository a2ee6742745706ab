package dev.towtank.controllers.serving.api;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;

/// How to get at what a pod of an InferenceService serves.
public final class ServingPods {

    /// What pods of one machine call it.
    public static final String LOCAL = "127.0.0.1";

    private ServingPods() {}

    /// It does not serve, and will not any more.
    public static boolean isEnding(Resource pod) {
        return pod.isDeleting() || isFinished(pod);
    }

    public static boolean isFinished(Resource pod) {
        var phase = pod.status().string("phase");
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /// Its model has answered: until then its probe fails.
    public static boolean isReady(Resource pod) {
        return !isEnding(pod)
                && pod.status().objects("conditions").stream()
                        .anyMatch(condition -> condition.string("type").equals("Ready")
                                && condition.string("status").equals("True"));
    }

    /// The container that answers.
    public static boolean isMain(Json.Obj container) {
        return container.string("name").equals(ServingKinds.CONTAINER);
    }

    public static Routes.Target target(Resource pod) {
        var status = pod.status();
        var address = status.string("podIP");
        boolean sharesNetwork = address.isEmpty() || address.equals(status.string("hostIP"));
        return new Routes.Target(pod.name(), sharesNetwork ? LOCAL : address, port(pod.spec()));
    }

    private static int port(Json.Obj spec) {
        return spec.objects("containers").stream()
                .filter(ServingPods::isMain)
                .flatMap(container -> container.objects("ports").stream())
                .map(port -> (int) port.integer("containerPort"))
                .findFirst()
                .orElse(0);
    }
}
