package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.node.pods.ContainerFacts.Exited;
import dev.towtank.node.pods.ContainerFacts.None;
import dev.towtank.node.pods.ContainerFacts.Running;

/// Where a pod is in its life.
final class PodPhase {

    private PodPhase() {}

    static String of(Resource pod, PodFacts facts) {
        if (facts.failure().isPresent() || initializationFailed(pod, facts)) {
            return "Failed";
        }
        if (facts.over()) {
            return ended(pod, facts);
        }
        return isInitialized(pod, facts) && allTried(pod, facts) ? "Running" : "Pending";
    }

    private static boolean initializationFailed(Resource pod, PodFacts facts) {
        return Containers.init(pod).stream()
                .filter(container -> !Containers.isSidecar(container))
                .anyMatch(container -> factsOf(facts, container)
                        .exit()
                        .filter(exit -> !exit.succeeded() && !Containers.restarts(pod, container, exit.code()))
                        .isPresent());
    }

    // A pod that is deleted before all of its containers ran has failed, as has one that never began.
    private static String ended(Resource pod, PodFacts facts) {
        var succeeded = Containers.regular(pod).stream()
                .allMatch(container -> factsOf(facts, container)
                        .exit()
                        .filter(Exited::succeeded)
                        .isPresent());
        return succeeded ? "Succeeded" : "Failed";
    }

    private static boolean isInitialized(Resource pod, PodFacts facts) {
        var anyRegular = Containers.regular(pod).stream()
                .anyMatch(container -> factsOf(facts, container).hasRun());
        return Containers.init(pod).stream().allMatch(container -> {
            var known = factsOf(facts, container);
            if (Containers.isSidecar(container)) {
                return anyRegular || (known.isRunning() && known.started());
            }
            return known.exit().filter(Exited::succeeded).isPresent();
        });
    }

    private static boolean allTried(Resource pod, PodFacts facts) {
        return Containers.regular(pod).stream()
                .allMatch(container -> switch (factsOf(facts, container).instance()) {
                    case None _ -> false;
                    case Running _, Exited _ -> true;
                });
    }

    private static ContainerFacts factsOf(PodFacts facts, Json.Obj container) {
        return facts.of(Containers.name(container));
    }
}
