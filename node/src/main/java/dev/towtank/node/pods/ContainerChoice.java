package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.util.List;

/// Which container, and which run of it, somebody means; refusals in the words of Kubernetes.
final class ContainerChoice {

    private static final String DEFAULT = "kubectl.kubernetes.io/default-container";

    private ContainerChoice() {}

    static String of(Resource pod, String asked) {
        if (!asked.isEmpty()) {
            if (Containers.find(pod, asked).isEmpty()) {
                throw StatusError.badRequest("container " + asked + " is not valid for pod " + pod.name());
            }
            return asked;
        }
        var regular = Containers.regular(pod).stream().map(Containers::name).toList();
        if (regular.size() == 1) {
            return regular.getFirst();
        }
        var usual = pod.annotations().getOrDefault(DEFAULT, "");
        if (regular.contains(usual)) {
            return usual;
        }
        var init = Containers.init(pod).stream().map(Containers::name).toList();
        throw StatusError.badRequest("a container name must be specified for pod " + pod.name() + ", choose one of: "
                + list(regular) + (init.isEmpty() ? "" : " or one of the init containers: " + list(init)));
    }

    private static String list(List<String> names) {
        return "[" + String.join(" ", names) + "]";
    }

    /// The id of the run whose log is meant.
    static String loggedRun(Resource pod, String container, boolean previous) {
        var who = "container \"" + container + "\" in pod \"" + pod.name() + "\" ";
        var status = ContainerStatus.find(pod, container)
                .orElseThrow(() -> StatusError.badRequest(who + "is waiting to start: ContainerCreating"));
        var state = status.object("state");
        var last = status.string("lastState", "terminated", "containerID");
        if (previous) {
            if (last.isEmpty()) {
                throw StatusError.badRequest("previous terminated " + who + "not found");
            }
            return last;
        }
        if (state.has("running")) {
            return status.string("containerID");
        }
        if (state.get("terminated") instanceof Json.Obj end) {
            var id = end.string("containerID");
            return known(id.isEmpty() ? last : id, who);
        }
        if (status.object("lastState").has("terminated")) {
            return known(last, who);
        }
        throw StatusError.badRequest(who + switch (state.string("waiting", "reason")) {
            case "ErrImagePull" -> "is waiting to start: image can't be pulled";
            case "ImagePullBackOff" -> "is waiting to start: trying and failing to pull image";
            default -> "is waiting to start: " + state.string("waiting", "reason");
        });
    }

    private static String known(String id, String who) {
        if (id.isEmpty()) {
            throw StatusError.badRequest(who + "is terminated");
        }
        return id;
    }
}
