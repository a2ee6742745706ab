package dev.towtank.node.probes;

import dev.towtank.cluster.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/// Probes one instance of a container until it is told to stop.
///
/// It blocks on a virtual thread: an idle probe costs a few hundred bytes.
public final class ProbeLoop implements AutoCloseable {

    /// Hears what a probe found.
    public interface Listener {

        /// Each failed probe, for the Event.
        void failed(Probe probe, ProbeOutcome outcome);

        /// The results were enough for a verdict; told again only when it changes.
        ///
        /// @return whether to go on probing
        boolean verdict(Probe probe, boolean success);
    }

    /// Does a probe once.
    @FunctionalInterface
    public interface Action {
        ProbeOutcome run(Check check, Duration timeout) throws InterruptedException;
    }

    private final Probe probe;
    private final Instant startedAt;
    private final Timers timers;
    private final Action action;
    private final BooleanSupplier mayBegin;
    private final Listener listener;
    private final Thread thread;

    /// @param startedAt of the container
    /// @param mayBegin false while the container's startup is not through: until then nothing is probed
    public ProbeLoop(
            Probe probe, Instant startedAt, Timers timers, Action action, BooleanSupplier mayBegin, Listener listener) {
        this.probe = probe;
        this.startedAt = startedAt;
        this.timers = timers;
        this.action = action;
        this.mayBegin = mayBegin;
        this.listener = listener;
        this.thread =
                Thread.ofVirtual().name(probe.purpose().title() + " probe").unstarted(this::run);
    }

    public ProbeLoop start() {
        thread.start();
        return this;
    }

    private void run() {
        try {
            var first = startedAt.plus(probe.initialDelay());
            timers.pause(Duration.between(timers.instant(), first));
            probeUntilStopped();
        } catch (InterruptedException e) {
            // closed
        }
    }

    private void probeUntilStopped() throws InterruptedException {
        var tally = Tally.NONE;
        var said = Tally.NONE.last();
        boolean goOn = true;
        while (goOn) {
            if (mayBegin.getAsBoolean()) {
                var outcome = action.run(probe.check(), probe.timeout());
                if (!outcome.success()) {
                    listener.failed(probe, outcome);
                }
                tally = tally.plus(outcome.success());
                var verdict = tally.verdict(probe);
                if (verdict.isPresent() && !verdict.equals(said)) {
                    said = verdict;
                    goOn = listener.verdict(probe, verdict.get());
                }
            }
            if (goOn) {
                timers.pause(mayBegin.getAsBoolean() ? probe.period() : shorter(probe.period()));
            }
        }
    }

    // A probe that waits for the startup looks more often, so that a pod is ready soon after.
    private static Duration shorter(Duration period) {
        var second = Duration.ofSeconds(1);
        return period.compareTo(second) < 0 ? period : second;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
