package dev.towtank.apiserver.upkeep;

import dev.towtank.apiserver.store.Change;
import dev.towtank.apiserver.store.Feed;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.StatusError;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Follows everything that is committed and looks at what it touched, on one thread.
///
/// What a look could not finish is looked at again, later each time.
public final class StoreLoop<K> implements AutoCloseable {

    private static final Logger LOG = System.getLogger(StoreLoop.class.getName());
    private static final int SHORTEST_BREATH = 5;
    private static final int LONGEST_BREATH = 40;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    private static final Duration FIRST_RETRY = Duration.ofMillis(50);
    private static final Duration LAST_RETRY = Duration.ofSeconds(30);
    private static final int BATCH = 1_000;

    /// What a loop is for. Never called by two threads at once.
    public interface Task<K> {
        /// Forgets all that was observed; the state is told again from the beginning.
        void reset();

        /// Takes note of a change and says what must be looked at because of it.
        void observe(Change change, Consumer<K> touched);

        /// Brings one thing into order, reading the newest state. A refused write is looked at again later.
        void look(K key);

        /// Called now and then, for what time alone changes.
        default void tick(Instant now, Consumer<K> touched) {}
    }

    private record Retry(Instant at, int attempts) {}

    private final String name;
    private final Store store;
    private final Task<K> task;
    private final InstantSource clock;
    private final Set<K> dirty = new LinkedHashSet<>();
    private final Map<K, Retry> retries = new HashMap<>();
    private final Thread thread;
    private final CountDownLatch ended = new CountDownLatch(1);
    private int breathMillis = SHORTEST_BREATH;
    private volatile boolean closed;

    public StoreLoop(String name, Store store, Task<K> task, InstantSource clock) {
        this.name = name;
        this.store = store;
        this.task = task;
        this.clock = clock;
        this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        while (!closed) {
            try (var feed = begin()) {
                follow(feed);
            } catch (Feed.Expired e) {
                LOG.log(Level.DEBUG, "{0} fell behind and starts again from the present state", name);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private Feed begin() {
        task.reset();
        dirty.clear();
        retries.clear();
        var present = store.list(Range.EVERYTHING, 0, null, 0);
        int seen = 0;
        for (var item : present.items()) {
            task.observe(new Change(Change.Type.CREATED, item, null), dirty::add);
            if (++seen % BATCH == 0) {
                letOthersRun();
            }
        }
        return store.feed(Range.EVERYTHING, present.revision());
    }

    /// A start looks at every object, while the first requests come: nobody takes a virtual thread's turn away from it.
    @SuppressWarnings("ThreadPriorityCheck")
    private static void letOthersRun() {
        Thread.yield();
    }

    private void follow(Feed feed) throws InterruptedException {
        while (!closed) {
            for (var change : feed.poll(BATCH)) {
                task.observe(change, dirty::add);
            }
            task.tick(clock.instant(), dirty::add);
            due().forEach(dirty::add);
            var next = dirty.iterator();
            if (next.hasNext()) {
                var key = next.next();
                next.remove();
                look(key);
                breathMillis = SHORTEST_BREATH;
                continue;
            }
            // Under load many changes come between two looks; waking up for each would cost more than looking. The more
            // so when none of them concerns us.
            if (ended.await(breathMillis, TimeUnit.MILLISECONDS)) {
                return;
            }
            breathMillis = Math.min(2 * breathMillis, LONGEST_BREATH);
            for (var change : feed.await(BATCH, pause())) {
                task.observe(change, dirty::add);
            }
        }
    }

    private List<K> due() {
        var now = clock.instant();
        var due = new ArrayList<K>();
        retries.forEach((key, retry) -> {
            if (!retry.at.isAfter(now)) {
                due.add(key);
            }
        });
        return due;
    }

    private Duration pause() {
        var now = clock.instant();
        return retries.values().stream()
                .map(retry -> Duration.between(now, retry.at))
                .filter(wait -> wait.compareTo(LONGEST_WAIT) < 0)
                .min(Duration::compareTo)
                .map(wait -> wait.isNegative() ? Duration.ZERO : wait)
                .orElse(LONGEST_WAIT);
    }

    // A mistake of ours in one look must not end the upkeep of everything else, so it is told and tried again as well.
    private void look(K key) {
        try {
            task.look(key);
            retries.remove(key);
        } catch (StatusError e) {
            LOG.log(Level.DEBUG, "{0}: {1}: {2}", name, key, e.text());
            retryLater(key);
        } catch (RuntimeException e) {
            if (!closed) {
                LOG.log(Level.ERROR, name + ": " + key, e);
            }
            retryLater(key);
        }
    }

    private void retryLater(K key) {
        var before = retries.get(key);
        int attempts = before == null ? 0 : before.attempts + 1;
        var wait = FIRST_RETRY.multipliedBy(1L << Math.min(attempts, 16));
        var bounded = wait.compareTo(LAST_RETRY) > 0 ? LAST_RETRY : wait;
        retries.put(key, new Retry(clock.instant().plus(bounded), attempts));
    }

    @Override
    public void close() {
        closed = true;
        ended.countDown();
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
