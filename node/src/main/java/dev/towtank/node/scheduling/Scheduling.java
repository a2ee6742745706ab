package dev.towtank.node.scheduling;

import dev.towtank.model.Json;
import dev.towtank.model.Quantity;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.PodResources;
import dev.towtank.model.kinds.ResourceLists;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Which node a pod goes to; pure. All nodes are this machine, so what pods ask for, and their host ports, count
/// together.
final class Scheduling {

    private final Resource pod;
    private final List<Resource> nodes;
    private final Usage usage;

    private Scheduling(Resource pod, List<Resource> nodes, Usage usage) {
        this.pod = pod;
        this.nodes = nodes;
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

    static Decision decide(Resource pod, List<Resource> nodes, Usage usage, Storage storage) {
        return nodes.isEmpty()
                ? new Decision.Unschedulable("no nodes available to schedule pods")
                : new Scheduling(pod, nodes, usage).decide(storage);
    }

    private Decision decide(Storage storage) {
        var claims = new Claims(pod, storage);
        var missing = claims.problem();
        if (missing.isPresent()) {
            return Decision.Unschedulable.anywhere(nodes.size(), missing.get());
        }
        var fitting = new ArrayList<Resource>();
        var misfits = new ArrayList<Decision.Misfit>();
        for (var node : nodes) {
            misfit(node, claims).ifPresentOrElse(misfits::add, () -> fitting.add(node));
        }
        if (fitting.isEmpty()) {
            return Decision.Unschedulable.nodes(misfits);
        }
        var node = best(fitting).name();
        var waiting = claims.waiting();
        return waiting.isEmpty() ? new Decision.Bind(node) : new Decision.ChooseFor(node, waiting);
    }

    /// Where the pod would rather be, and among those where the fewest are.
    private Resource best(List<Resource> fitting) {
        return fitting.size() == 1
                ? fitting.getFirst()
                : fitting.stream()
                        .min(Comparator.comparingLong((Resource node) -> -NodeAffinity.preference(pod.spec(), node))
                                .thenComparingInt(node -> usage.count(node.name())))
                        .orElseThrow();
    }

    private Optional<Decision.Misfit> misfit(Resource node, Claims claims) {
        var topology = new Topology(node, nodes);
        return taint(node)
                .or(() -> affinity(node))
                .or(this::ports)
                .map(Decision.Misfit::new)
                .or(() -> resources(node))
                .or(() -> claims.conflict(usage)
                        .or(() -> new Spread(pod, topology, usage).problem())
                        .or(() -> new PodAffinity(pod, topology, usage).problem())
                        .map(Decision.Misfit::new));
    }

    private Optional<String> taint(Resource node) {
        if (node.spec().flag("unschedulable")
                && !Tolerations.tolerates(pod, "node.kubernetes.io/unschedulable", "", "NoSchedule")) {
            return Optional.of("node(s) were unschedulable");
        }
        return node.spec().objects("taints").stream()
                .filter(taint -> !taint.string("effect").equals("PreferNoSchedule"))
                .filter(taint ->
                        !Tolerations.tolerates(pod, taint.string("key"), taint.string("value"), taint.string("effect")))
                .findFirst()
                .map(taint ->
                        "node(s) had untolerated taint {" + taint.string("key") + ": " + taint.string("value") + "}");
    }

    private Optional<String> affinity(Resource node) {
        return NodeAffinity.matches(pod.spec(), node)
                ? Optional.empty()
                : Optional.of("node(s) didn't match Pod's node affinity/selector");
    }

    private Optional<String> ports() {
        var wanted = hostPorts(pod);
        if (wanted.isEmpty()) {
            return Optional.empty();
        }
        for (var placed : usage.pods()) {
            var other = placed.pod();
            if (!other.uid().equals(pod.uid()) && hostPorts(other).stream().anyMatch(wanted::contains)) {
                return Optional.of("node(s) didn't have free ports for the requested pod ports");
            }
        }
        return Optional.empty();
    }

    private static Set<String> hostPorts(Resource pod) {
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

    private Optional<Decision.Misfit> resources(Resource node) {
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
        return reasons.isEmpty() ? Optional.empty() : Optional.of(new Decision.Misfit(reasons, wouldFitAlone));
    }

    private static Quantity amount(Json.Obj list, String name) {
        return ResourceLists.quantity(list.get(name)).orElse(Quantity.ZERO);
    }
}
