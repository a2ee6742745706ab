package dev.towtank.node.network;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.stream.Stream;

/// Whether a pod needs a network of its own; pure. One costs a millisecond, and what the machine itself offers on its
/// loopback is out of reach there: so a step of a task, which listens nowhere, has none.
public final class NetworkNeeds {

    /// `own`, `machine` or `none`; without, the pod's ports decide.
    public static final String ANNOTATION = "towtank.dev/network";

    public static final String NONE = "none";

    /// Takes the network from one container of a pod. In its environment, as that stays as it was created, when others
    /// may change the pod's annotations.
    public static final String VARIABLE = "TOWTANK_NETWORK";

    private static final String STEP = "step-";

    private NetworkNeeds() {}

    public static boolean isOwn(Resource pod) {
        var asked = pod.annotations().getOrDefault(ANNOTATION, "");
        if (pod.spec().flag("hostNetwork") || asked.equals(NONE) || asked.equals("machine")) {
            return false;
        }
        return asked.equals("own") || hasCompany(pod) || containers(pod).anyMatch(NetworkNeeds::listens);
    }

    private static Stream<Json.Obj> containers(Resource pod) {
        return Stream.concat(pod.spec().objects("initContainers").stream(), pod.spec().objects("containers").stream());
    }

    private static boolean listens(Json.Obj container) {
        return !container.objects("ports").isEmpty()
                || Stream.of("livenessProbe", "readinessProbe", "startupProbe")
                        .anyMatch(probe ->
                                Stream.of("httpGet", "tcpSocket", "grpc").anyMatch(container.object(probe)::has));
    }

    /// Containers beside each other talk over the loopback; steps come one after the other.
    private static boolean hasCompany(Resource pod) {
        List<Json.Obj> regular = pod.spec().objects("containers");
        long steps = regular.stream()
                .filter(container -> container.string("name").startsWith(STEP))
                .count();
        return regular.size() > Math.max(1, steps)
                || pod.spec().objects("initContainers").stream()
                        .anyMatch(container -> container.string("restartPolicy").equals("Always"));
    }
}
