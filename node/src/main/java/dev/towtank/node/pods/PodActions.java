package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.node.pods.ContainerFacts.BackOff;
import dev.towtank.node.pods.ContainerFacts.Unhealthy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What is to be done for a pod now.
///
/// @param stop in the order in which it is to happen
/// @param resize running containers that may use something else from now on
/// @param backingOff ended containers whose next start has to wait
/// @param failure the pod fails now, for this reason
/// @param lookAgain when there may be something to do though nothing happens until then
/// @param over nothing runs and nothing will run again
public record PodActions(
        List<Start> start,
        List<Stop> stop,
        List<Resize> resize,
        List<BackingOff> backingOff,
        Optional<PodFacts.Failure> failure,
        Optional<Instant> lookAgain,
        boolean over) {

    public PodActions {
        start = List.copyOf(start);
        stop = List.copyOf(stop);
        resize = List.copyOf(resize);
        backingOff = List.copyOf(backingOff);
    }

    /// @param backOff what the next restart of this container has to wait for
    public record Start(String container, BackOff backOff) {}

    /// @param message for the Event
    /// @param by when the process is killed, should it not end by itself
    public record Stop(String container, String message, Instant by) {}

    public record Resize(String container, Json.Obj resources) {}

    public record BackingOff(String container, BackOff backOff, Instant until) {}

    /// Pure: the same pod, facts and moment give the same actions.
    public static PodActions compute(Resource pod, PodFacts facts, Instant now) {
        return new PodDecision(pod, facts, now).decide();
    }

    /// How long a container has to end after it was asked to.
    static long graceSeconds(Resource pod, Json.Obj container, Optional<Unhealthy> why) {
        if (pod.metadata().get("deletionGracePeriodSeconds") instanceof Json.Int(var seconds)) {
            return seconds;
        }
        var grace = pod.spec().integerOr(30, "terminationGracePeriodSeconds");
        return why.map(probe -> switch (probe) {
                    case STARTUP -> "startupProbe";
                    case LIVENESS -> "livenessProbe";
                })
                .map(probe -> container.integerOr(grace, probe, "terminationGracePeriodSeconds"))
                .orElse(grace);
    }
}
