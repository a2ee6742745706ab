package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.PodResources;
import dev.towtank.model.kinds.ResourceLists;

/// How gladly the kernel ends a container when the machine has no memory left: those first that asked for least. As a
/// kubelet has it, but for pods that are guaranteed theirs: these would outlive the server, which is not exempt here.
final class OutOfMemoryScore {

    private static final int GUARANTEED = 3;
    private static final int BEST_EFFORT = 1000;

    private OutOfMemoryScore() {}

    /// @param memory of the machine, in bytes
    static int of(Resource pod, Json.Obj container, long memory) {
        return switch (PodResources.qosClass(pod.spec())) {
            case "Guaranteed" -> GUARANTEED;
            case "BestEffort" -> BEST_EFFORT;
            default -> burstable(container, memory);
        };
    }

    private static int burstable(Json.Obj container, long memory) {
        var request = ResourceLists.quantity(container.at("resources", "requests", "memory"));
        long asked = request.isPresent() ? request.get().value() : 0;
        long score = BEST_EFFORT - Math.round(1000.0 * asked / Math.max(memory, 1));
        return Math.clamp(score, GUARANTEED + 1, BEST_EFFORT - 1);
    }
}
