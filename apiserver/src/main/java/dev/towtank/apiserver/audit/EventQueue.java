package dev.towtank.apiserver.audit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Events between the requests that made them and the one thread that writes them.
///
/// Whoever adds never waits and seldom wakes anybody: the writer sleeps a little between batches.
final class EventQueue {

    /// Waiting for more costs a line this much delay, and saves a wake-up for each.
    private static final Duration GATHERED = Duration.ofMillis(50);

    private final int most;
    private final long mostBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition wake = lock.newCondition();
    private final Condition written = lock.newCondition();
    // All guarded by lock.
    private List<AuditEvent> waiting = new ArrayList<>();
    private long waitingBytes;
    private long lost;
    private long taken;
    private long done;
    private boolean idle;
    private boolean hurried;
    private boolean closed;

    /// @param most events that may wait
    /// @param mostBytes of bodies that may wait; what goes beyond comes without its bodies
    EventQueue(int most, long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
    }

    /// Takes over the event, or counts it as lost.
    ///
    /// @param bytes of the bodies that it holds on to
    void add(AuditEvent event, int bytes) {
        lock.lock();
        try {
            if (closed || waiting.size() >= most) {
                lost++;
                return;
            }
            boolean fits = waitingBytes + bytes <= mostBytes;
            waiting.add(fits ? event : event.withoutExchange());
            waitingBytes += fits ? bytes : 0;
            taken++;
            boolean hurry = waiting.size() > most / 4;
            if (idle || (hurry && !hurried)) {
                idle = false;
                hurried = hurry;
                wake.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    void addLost(long more) {
        lock.lock();
        try {
            lost += more;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until there are events, and a little longer.
    ///
    /// @return nothing when the queue is closed and empty
    List<AuditEvent> take() throws InterruptedException {
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                idle = true;
                wake.await();
            }
            idle = false;
            long left = GATHERED.toNanos();
            while (!hurried && !closed && left > 0) {
                left = wake.awaitNanos(left);
            }
            hurried = false;
            var batch = waiting;
            waiting = new ArrayList<>();
            waitingBytes = 0;
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /// How many were lost since this was last asked.
    long takeLost() {
        lock.lock();
        try {
            long count = lost;
            lost = 0;
            return count;
        } finally {
            lock.unlock();
        }
    }

    /// That so many of the events taken are dealt with.
    void finished(int events) {
        lock.lock();
        try {
            done += events;
            written.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Returns when all that was added before is dealt with.
    void awaitFinished() throws InterruptedException {
        lock.lock();
        try {
            long until = taken;
            hurried = true;
            wake.signal();
            while (done < until) {
                written.await();
            }
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            wake.signal();
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }
}
