package dev.towtank.cluster;

import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.crd.DefinedKinds;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Keeps a [Cache] of a kind like the server's state by a list and a watch, and tells what changed.
///
/// One informer serves every logical cluster. Whatever happens to the watch, the cache ends up right: an ended watch
/// goes on where it was, an expired one starts again from a list, whose differences are told as changes. A kind that no
/// definition serves has no objects.
public final class Informer implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Informer.class.getName());

    // Whoever closes the informer interrupts its thread.
    private static final Duration LONGEST_WAIT = Duration.ofDays(1);

    /// Is told of changes on the thread that reads them: it notes a key and returns.
    @FunctionalInterface
    public interface Handler {
        /// @param before null when the object is new
        /// @param now null when the object is gone
        void changed(@Nullable Resource before, @Nullable Resource now);
    }

    /// @param resync how often every object is told again, so that a lost thought does no lasting harm
    public record Settings(Duration resync, Backoff backoff) {
        public static final Settings USUAL = new Settings(Duration.ofHours(1), Backoff.OF_SERVERS);
    }

    private final Cluster cluster;
    private final Kind<?> kind;
    private final Selection selection;
    private final Timers timers;
    private final Settings settings;
    private final Runnable missed;
    private final IndexedCache cache = new IndexedCache();
    private final CountDownLatch synced = new CountDownLatch(1);
    private final Thread thread;

    // Guarded by this object's monitor, as are changes of the cache: handlers see changes in their order.
    private final List<Handler> handlers = new CopyOnWriteArrayList<>();
    private Timers.@Nullable Timer resync;
    private boolean closed;
    private boolean isWaiting;
    private boolean isStale;
    private boolean isAbsent;

    // Only the reading thread uses these.
    private String revision = "";
    private int failures;
    private String lastProblem = "";

    public Informer(Cluster cluster, Kind<?> kind, Selection selection, Timers timers, Settings settings) {
        this(cluster, kind, selection, timers, settings, () -> {});
    }

    /// @param missed is told when nobody serves the kind
    Informer(Cluster cluster, Kind<?> kind, Selection selection, Timers timers, Settings settings, Runnable missed) {
        this.cluster = cluster;
        this.kind = kind;
        this.selection = selection;
        this.timers = timers;
        this.settings = settings;
        this.missed = missed;
        this.thread = Thread.ofVirtual().name("informer of " + kind.resource()).unstarted(this::run);
    }

    /// Begins to read.
    public synchronized void start() {
        if (!closed) {
            thread.start();
            scheduleResync();
        }
    }

    Kind<?> kind() {
        return kind;
    }

    public Cache cache() {
        return cache;
    }

    /// Whether the cache has ever been complete.
    public boolean hasSynced() {
        return synced.getCount() == 0;
    }

    public void awaitSynced() throws InterruptedException {
        synced.await();
    }

    /// The handler first hears of what is already there, then of every change.
    public synchronized void subscribe(Handler handler) {
        cache.list().forEach(resource -> tell(handler, null, resource));
        handlers.add(handler);
    }

    /// The handler hears no more.
    synchronized void unsubscribe(Handler handler) {
        handlers.remove(handler);
    }

    /// A definition began to serve the kind, or ceased to. Most hear of the beginning when they have read it all.
    synchronized void definitionChanged(boolean isServed) {
        if (isAbsent || !isServed) {
            isStale = true;
            if (isWaiting) {
                thread.interrupt();
            }
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            if (resync != null) {
                resync.cancel();
            }
        }
        thread.interrupt();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private void run() {
        while (!isClosed()) {
            try {
                read();
            } catch (InterruptedException e) {
                // closed while waiting, or to be read anew
                refresh();
            }
        }
    }

    private synchronized void refresh() {
        isStale = false;
        revision = "";
        failures = 0;
    }

    private interface Wait<T> {
        T run() throws InterruptedException;
    }

    /// While it waits, and only then, whoever wants everything read anew may interrupt the thread.
    private <T> T waiting(Wait<T> wait) throws InterruptedException {
        synchronized (this) {
            if (isStale) {
                throw new InterruptedException();
            }
            isWaiting = true;
        }
        try {
            return wait.run();
        } finally {
            synchronized (this) {
                isWaiting = false;
                if (isStale && !closed) {
                    Thread.interrupted();
                }
            }
        }
    }

    private void read() throws InterruptedException {
        try {
            if (revision.isEmpty()) {
                listAndFollow();
            } else {
                follow(revision, () -> {});
            }
        } catch (Watch.Ended e) {
            failed(e);
        } catch (StatusError e) {
            if (e.is(StatusError.Reason.EXPIRED) || e.is(StatusError.Reason.GONE)) {
                revision = "";
            }
            if (e.is(StatusError.Reason.NOT_FOUND) && isUndefined()) {
                absent();
            } else {
                failed(e);
            }
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    /// A path that is not found may also be the fault of something between us and the server.
    private boolean isUndefined() {
        synchronized (this) {
            isAbsent = true; // before the look, so that a definition is not missed that comes after it
        }
        try {
            return cluster.list(CustomResourceDefinitions.KIND, Selection.EVERYWHERE).items().stream()
                    .noneMatch(definition -> DefinedKinds.serves(definition.json(), kind));
        } catch (RuntimeException e) {
            return false;
        }
    }

    private void absent() throws InterruptedException {
        revision = "";
        replace(List.of());
        synced.countDown();
        missed.run();
        failures++;
        LOG.log(Level.DEBUG, "{0} are not served", kind.resource());
        pause(failures);
    }

    private void pause(int tries) throws InterruptedException {
        waiting(() -> {
            timers.pause(settings.backoff.after(tries));
            return true;
        });
    }

    private void listAndFollow() throws InterruptedException {
        var listing = cluster.list(kind, selection);
        follow(listing.resourceVersion(), () -> {
            replace(listing.items());
            synced.countDown();
        });
    }

    /// @param subscribed runs when the watch is open: nothing can be missed from then on
    private void follow(String from, Runnable subscribed) throws InterruptedException {
        try (var watch = cluster.watch(kind, selection, from)) {
            subscribed.run();
            synchronized (this) {
                isAbsent = false;
            }
            revision = from;
            while (!isClosed()) {
                for (var event : waiting(() -> watch.next(LONGEST_WAIT))) {
                    apply(event);
                }
                failures = 0;
                lastProblem = "";
            }
        }
    }

    /// The first failure is tried again at once: most watches end in the ordinary way.
    private void failed(RuntimeException problem) throws InterruptedException {
        if (isClosed()) {
            return;
        }
        failures++;
        if (failures == 1) {
            return;
        }
        var text = String.valueOf(problem.getMessage());
        if (!text.equals(lastProblem)) {
            lastProblem = text;
            LOG.log(Level.WARNING, "cannot follow {0}, trying again: {1}", kind.resource(), text);
        }
        pause(failures - 1);
    }

    private void apply(Watch.Event event) {
        switch (event) {
            case Watch.Added(var object) -> put(object);
            case Watch.Modified(var object) -> put(object);
            case Watch.Deleted(var object) -> {
                remove(ObjectName.of(object), object);
                revision = object.resourceVersion();
            }
            case Watch.Bookmark(var at) -> revision = at;
        }
    }

    private void put(Resource object) {
        synchronized (this) {
            tell(cache.put(object), object);
        }
        revision = object.resourceVersion();
    }

    private synchronized void remove(ObjectName name, @Nullable Resource last) {
        var before = cache.remove(name);
        if (before != null) {
            // The last state is newer than what we had: owners and labels may have changed with the deletion.
            tell(last == null ? before : last, null);
        }
    }

    private synchronized void replace(List<Resource> items) {
        var present = new HashSet<ObjectName>();
        for (var item : items) {
            var name = ObjectName.of(item);
            present.add(name);
            var before = cache.get(name);
            if (!before.filter(hasRevisionOf(item)).isPresent()) {
                tell(cache.put(item), item);
            }
        }
        for (var old : cache.list()) {
            if (!present.contains(ObjectName.of(old))) {
                remove(ObjectName.of(old), null);
            }
        }
    }

    private static Predicate<Resource> hasRevisionOf(Resource item) {
        return known -> known.resourceVersion().equals(item.resourceVersion());
    }

    private synchronized void scheduleResync() {
        if (!closed) {
            resync = timers.after(settings.resync, () -> {
                tellAll();
                scheduleResync();
            });
        }
    }

    private synchronized void tellAll() {
        cache.list().forEach(resource -> tell(resource, resource));
    }

    private void tell(@Nullable Resource before, @Nullable Resource now) {
        handlers.forEach(handler -> tell(handler, before, now));
    }

    private static void tell(Handler handler, @Nullable Resource before, @Nullable Resource now) {
        try {
            handler.changed(before, now);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a handler of changes failed", e);
        }
    }
}
