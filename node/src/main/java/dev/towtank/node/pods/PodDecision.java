package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.PodResources;
import dev.towtank.node.pods.ContainerFacts.BackOff;
import dev.towtank.node.pods.ContainerFacts.Exited;
import dev.towtank.node.pods.ContainerFacts.None;
import dev.towtank.node.pods.ContainerFacts.Running;
import dev.towtank.node.pods.PodActions.BackingOff;
import dev.towtank.node.pods.PodActions.Start;
import dev.towtank.node.pods.PodActions.Stop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// One computation of [PodActions].
final class PodDecision {

    private static final Duration FIRST_DELAY = Duration.ofSeconds(10);
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(5);

    // A container that ran for so long starts again with the first delay.
    private static final Duration FORGIVEN_AFTER = LONGEST_DELAY.multipliedBy(2);

    // However short the grace period, a process gets the chance to hear of its end.
    private static final Duration SHORTEST_GRACE = Duration.ofSeconds(2);

    private final Resource pod;
    private final PodFacts facts;
    private final Instant now;
    private final List<Start> start = new ArrayList<>();
    private final List<Stop> stop = new ArrayList<>();
    private final List<PodActions.Resize> resize = new ArrayList<>();
    private final List<BackingOff> backingOff = new ArrayList<>();
    private Optional<PodFacts.Failure> failure = Optional.empty();
    private Optional<Instant> lookAgain = Optional.empty();

    PodDecision(Resource pod, PodFacts facts, Instant now) {
        this.pod = pod;
        this.facts = facts;
        this.now = now;
    }

    PodActions decide() {
        checkDeadline();
        boolean goesOn = !mustEnd() && keepRunning();
        if (!goesOn) {
            start.clear();
            resize.clear();
            backingOff.clear();
            stopAll();
        }
        boolean over = !goesOn && !facts.anyRunning();
        return new PodActions(start, stop, resize, backingOff, failure, lookAgain, over);
    }

    private boolean mustEnd() {
        return pod.isDeleting()
                || Containers.isOver(pod)
                || failure.isPresent()
                || facts.failure().isPresent();
    }

    private void checkDeadline() {
        if (!(pod.spec().get("activeDeadlineSeconds") instanceof Json.Int(var seconds)) || mustEnd()) {
            return;
        }
        var deadline = facts.startTime().plusSeconds(seconds);
        if (now.isBefore(deadline)) {
            lookAgainAt(deadline);
        } else {
            failure = Optional.of(new PodFacts.Failure(
                    "DeadlineExceeded", "Pod was active on the node longer than the specified deadline"));
        }
    }

    /// Starts what should run.
    ///
    /// @return false when everything that should run has run
    private boolean keepRunning() {
        if (Containers.regular(pod).stream()
                .anyMatch(container -> factsOf(container).hasRun())) {
            Containers.init(pod).stream().filter(Containers::isSidecar).forEach(this::keepSidecar);
            return keepRegular();
        }
        return switch (initialize()) {
            case DONE -> keepRegular();
            case UNDER_WAY -> true;
            case FAILED -> false;
        };
    }

    private enum Initialization {
        UNDER_WAY,
        DONE,
        FAILED
    }

    private Initialization initialize() {
        var containers = Containers.init(pod);
        int reached = -1;
        for (int i = 0; i < containers.size(); i++) {
            if (factsOf(containers.get(i)).hasRun()) {
                reached = i;
            }
        }
        for (int i = 0; i < reached; i++) {
            if (Containers.isSidecar(containers.get(i))) {
                keepSidecar(containers.get(i));
            }
        }
        var state = reached < 0 ? Initialization.DONE : initialized(containers.get(reached));
        if (state != Initialization.DONE || reached + 1 == containers.size()) {
            return state;
        }
        tryStart(containers.get(reached + 1));
        return Initialization.UNDER_WAY;
    }

    /// Whether the next init container may start after this one.
    private Initialization initialized(Json.Obj container) {
        var known = factsOf(container);
        if (Containers.isSidecar(container)) {
            keepSidecar(container);
            return known.isRunning() && known.started() ? Initialization.DONE : Initialization.UNDER_WAY;
        }
        return switch (known.instance()) {
            case None _, Running _ -> Initialization.UNDER_WAY;
            case Exited exit -> {
                if (exit.succeeded()) {
                    yield Initialization.DONE;
                }
                if (!Containers.restarts(pod, container, exit.code())) {
                    yield Initialization.FAILED;
                }
                restart(container, exit);
                yield Initialization.UNDER_WAY;
            }
        };
    }

    private void keepSidecar(Json.Obj container) {
        switch (factsOf(container).instance()) {
            case None _ -> tryStart(container);
            case Exited exit -> restart(container, exit);
            case Running _ -> {
                resizeIfChanged(container);
                stopIfUnhealthy(container, "Init container ", "");
            }
        }
    }

    private boolean keepRegular() {
        for (var container : Containers.ephemeral(pod)) {
            if (factsOf(container).instance() instanceof None) {
                tryStart(container);
            }
        }
        boolean anything = false;
        for (var container : Containers.regular(pod)) {
            switch (factsOf(container).instance()) {
                case None _ -> {
                    tryStart(container);
                    anything = true;
                }
                case Exited exit -> {
                    if (isChanged(container) && factsOf(container).stopBy().isPresent()) {
                        tryStart(container);
                        anything = true;
                    } else if (Containers.restarts(pod, container, exit.code())) {
                        restart(container, exit);
                        anything = true;
                    }
                }
                case Running _ -> {
                    stopIfChanged(container);
                    resizeIfChanged(container);
                    var again = Containers.restarts(pod, container, 137) ? ", will be restarted" : "";
                    stopIfUnhealthy(container, "Container ", again);
                    anything = true;
                }
            }
        }
        return anything;
    }

