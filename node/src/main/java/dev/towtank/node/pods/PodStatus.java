package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.model.ObjectBuilder;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.PodResources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What the API says about a pod: a pure function of the pod, the facts about it, and its last status.
///
/// Equal facts give an equal status, so a status is written only when there is something to tell.
public final class PodStatus {

    private PodStatus() {}

    /// Where a pod runs.
    ///
    /// @param hostIp the address of the node
    /// @param podIp the address at which the pod's ports are reached
    /// @param isolated false for plain processes of the machine
    public record Place(String hostIp, String podIp, boolean isolated) {
        static Place of(NodeParts parts, String podUid) {
            return new Place(
                    parts.node().hostIp(),
                    parts.podAddress(podUid),
                    parts.sandbox().abilities().isolated());
        }

        boolean hasOwnNetwork() {
            return !podIp.equals(hostIp);
        }
    }

    public static Json.Obj of(Resource pod, PodFacts facts, Place place, Instant now) {
        var old = pod.status();
        var phase = Containers.isOver(pod) ? old.string("phase") : PodPhase.of(pod, facts);
        var init = statuses(pod, facts, Containers.init(pod));
        var regular = new ArrayList<>(statuses(pod, facts, Containers.regular(pod)));
        regular.sort(Comparator.comparing(status -> status.string("name")));
        var conditions = new PodConditions(pod, facts, phase, place.isolated(), now).all(init, regular);
        var status = Json.Obj.builder();
        if (pod.generation() > 0) {
            status.put("observedGeneration", pod.generation());
        }
        status.put("phase", phase).put("conditions", conditions);
        putReason(status, old, facts, phase);
        status.put("hostIP", place.hostIp()).put("hostIPs", ips(place.hostIp()));
        if (facts.prepared() || old.has("podIP")) {
            boolean known = old.has("podIP") && !(facts.prepared() && place.hasOwnNetwork());
            var ip = known ? old.string("podIP") : place.podIp();
            status.put("podIP", ip).put("podIPs", ips(ip));
        }
        status.put("startTime", facts.startTime().toString());
        status.putNonEmpty("initContainerStatuses", new Json.Arr(List.copyOf(init)));
        status.putNonEmpty("containerStatuses", new Json.Arr(List.copyOf(regular)));
        var ephemeral = statuses(pod, facts, Containers.ephemeral(pod));
        status.putNonEmpty("ephemeralContainerStatuses", new Json.Arr(List.copyOf(ephemeral)));
        keep(status, old);
        return status.putNonEmpty(
                        "qosClass", old.has("qosClass") ? old.string("qosClass") : PodResources.qosClass(pod.spec()))
                .build();
    }

    // What others write there stays.
    private static void keep(ObjectBuilder status, Json.Obj old) {
        for (var field : List.of("nominatedNodeName", "resize", "resourceClaimStatuses")) {
            var value = old.get(field);
            if (value != null) {
                status.put(field, value);
            }
        }
    }

    private static void putReason(ObjectBuilder status, Json.Obj old, PodFacts facts, String phase) {
        if (facts.failure().isPresent()) {
            var failure = facts.failure().get();
            status.put("message", failure.message()).put("reason", failure.reason());
        } else if (phase.equals(old.string("phase"))) {
            status.putNonEmpty("message", old.string("message")).putNonEmpty("reason", old.string("reason"));
        }
    }

    private static Json.Arr ips(String ip) {
        return Json.Arr.of(Json.Obj.of("ip", Json.of(ip)));
    }

    private static List<Json.Obj> statuses(Resource pod, PodFacts facts, List<Json.Obj> containers) {
        return containers.stream()
                .map(container -> ContainerStatus.of(pod, container, facts.of(Containers.name(container))))
                .toList();
    }
}
