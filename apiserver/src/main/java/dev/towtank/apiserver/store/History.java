package dev.towtank.apiserver.store;

import dev.towtank.model.GroupResource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;

/// The revision counter, the window of changes before it, and the feeds that walk them.
///
/// One thread publishes and trims. What it publishes becomes visible to readers all at once, when the revision moves.
final class History {

    private static final System.Logger LOG = System.getLogger(History.class.getName());

    /// So long those who follow changes may take to read them; who comes later was away for a while.
    private static final Duration FRESH = Duration.ofSeconds(15);

    private record Recent(KeyVersion version, long millis, int weight) {}

    private final Index index;
    private final InstantSource clock;
    private final StoreLimits limits;
    private final Packing packing;
    private final Lane everything = new Lane();
    private final ConcurrentMap<GroupResource, Lane> lanes = new ConcurrentHashMap<>();
    private final LinkedBlockingQueue<Lane> signals = new LinkedBlockingQueue<>();
    private final Thread waker;

    // The window, oldest first; only the publishing thread touches it.
    private final ArrayDeque<Recent> window = new ArrayDeque<>();
    // Its end, of which nothing was packed yet.
    private final ArrayDeque<Recent> fresh = new ArrayDeque<>();
    private long weight;
    private final long start;
    private boolean loadedSettled;

    private volatile long revision;
    private volatile long oldest;
    private volatile boolean closed;

    /// History begins at the revision that was found on disk.
    History(Index index, long start, InstantSource clock, StoreLimits limits, Packing packing) {
        this.index = index;
        this.start = start;
        this.revision = start;
        this.oldest = start;
        this.clock = clock;
        this.limits = limits;
        this.packing = packing;
        this.waker = Thread.ofVirtual().name("store-wake").start(this::wakeFeeds);
    }

    long revision() {
        return revision;
    }

    long oldest() {
        return oldest;
    }

    boolean isClosed() {
        return closed;
    }

    boolean isEmpty() {
        return window.isEmpty();
    }

    /// A change, and the version it left in the index.
    record Happened(Change change, KeyVersion version) {}

    void publish(List<Happened> batch) {
        var touched = new HashSet<Lane>();
        long now = clock.millis();
        for (var happened : batch) {
            var change = happened.change;
            index.put(happened.version);
            everything.append(change);
            var lane = lane(change.key().resource());
            lane.append(change);
            touched.add(lane);
            int size = change.now().weight();
            var recent = new Recent(happened.version, now, size);
            window.add(recent);
            fresh.add(recent);
            weight += size;
            happened.version.publish();
        }
        revision = batch.getLast().change.revision();
        touched.add(everything);
        touched.forEach(this::signal);
    }

    Feed feed(Range range, long since) {
        var lane = range.resource().map(this::lane).orElse(everything);
        var start = since < oldest ? null : lane.startAfter(since);
        if (start == null) {
            throw new Feed.Expired(since, oldest);
        }
        return new Cursor(this, lane, range, since, start);
    }

    private Lane lane(GroupResource resource) {
        return lanes.computeIfAbsent(resource, _ -> new Lane());
    }

    /// From now on nobody may ask for what lies before this; [#trim] gives the memory back step by step.
    void forgetBefore(long wanted) {
        oldest = Math.max(oldest, Math.min(wanted, revision));
    }

    /// Forgets at most so many changes that are over the limits; false when there is nothing left to forget.
    boolean trim(int most) {
        var going = new ArrayDeque<KeyVersion>();
        long tooOld = clock.millis() - limits.age().toMillis();
        for (var first = window.peek(); first != null && going.size() < most; first = window.peek()) {
            if (!isOver(first, tooOld)) {
                break;
            }
            window.remove();
            if (fresh.size() > window.size()) {
                fresh.remove();
            }
            weight -= first.weight;
            going.add(first.version);
        }
        if (going.isEmpty()) {
            return false;
        }
        // First the mark, then the memory: a reader that missed something finds the mark moved, and tries again.
        oldest = Math.max(oldest, going.getLast().revision());
        for (var version : going) {
            index.forgetBefore(version);
            lane(version.stored().key().resource()).trim(version.revision());
            settle(version);
        }
        everything.trim(going.getLast().revision());
        return true;
    }

    /// Hands over to be packed, at most so many, what has been in the window for a while.
    ///
    /// @return whether there was any
    boolean cool(int most) {
        long cold = clock.millis() - FRESH.toMillis();
        int count = 0;
        for (var first = fresh.peek(); first != null && first.millis <= cold && count < most; first = fresh.peek()) {
            fresh.remove();
            packing.add(first.version.stored(), first.version.isCurrent());
            count++;
        }
        return count > 0;
    }

    /// What is still there, as nobody has written or deleted it since, hardly anybody will look at.
    private void settle(KeyVersion version) {
        if (!loadedSettled) {
            loadedSettled = true;
            index.list(Range.EVERYTHING, start).forEach(stored -> packing.add(stored, true));
        }
        if (version.isCurrent()) {
            packing.add(version.stored(), true);
        }
    }

    private boolean isOver(Recent first, long tooOld) {
        return first.version.revision() <= oldest
                || window.size() > limits.changes()
                || weight > limits.bytes()
                || first.millis < tooOld;
    }

    private void signal(Lane lane) {
        if (!lane.waiting().isEmpty() && lane.signalled().compareAndSet(false, true)) {
            signals.add(lane);
        }
    }

    // Readers' actions run here, so that thousands of them never hold up a commit.
    private void wakeFeeds() {
        try {
            while (!closed) {
                var lane = signals.take();
                lane.signalled().set(false);
                lane.waiting().forEach(History::wake);
            }
        } catch (InterruptedException e) {
            LOG.log(System.Logger.Level.DEBUG, "no feeds are woken any more: the store is closing");
        }
    }

    private static void wake(Cursor cursor) {
        try {
            cursor.wakeIfReady();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "a reader of changes failed when it was woken", e);
        }
    }

    /// Wakes every reader one last time, so that none waits for ever.
    void close() {
        closed = true;
        waker.interrupt();
        lanes.values().forEach(lane -> lane.waiting().forEach(History::wake));
        everything.waiting().forEach(History::wake);
    }
}
