package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Questions about the containers in a pod's spec.
final class Containers {

    private Containers() {}

    static List<Json.Obj> regular(Resource pod) {
        return pod.spec().objects("containers");
    }

    static List<Json.Obj> init(Resource pod) {
        return pod.spec().objects("initContainers");
    }

    /// Those that somebody added to look into the pod: they run beside the others, once, and nothing waits for them.
    static List<Json.Obj> ephemeral(Resource pod) {
        return pod.spec().objects("ephemeralContainers");
    }

    static List<Json.Obj> all(Resource pod) {
        var all = new ArrayList<>(init(pod));
        all.addAll(regular(pod));
        all.addAll(ephemeral(pod));
        return all;
    }

    static Optional<Json.Obj> find(Resource pod, String name) {
        return all(pod).stream()
                .filter(container -> name(container).equals(name))
                .findFirst();
    }

    static String name(Json.Obj container) {
        return container.string("name");
    }

    static boolean isInit(Resource pod, Json.Obj container) {
        return init(pod).contains(container);
    }

    /// An init container that goes on beside the others.
    static boolean isSidecar(Json.Obj initContainer) {
        return initContainer.string("restartPolicy").equals("Always");
    }

    /// Whether the end of its only container is the end of the pod, unless it is to be tried again.
    static boolean mayEndAlone(Resource pod) {
        return regular(pod).size() == 1
                && !pod.spec().string("restartPolicy").equals("Always")
                && init(pod).stream().noneMatch(Containers::isSidecar);
    }

    /// Whether the container runs again after it has ended with this code.
    static boolean restarts(Resource pod, Json.Obj container, int code) {
        for (var rule : container.objects("restartPolicyRules")) {
            if (rule.string("action").equals("Restart") && matches(rule.object("exitCodes"), code)) {
                return true;
            }
        }
        var own = container.string("restartPolicy");
        var policy = own.isEmpty() ? pod.spec().string("restartPolicy") : own;
        return switch (policy) {
            case "Never" -> false;
            case "OnFailure" -> code != 0;
            default -> own.equals("Always") || code != 0 || !isInit(pod, container);
        };
    }

    private static boolean matches(Json.Obj codes, int code) {
        var listed = codes.array("values").items().contains(Json.of(code));
        return codes.string("operator").equals("In") == listed;
    }

    /// Nothing will be started any more; a pod that has failed may still have to be stopped.
    static boolean isOver(Resource pod) {
        return Set.of("Succeeded", "Failed").contains(pod.status().string("phase"));
    }

    /// Nothing of it runs any more either.
    static boolean isDone(Resource pod) {
        return isOver(pod)
                && all(pod).stream()
                        .flatMap(container -> ContainerStatus.find(pod, name(container)).stream())
                        .noneMatch(status -> status.object("state").has("running"));
    }

    /// As the kubelet writes it in messages.
    static String fullName(Resource pod) {
        return pod.name() + "_" + pod.namespace() + "(" + pod.uid() + ")";
    }
}
