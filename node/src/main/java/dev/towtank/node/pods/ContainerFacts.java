package dev.towtank.node.pods;

import dev.towtank.model.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What is known about one container of a pod: its newest instance, the one before, and why there is no next one.
///
/// @param previous how the instance before the newest one ended
/// @param restarts how many instances there were before the newest one
/// @param problem why the container waits, where something went wrong
/// @param started its post-start hook and its startup probe are through
/// @param ready what the readiness probe said last; true without one
/// @param unhealthy a probe that wants the instance to be killed
/// @param stopBy set when the instance is being stopped: the moment at which it is killed; kept when it has ended
/// @param backOff how long restarts have to wait
/// @param image what the newest instance was started on
public record ContainerFacts(
        Instance instance,
        Optional<Exited> previous,
        int restarts,
        Optional<Problem> problem,
        boolean started,
        boolean ready,
        Optional<Unhealthy> unhealthy,
        Optional<Instant> stopBy,
        Optional<BackOff> backOff,
        StartedOn image) {

    public static final ContainerFacts NEW = new ContainerFacts(
            new None(),
            Optional.empty(),
            0,
            Optional.empty(),
            false,
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            StartedOn.NOTHING);

    /// @param reference as the pod named it
    /// @param id for the status: of a real image with its digest, of a stand-in with a mark that says so
    /// @param resources what it may use, as the pod named it then or when it was resized
    public record StartedOn(String reference, String id, Json.Obj resources) {
        static final StartedOn NOTHING = new StartedOn("", "", Json.Obj.EMPTY);

        StartedOn with(Json.Obj others) {
            return new StartedOn(reference, id, others);
        }
    }

    /// One run of a container.
    public sealed interface Instance {}

    /// It has never run.
    public record None() implements Instance {}

    /// @param id as in the status: `towtank://…`
    public record Running(String id, Instant startedAt) implements Instance {}

    public record Exited(String id, int code, String reason, String message, Instant startedAt, Instant finishedAt)
            implements Instance {
        public boolean succeeded() {
            return code == 0;
        }
    }

    /// @param reason as in the status: `ErrImagePull`, `CreateContainerConfigError`, …
    /// @param retryAt before this moment there is no sense in another attempt
    public record Problem(String reason, String message, Instant retryAt) {}

    public enum Unhealthy {
        STARTUP,
        LIVENESS
    }

    /// @param delay between the end of an instance and the start of the next one
    /// @param updated when the delay was last raised
    public record BackOff(Duration delay, Instant updated) {}

    public boolean isRunning() {
        return instance instanceof Running;
    }

    public boolean hasRun() {
        return !(instance instanceof None);
    }

    public Optional<Exited> exit() {
        return instance instanceof Exited exited ? Optional.of(exited) : Optional.empty();
    }

    ContainerFacts running(Running run, BackOff delay) {
        var before = exit().or(() -> previous);
        var count = hasRun() ? restarts + 1 : restarts;
        return new ContainerFacts(
                run,
                before,
                count,
                Optional.empty(),
                false,
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.of(delay),
                image);
    }

    ContainerFacts exited(Exited exit) {
        return new ContainerFacts(
                exit, previous, restarts, Optional.empty(), false, false, Optional.empty(), stopBy, backOff, image);
    }

    ContainerFacts with(Problem why) {
        return new ContainerFacts(
                instance, previous, restarts, Optional.of(why), started, ready, unhealthy, stopBy, backOff, image);
    }

    ContainerFacts withImage(StartedOn other) {
        return new ContainerFacts(
                instance, previous, restarts, problem, started, ready, unhealthy, stopBy, backOff, other);
    }

    ContainerFacts withStarted(boolean value) {
        return new ContainerFacts(
                instance, previous, restarts, problem, value, ready, unhealthy, stopBy, backOff, image);
    }

    ContainerFacts withReady(boolean value) {
        return new ContainerFacts(
                instance, previous, restarts, problem, started, value, unhealthy, stopBy, backOff, image);
    }

    ContainerFacts unhealthy(Unhealthy why) {
        return new ContainerFacts(
                instance, previous, restarts, problem, started, ready, Optional.of(why), stopBy, backOff, image);
    }

    ContainerFacts stopping(Instant by) {
        return new ContainerFacts(
                instance, previous, restarts, problem, started, ready, unhealthy, Optional.of(by), backOff, image);
    }

    /// As it was before this process: what the status told, with the given instance.
    static ContainerFacts restored(Instance instance, Optional<Exited> previous, int restarts, StartedOn image) {
        return new ContainerFacts(
                instance,
                previous,
                restarts,
                Optional.empty(),
                false,
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                image);
    }
}
