package dev.towtank.node.pods;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// What is known about a pod on this node besides the object itself.
///
/// @param containers by name; a container that is not in here has never been tried
/// @param failure why the pod as a whole has failed, whatever its containers do
/// @param resizing why what its containers may use is not yet what the pod says
/// @param unenforced which policies about its network are not in force, and why
/// @param prepared its volumes are there, so containers can start
/// @param over nothing of it runs or will run
public record PodFacts(
        Map<String, ContainerFacts> containers,
        Instant startTime,
        Optional<Failure> failure,
        Optional<Resizing> resizing,
        Optional<String> unenforced,
        boolean prepared,
        boolean over) {

    public PodFacts {
        containers = Map.copyOf(containers);
    }

    /// @param reason as in `status.reason`: `DeadlineExceeded`
    public record Failure(String reason, String message) {}

    /// A change of what containers may use that has not come about.
    public record Resizing(Kind kind, String message) {

        public enum Kind {
            INFEASIBLE,
            DEFERRED,
            ERROR;

            /// As in `status.conditions`.
            String condition() {
                return this == ERROR ? "PodResizeInProgress" : "PodResizePending";
            }

            String reason() {
                return name().charAt(0) + verb().substring(1);
            }

            String verb() {
                return name().toLowerCase(Locale.ROOT);
            }

            String event() {
                return "Resize" + reason();
            }
        }
    }

    public ContainerFacts of(String container) {
        return containers.getOrDefault(container, ContainerFacts.NEW);
    }

    public boolean anyRunning() {
        return containers.values().stream().anyMatch(ContainerFacts::isRunning);
    }
}
