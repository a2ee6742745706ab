package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.model.Quantity;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.PodResources;
import dev.towtank.node.pods.PodFacts.Resizing;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/// Gives running containers what their pod now says that they may use.
final class ContainerResizer {

    private static final List<String> COMPUTE = List.of("cpu", "memory");

    private final NodeParts parts;
    private final PodMemory memory;
    private final Supplier<List<Resource>> neighbours;

    /// @param neighbours the pods that share the node, this one among them
    ContainerResizer(NodeParts parts, PodMemory memory, Supplier<List<Resource>> neighbours) {
        this.parts = parts;
        this.memory = memory;
        this.neighbours = neighbours;
    }

    /// All or nothing is given: half of what a pod asks for may be the wrong half.
    void resize(List<PodActions.Resize> wanted) {
        if (wanted.isEmpty()) {
            tell(Optional.empty());
            return;
        }
        var pending = hindrance();
        if (pending.isPresent()) {
            tell(pending);
            return;
        }
        for (var each : wanted) {
            var problem = resize(each);
            if (problem.isPresent()) {
                tell(problem);
                return;
            }
        }
        parts.events().normal(memory.pod(), "", "ResizeCompleted", "Pod resize completed: " + shown(memory.pod()));
        tell(Optional.empty());
    }

    private Optional<Resizing> resize(PodActions.Resize wanted) {
        var run = memory.run(wanted.container());
        if (run.isEmpty() || run.get().process().isEmpty()) {
            return Optional.empty(); // a program of ours uses what the server has
        }
        try {
            parts.sandbox().resize(run.get().id(), ContainerPlan.compute(wanted.resources()));
            memory.change(run.get(), facts -> facts.withImage(facts.image().with(wanted.resources())));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(
                    new Resizing(Resizing.Kind.ERROR, "container " + wanted.container() + ": " + e.getMessage()));
        }
    }

    /// In a kubelet's words: never on this node, or not as long as others have what is asked for.
    private Optional<Resizing> hindrance() {
        var asked = PodResources.requests(memory.pod().spec());
        var others = new TreeMap<String, Quantity>();
        for (var other : neighbours.get()) {
            if (!other.uid().equals(memory.pod().uid()) && !Containers.isOver(other)) {
                PodResources.requests(other.spec())
                        .forEach((name, amount) -> others.merge(name, amount, Quantity::plus));
            }
        }
        return hindrance(asked, others, parts.node().allocatable());
    }

    static Optional<Resizing> hindrance(
            Map<String, Quantity> asked, Map<String, Quantity> others, Map<String, Quantity> allocatable) {
        for (var name : COMPUTE) {
            var capacity = allocatable.get(name);
            var wanted = asked.getOrDefault(name, Quantity.ZERO);
            if (capacity == null) {
                continue;
            }
            if (wanted.compareTo(capacity) > 0) {
                return Optional.of(new Resizing(
                        Resizing.Kind.INFEASIBLE,
                        "Node didn't have enough capacity: " + name + ", requested: " + amount(name, wanted)
                                + ", capacity: " + amount(name, capacity)));
            }
            var used = others.getOrDefault(name, Quantity.ZERO);
            if (wanted.plus(used).compareTo(capacity) > 0) {
                return Optional.of(new Resizing(
                        Resizing.Kind.DEFERRED,
                        "Node didn't have enough resource: " + name + ", requested: " + amount(name, wanted)
                                + ", used: " + amount(name, used) + ", capacity: " + amount(name, capacity)));
            }
        }
        return Optional.empty();
    }

    private static long amount(String name, Quantity quantity) {
        return name.equals("cpu") ? quantity.milliValue() : quantity.value();
    }

    private void tell(Optional<Resizing> now) {
        var before = memory.facts().resizing();
        if (now.equals(before)) {
            return;
        }
        memory.resizing(now);
        now.ifPresent(why -> parts.events()
                .warning(
                        memory.pod(),
                        why.kind().event(),
                        "Pod resize " + why.kind().verb() + ": " + why.message()));
    }

    /// As the events of kubelets show it.
    private static String shown(Resource pod) {
        var containers = Containers.regular(pod).stream()
                .<Json>map(container -> Json.Obj.of("name", Json.of(Containers.name(container)))
                        .with("resources", container.object("resources")))
                .toList();
        return Json.Obj.of("containers", new Json.Arr(containers))
                .with("generation", Json.of(pod.generation()))
                .toString();
    }
}