    /// Another image wants another process, whatever the restart policy says.
    private void stopIfChanged(Json.Obj container) {
        if (isChanged(container)) {
            var why = hasOtherImage(container) ? " definition changed, will be restarted" : " resize requires restart";
            var message = "Container " + Containers.name(container) + why;
            stop(container, message, now.plusSeconds(PodActions.graceSeconds(pod, container, Optional.empty())));
        }
    }

    private void resizeIfChanged(Json.Obj container) {
        if (!isChanged(container) && !otherResources(container).isEmpty()) {
            resize.add(new PodActions.Resize(Containers.name(container), container.object("resources")));
        }
    }

    private boolean isChanged(Json.Obj container) {
        return hasOtherImage(container) || resizesByRestart(container);
    }

    private boolean hasOtherImage(Json.Obj container) {
        var image = factsOf(container).image().reference();
        return !image.isEmpty() && !image.equals(container.string("image"));
    }

    private boolean resizesByRestart(Json.Obj container) {
        var changed = otherResources(container);
        return container.objects("resizePolicy").stream()
                .anyMatch(policy -> policy.string("restartPolicy").equals("RestartContainer")
                        && changed.contains(policy.string("resourceName")));
    }

    /// What of the container's resources is not as its process has it.
    private Set<String> otherResources(Json.Obj container) {
        var image = factsOf(container).image();
        return image.reference().isEmpty()
                ? Set.of()
                : PodResources.differences(container.object("resources"), image.resources());
    }

    private void tryStart(Json.Obj container) {
        if (!waitsForProblem(container)) {
            start.add(new Start(Containers.name(container), new BackOff(Duration.ZERO, now)));
        }
    }

    /// An attempt that failed is not repeated at once.
    private boolean waitsForProblem(Json.Obj container) {
        var retryAt = factsOf(container).problem().map(ContainerFacts.Problem::retryAt);
        if (retryAt.isPresent() && now.isBefore(retryAt.get())) {
            lookAgainAt(retryAt.get());
            return true;
        }
        return false;
    }

    private void restart(Json.Obj container, Exited exit) {
        if (waitsForProblem(container)) {
            return;
        }
        var name = Containers.name(container);
        var current = factsOf(container).backOff().filter(delay -> !isForgiven(delay, exit));
        var until = current.map(delay -> exit.finishedAt().plus(delay.delay()));
        if (until.isPresent() && now.isBefore(until.get())) {
            backingOff.add(new BackingOff(name, current.get(), until.get()));
            lookAgainAt(until.get());
        } else {
            start.add(new Start(name, new BackOff(next(current), now)));
        }
    }

    private static boolean isForgiven(BackOff delay, Exited exit) {
        return Duration.between(delay.updated(), exit.finishedAt()).compareTo(FORGIVEN_AFTER) > 0;
    }

    // The first restart comes at once.
    private static Duration next(Optional<BackOff> current) {
        var delay = current.map(BackOff::delay).orElse(Duration.ZERO);
        if (delay.isZero()) {
            return FIRST_DELAY;
        }
        var doubled = delay.multipliedBy(2);
        return doubled.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : doubled;
    }

    private void stopIfUnhealthy(Json.Obj container, String subject, String consequence) {
        factsOf(container).unhealthy().ifPresent(why -> {
            var probe = switch (why) {
                case STARTUP -> "startup";
                case LIVENESS -> "liveness";
            };
            var message = subject + Containers.name(container) + " failed " + probe + " probe" + consequence;
            stop(container, message, now.plusSeconds(PodActions.graceSeconds(pod, container, Optional.of(why))));
        });
    }

    /// Regular containers first; when they have ended, sidecars one by one, the last one first.
    private void stopAll() {
        boolean waiting = false;
        for (var container : Containers.ephemeral(pod)) {
            stopForGood(container);
        }
        for (var container : Containers.regular(pod)) {
            waiting |= stopForGood(container);
        }
        for (var container : Containers.init(pod).reversed()) {
            if (!waiting || !now.isBefore(endBy(container))) {
                waiting |= stopForGood(container);
            } else if (factsOf(container).isRunning()) {
                lookAgainAt(endBy(container));
            }
        }
    }

    /// @return whether it still runs
    private boolean stopForGood(Json.Obj container) {
        if (!factsOf(container).isRunning()) {
            return false;
        }
        stop(container, "Stopping container " + Containers.name(container), endBy(container));
        return true;
    }

    private Instant endBy(Json.Obj container) {
        var stopping = factsOf(container).stopBy();
        if (stopping.isPresent() && !pod.isDeleting()) {
            return stopping.get();
        }
        return pod.deletionTimestamp()
                .orElseGet(() -> now.plusSeconds(PodActions.graceSeconds(pod, container, Optional.empty())));
    }

    /// A container that is being stopped is asked again only to make it quicker.
    private void stop(Json.Obj container, String message, Instant by) {
        var soonest = now.plus(SHORTEST_GRACE);
        var moment = by.isBefore(soonest) ? soonest : by;
        var asked = factsOf(container).stopBy();
        if (asked.isEmpty() || moment.isBefore(asked.get())) {
            stop.add(new Stop(Containers.name(container), message, moment));
        }
    }

    private ContainerFacts factsOf(Json.Obj container) {
        return facts.of(Containers.name(container));
    }

    private void lookAgainAt(Instant moment) {
        lookAgain = lookAgain.filter(earlier -> earlier.isBefore(moment)).or(() -> Optional.of(moment));
    }
}
