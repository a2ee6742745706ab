package dev.towtank.cluster;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The time of the machine.
public final class SystemTimers implements Timers, AutoCloseable {

    private static final System.Logger LOG = System.getLogger(SystemTimers.class.getName());

    private final InstantSource clock = InstantSource.system();
    private final ScheduledThreadPoolExecutor executor;

    public SystemTimers() {
        executor = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("timers").daemon().factory());
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Instant instant() {
        return clock.instant();
    }

    @Override
    public Timer at(Instant moment, Runnable action) {
        var delay = Duration.between(instant(), moment);
        // Far moments would overflow nanoseconds; nobody waits for centuries.
        var bounded = delay.compareTo(Duration.ofDays(36_500)) > 0 ? Duration.ofDays(36_500) : delay;
        var task = executor.schedule(() -> runLogged(action), Math.max(0, bounded.toNanos()), TimeUnit.NANOSECONDS);
        return () -> task.cancel(false);
    }

    private static void runLogged(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a timer's action failed", e);
        }
    }

    /// Actions that still wait are dropped.
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
