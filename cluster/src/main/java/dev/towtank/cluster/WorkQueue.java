package dev.towtank.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Keys that want to be looked at: each waits at most once, has at most one worker, and no wake-up is lost.
///
/// A key that is added while somebody works on it waits until that work is done, then comes up again. That is what the
/// two sets are for: `dirty` wants to be looked at, `processing` is being looked at.
public final class WorkQueue<K> implements AutoCloseable {

    private record Delayed(Instant moment, Timers.Timer timer) {}

    private final Timers timers;
    private final Backoff backoff;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition available = lock.newCondition();
    private final Condition idle = lock.newCondition();

    // All guarded by the lock.
    private final Queue<K> ready = new ArrayDeque<>();
    private final Set<K> dirty = new HashSet<>();
    private final Set<K> processing = new HashSet<>();
    private final Map<K, Delayed> delayed = new HashMap<>();
    private final Map<K, Integer> failures = new HashMap<>();
    private boolean closed;

    public WorkQueue(Timers timers, Backoff backoff) {
        this.timers = timers;
        this.backoff = backoff;
    }

    public void add(K key) {
        lock.lock();
        try {
            if (closed || !dirty.add(key) || processing.contains(key)) {
                return;
            }
            ready.add(key);
            available.signal();
        } finally {
            lock.unlock();
        }
    }

    /// Adds the key at a moment. Of several moments the earliest counts; the look then asks for the next.
    public void addAt(K key, Instant moment) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            var earlier = delayed.get(key);
            if (earlier != null && !earlier.moment.isAfter(moment)) {
                return;
            }
            if (earlier != null) {
                earlier.timer.cancel();
            }
            delayed.put(key, new Delayed(moment, timers.at(moment, () -> due(key, moment))));
        } finally {
            lock.unlock();
        }
    }

    private void due(K key, Instant moment) {
        lock.lock();
        try {
            var waiting = delayed.get(key);
            // A timer that was cancelled too late finds another one in its place.
            if (waiting != null && waiting.moment.equals(moment)) {
                delayed.remove(key);
            }
            add(key);
        } finally {
            lock.unlock();
        }
    }

    /// Adds the key again later: the more failures in a row, the later.
    ///
    /// @param atLeast how long the server asked to wait, or zero
    /// @return how many failures in a row there are now
    public int retry(K key, Duration atLeast) {
        lock.lock();
        try {
            int count = failures.merge(key, 1, Integer::sum);
            var wait = backoff.after(count);
            addAt(key, timers.instant().plus(wait.compareTo(atLeast) < 0 ? atLeast : wait));
            return count;
        } finally {
            lock.unlock();
        }
    }

    /// The key is well: its next failure is a first one.
    public void forget(K key) {
        lock.lock();
        try {
            failures.remove(key);
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a key and hands it to the caller, who calls [#done]; empty once the queue is closed.
    public Optional<K> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (ready.isEmpty() && !closed) {
                available.await();
            }
            return takeReady();
        } finally {
            lock.unlock();
        }
    }

    /// Like [#take], but empty at once when nothing is ready.
    public Optional<K> poll() {
        lock.lock();
        try {
            return takeReady();
        } finally {
            lock.unlock();
        }
    }

    private Optional<K> takeReady() {
        var key = closed ? null : ready.poll();
        if (key == null) {
            return Optional.empty();
        }
        dirty.remove(key);
        processing.add(key);
        return Optional.of(key);
    }

    public void done(K key) {
        lock.lock();
        try {
            processing.remove(key);
            if (dirty.contains(key) && !closed) {
                ready.add(key);
                available.signal();
            } else if (dirty.isEmpty() && processing.isEmpty()) {
                idle.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// How many keys wait to be looked at now.
    public int size() {
        lock.lock();
        try {
            return dirty.size();
        } finally {
            lock.unlock();
        }
    }

    /// Whether nothing waits and nobody works; keys that come up later do not count.
    public boolean isIdle() {
        lock.lock();
        try {
            return dirty.isEmpty() && processing.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /// Blocks until [#isIdle].
    public void awaitIdle() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!dirty.isEmpty() || !processing.isEmpty()) {
                idle.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Hands out no more keys; what is being worked on may finish.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            delayed.values().forEach(waiting -> waiting.timer.cancel());
            delayed.clear();
            ready.clear();
            dirty.clear();
            available.signalAll();
            if (processing.isEmpty()) {
                idle.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }
}
