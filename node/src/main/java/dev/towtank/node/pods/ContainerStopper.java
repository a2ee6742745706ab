package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.node.probes.Check;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Stops containers with their pre-stop hooks.
final class ContainerStopper {

    private final NodeParts parts;
    private final PodMemory memory;

    ContainerStopper(NodeParts parts, PodMemory memory) {
        this.parts = parts;
        this.memory = memory;
    }

    void stop(PodActions.Stop stop) {
        var run = memory.run(stop.container());
        var container = Containers.find(memory.pod(), stop.container());
        if (run.isEmpty() || container.isEmpty()) {
            return;
        }
        boolean first = memory.facts().of(stop.container()).stopBy().isEmpty();
        if (first) {
            parts.events()
                    .normal(
                            memory.pod(),
                            part(memory, stop.container()),
                            "Killing",
                            stop.message());
        }
        memory.change(stop.container(), facts -> facts.stopping(stop.by()));
        run.get().stop(container.get(), stop.by(), hook(run.get(), container.get(), stop.by()));
    }

    private Optional<Runnable> hook(ContainerRun run, Json.Obj container, Instant by) {
        if (!(container.at("lifecycle", "preStop") instanceof Json.Obj handler)) {
            return Optional.empty();
        }
        return Optional.of(() -> {
            var left = Duration.between(parts.timers().instant(), by);
            if (left.isPositive() && !succeeds(run, Check.of(container, handler), left)) {
                parts.events().warning(memory.pod(), part(memory, run.name()), "FailedPreStopHook", "PreStopHook failed");
            }
        });
    }

    private static boolean succeeds(ContainerRun run, Check check, Duration timeout) {
        try {
            return run.check(check, timeout).success();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /// As in an Event's `involvedObject.fieldPath`.
    static String part(PodMemory memory, String container) {
        var init = Containers.init(memory.pod()).stream()
                .anyMatch(each -> Containers.name(each).equals(container));
        return (init ? "spec.initContainers{" : "spec.containers{") + container + "}";
    }
}
