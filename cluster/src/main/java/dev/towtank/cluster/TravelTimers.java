package dev.towtank.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// Time that can be moved ahead: what was due in between happens at once, as after a long sleep of the machine.
public final class TravelTimers implements Timers, AutoCloseable {

    private final SystemTimers machine;
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
    private volatile Duration ahead;

    /// @param ahead of the machine's time
    public TravelTimers(SystemTimers machine, Duration ahead) {
        this.machine = machine;
        this.ahead = ahead;
    }

    @Override
    public Instant instant() {
        return machine.instant().plus(ahead);
    }

    public Duration ahead() {
        return ahead;
    }

    /// There is no way back: what has happened at a later time cannot be undone.
    public synchronized void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("time moves forward only, not by " + by);
        }
        ahead = ahead.plus(by);
        waiting.forEach(Waiting::look);
    }

    @Override
    public Timer at(Instant moment, Runnable action) {
        var timer = new Waiting(moment, action);
        waiting.add(timer);
        timer.look();
        return timer;
    }

    private final class Waiting implements Timer {
        private final Instant moment;
        private final Runnable action;
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile Timer byMachine = () -> {};

        Waiting(Instant moment, Runnable action) {
            this.moment = moment;
            this.action = action;
        }

        /// Sets the machine's timer anew, since the distance between its time and ours may have changed.
        private synchronized void look() {
            byMachine.cancel();
            if (!over.get()) {
                byMachine = machine.at(moment.minus(ahead), this::run);
            }
        }

        private void run() {
            if (over.compareAndSet(false, true)) {
                waiting.remove(this);
                action.run();
            }
        }

        @Override
        public void cancel() {
            over.set(true);
            waiting.remove(this);
            byMachine.cancel();
        }
    }

    @Override
    public void close() {
        machine.close();
    }
}
