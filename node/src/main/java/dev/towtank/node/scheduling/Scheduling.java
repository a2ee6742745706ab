package dev.towtank.node.scheduling;

import dev.towtank.model.Json;
import dev.towtank.model.Quantity;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.PodResources;
import dev.towtank.model.kinds.ResourceLists;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Whether a pod fits on the node; pure.
final class Scheduling {

    private final Resource pod;
    private final Resource node;
    private final Usage usage;

    private Scheduling(Resource pod, Resource node, Usage usage) {
        this.pod = pod;
        this.node = node;
        this.usage = usage;
    }

    /// Whether the pod is ours to schedule, and waits for it.
    static boolean waits(Resource pod) {
        return pod.spec().string("nodeName").isEmpty()
                && pod.spec().string("schedulerName").equals("default-scheduler")
                && pod.spec().array("schedulingGates").size() == 0
                && !pod.isDeleting()
                && !isOver(pod);
    }

    static boolean isOver(Resource pod) {
        var phase = pod.status().string("phase");
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    static Decision decide(Resource pod, Resource node, Usage usage, Storage storage) {
        return new Scheduling(pod, node, usage).decide(storage);
    }

    private Decision decide(Storage storage) {
        var claims = new Claims(pod, storage);
        var missing = claims.problem();
        if (missing.isPresent()) {
            return Decision.Unschedulable.anywhere(missing.get());
        }
        var misfit = taint()
                .or(this::affinity)
                .or(this::ports)
                .map(reason -> Decision.Unschedulable.node(List.of(reason), false))
                .or(this::resources)
                .or(() -> claims.conflict(usage).map(reason -> Decision.Unschedulable.node(List.of(reason), false)))
                .or(() -> new PodAffinity(pod, node, usage)
                        .problem()
                        .map(reason -> Decision.Unschedulable.node(List.of(reason), false)));
        if (misfit.isPresent()) {
            return misfit.get();
        }
        var waiting = claims.waiting();
        return waiting.isEmpty() ? new Decision.Bind() : new Decision.ChooseFor(waiting);
    }

    private Optional<String> taint() {
        if (node.spec().flag("unschedulable")
                && !Tolerations.tolerates(
                        pod, "node.kubernetes.io/unschedulable", "", "NoSchedule")) {
            return Optional.of("node(s) were unschedulable");
        }
        return node.spec().objects("taints").stream()
                .filter(taint -> !taint.string("effect").equals("PreferNoSchedule"))
                .filter(taint -> !Tolerations.tolerates(
                        pod, taint.string("key"), taint.string("value"), taint.string("effect")))
                .findFirst()
                .map(taint -> "node(s) had untolerated taint {" + taint.string("key") + ": " + taint.string("value")
                        + "}");
    }

    private Optional<String> affinity() {
        return NodeAffinity.matches(pod.spec(), node)
                ? Optional.empty()
                : Optional.of("node(s) didn't match Pod's node affinity/selector");
    }

    private Optional<String> ports() {
        var wanted = hostPorts(pod);
        if (wanted.isEmpty()) {
            return Optional.empty();
        }
        for (var other : usage.pods()) {
            if (!other.uid().equals(pod.uid()) && hostPorts(other).stream().anyMatch(wanted::contains)) {
                return Optional.of("node(s) didn't have free ports for the requested pod ports");
            }
        }
        return Optional.empty();
    }

    private static HashSet<String> hostPorts(Resource pod) {
        var ports = new HashSet<String>();
        for (var container : pod.spec().objects("containers")) {
            for (var port : container.objects("ports")) {
                if (port.integer("hostPort") != 0) {
                    ports.add(port.string("protocol") + port.integer("hostPort"));
                }
            }
        }
        return ports;
    }

    private Optional<Decision.Unschedulable> resources() {
        var allocatable = node.status().object("allocatable");
        var reasons = new ArrayList<String>();
        var wouldFitAlone = true;
        if (usage.count() + 1 > amount(allocatable, "pods").value()) {
            reasons.add("Too many pods");
        }
        for (var request : PodResources.requests(pod.spec()).entrySet()) {
            if (request.getValue().signum() <= 0) {
                continue;
            }
            var there = amount(allocatable, request.getKey());
            var used = usage.used(request.getKey()).plus(request.getValue());
            if (used.compareTo(there) > 0) {
                reasons.add("Insufficient " + request.getKey());
                wouldFitAlone &= request.getValue().compareTo(there) <= 0;
            }
        }
        return reasons.isEmpty()
                ? Optional.empty()
                : Optional.of(Decision.Unschedulable.node(reasons, wouldFitAlone));
    }

    private static Quantity amount(Json.Obj list, String name) {
        return ResourceLists.quantity(list.get(name)).orElse(Quantity.ZERO);
    }
}
