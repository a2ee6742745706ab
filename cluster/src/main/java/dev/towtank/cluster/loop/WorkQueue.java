package dev.towtank.cluster.loop;

import dev.towtank.cluster.Backoff;
import dev.towtank.cluster.Timers;
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
/// two sets are for: `dirty` wants to be looked at, `processing` is being looked at. One that can wait comes up when
/// nobody
/// else does, and now and then in between.
public final class WorkQueue<K> implements AutoCloseable {

    /// Of so many that are handed out one may be one that can wait, so that it need not wait for ever.
    private static final int TURNS = 16;

    private record Delayed(Instant moment, Timers.Timer timer) {}

    private final Timers timers;
    private final Backoff backoff;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition available = lock.newCondition();
    private final Condition idle = lock.newCondition();

    // All guarded by the lock.
    private final Queue<K> ready = new ArrayDeque<>();
    private final Queue<K> later = new ArrayDeque<>();
    // Those of `dirty` that can wait; what is in `later` and no longer here has come up already.
    private final Set<K> patient = new HashSet<>();
    private int turn;
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
            boolean isNews = !closed && (dirty.add(key) || patient.remove(key));
            if (isNews && !processing.contains(key)) {
                ready.add(key);
                available.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Adds a key that can wait until others were handed out.
    public void addLater(K key) {
        lock.lock();
        try {
            if (closed || !dirty.add(key)) {
                return;
            }
            patient.add(key);
            if (!processing.contains(key)) {
                later.add(key);
                available.signal();
            }
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

    /// What the key stood for is gone: neither its failures nor a moment that it waits for are remembered. Such a
    /// moment
    /// may be half a day away, and those who make and delete much would wait for many of them.
    public void drop(K key) {
        lock.lock();
        try {
            failures.remove(key);
            var waiting = delayed.remove(key);
            if (waiting != null) {
                waiting.timer.cancel();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a key and hands it to the caller, who calls [#done]; empty once the queue is closed.
    public Optional<K> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                var key = takeReady();
                if (key.isPresent() || closed) {
                    return key;
                }
                available.await();
            }
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
        if (closed) {
            return Optional.empty();
        }
        boolean isTheirs = turn == 0;
        turn = (turn + 1) % TURNS;
        var key = isTheirs ? takePatient().or(this::takeNext) : takeNext().or(this::takePatient);
        key.ifPresent(each -> {
            dirty.remove(each);
            processing.add(each);
        });
        return key;
    }

    private Optional<K> takeNext() {
        return Optional.ofNullable(ready.poll());
    }

    private Optional<K> takePatient() {
        var key = later.poll();
        while (key != null && !patient.remove(key)) {
            key = later.poll();
        }
        return Optional.ofNullable(key);
    }

    public void done(K key) {
        lock.lock();
        try {
            processing.remove(key);
            if (dirty.contains(key) && !closed) {
                (patient.contains(key) ? later : ready).add(key);
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
            later.clear();
            patient.clear();
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
