package dev.towtank.node.pods;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// What is known about a pod on this node besides the object itself.
///
/// @param containers by name; a container that is not in here has never been tried
/// @param failure why the pod as a whole has failed, whatever its containers do
/// @param prepared its volumes are there, so containers can start
/// @param over nothing of it runs or will run
public record PodFacts(
        Map<String, ContainerFacts> containers,
        Instant startTime,
        Optional<Failure> failure,
        boolean prepared,
        boolean over) {

    public PodFacts {
        containers = Map.copyOf(containers);
    }

    /// @param reason as in `status.reason`: `DeadlineExceeded`
    public record Failure(String reason, String message) {}

    public ContainerFacts of(String container) {
        return containers.getOrDefault(container, ContainerFacts.NEW);
    }

    public boolean anyRunning() {
        return containers.values().stream().anyMatch(ContainerFacts::isRunning);
    }
}
