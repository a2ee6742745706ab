package dev.towtank.apiserver.store;

import dev.towtank.model.LogicalCluster;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The one thread that writes. It takes everything that waits, writes it with one sync of the disk, publishes it and
/// answers; while it waits for the disk, the next batch gathers.
final class Committer implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Committer.class.getName());

    private static final int MAX_TRIM = 2 * Batch.MAX_ENTRIES;

    private static final int MAX_COOLED = 256;
    /// Below this, forgetting rows is left to quiet moments.
    private static final int OBSOLETE_IN_A_HURRY = 2048;
    private static final int MAX_OBSOLETE = 1024;
    private static final long IDLE_MILLIS = 500;

    /// Something to do and somebody waiting for it. The answer is there when the latch opens.
    private abstract static sealed class Request {
        private final CountDownLatch answered = new CountDownLatch(1);
        private @Nullable RuntimeException failure;

        void answer() {
            answered.countDown();
        }

        void fail(RuntimeException why) {
            failure = why;
            answered.countDown();
        }

        void await() {
            Committer.await(answered);
            if (failure != null) {
                throw failure;
            }
        }
    }

    // An interrupt does not end the wait: the write may happen all the same, and the caller must learn of it.
    private static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Commit extends Request {
        private final List<Batch.Step> steps;
        private List<Change> changes = List.of();

        Commit(List<Batch.Step> steps) {
            this.steps = steps;
        }
    }

    private static final class Drop extends Request {
        private final LogicalCluster cluster;
        private int count;

        Drop(LogicalCluster cluster) {
            this.cluster = cluster;
        }
    }

    private static final class Compact extends Request {
        private final long revision;

        Compact(long revision) {
            this.revision = revision;
        }
    }

    private static final class Stop extends Request {}

    private final Index index;
    private final History history;
    private final Journal journal;
    private final Packing packing;
    // Entries of the journal that mean nothing any more. In this order they can go at any time.
    private final ArrayDeque<Long> obsolete;
    private final LinkedBlockingQueue<Request> queue = new LinkedBlockingQueue<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean stopped;
    private boolean upkeepFailed;

    Committer(Index index, History history, Journal journal, Packing packing, ArrayDeque<Long> obsolete) {
        this.index = index;
        this.history = history;
        this.journal = journal;
        this.packing = packing;
        this.obsolete = obsolete;
    }

    void start() {
        Thread.ofPlatform().name("store-commit").daemon().start(this::run);
    }

    List<Change> commit(List<Batch.Step> steps) {
        return submit(new Commit(steps)).changes;
    }

    int drop(LogicalCluster cluster) {
        return submit(new Drop(cluster)).count;
    }

    void compact(long revision) {
        submit(new Compact(revision));
    }

    private <R extends Request> R submit(R request) {
        queue.add(request);
        if (stopped) {
            refuseWaiting();
        }
        request.await();
        return request;
    }

    private void refuseWaiting() {
        for (var left = queue.poll(); left != null; left = queue.poll()) {
            left.fail(new Store.Unavailable("the store is closed", null));
        }
    }

    /// Finishes what it has begun; everybody else is refused.
    @Override
    public void close() {
        queue.add(new Stop());
        await(ended);
    }

    private void run() {
        try {
            boolean more = false;
            for (var first = next(false); !(first instanceof Stop); first = next(more)) {
                if (first != null) {
                    handle(first);
                }
                more = tidy(first == null);
            }
        } catch (InterruptedException e) {
            LOG.log(System.Logger.Level.ERROR, "the thread that writes was interrupted; no more writes are taken", e);
        } finally {
            stopped = true;
            refuseWaiting();
            packing.close();
            ended.countDown();
        }
    }

    private @Nullable Request next(boolean more) throws InterruptedException {
        if (more) {
            return queue.poll();
        }
        boolean later = !history.isEmpty() || !obsolete.isEmpty();
        return later ? queue.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS) : queue.take();
    }

    private void handle(Request request) {
        var inHand = new ArrayList<Request>(List.of(request));
        try {
            switch (request) {
                case Commit commit -> commitAll(commit, inHand);
                case Drop drop -> drop(drop);
                case Compact compact -> {
                    history.forgetBefore(compact.revision);
                    compact.answer();
                }
                case Stop _ -> throw new IllegalStateException("the end of the loop is not handled in it");
            }
        } catch (RuntimeException | Error e) {
            // Our own mistake. Memory and disk may differ now, so this ends the thread; but nobody waits for ever.
            inHand.forEach(each -> each.fail(new Store.Unavailable("the store failed; restart to go on", e)));
            throw e;
        }
    }

    private void commitAll(Commit first, List<Request> inHand) {
        var batch = new Batch(index, history.revision());
        var accepted = new ArrayList<Commit>();
        var refused = new LinkedHashMap<Commit, Store.Conflict>();
        for (var commit = first; commit != null; commit = nextCommit(batch)) {
            inHand.add(commit);
            try {
                commit.changes = batch.add(commit.steps);
                accepted.add(commit);
            } catch (Store.Conflict e) {
                refused.put(commit, e);
            }
        }
        write(batch, accepted);
        // Not before: it may be about something in this batch, which nobody could have seen.
        refused.forEach(Request::fail);
    }

    // Only commits share a batch; whatever else waits comes after it.
    private @Nullable Commit nextCommit(Batch batch) {
        if (batch.isFull() || !(queue.peek() instanceof Commit commit)) {
            return null;
        }
        queue.remove();
        return commit;
    }

    private void drop(Drop request) {
        var batch = new Batch(index, history.revision());
        request.count = batch.drop(Range.of(request.cluster));
        write(batch, List.of(request));
    }

    private void write(Batch batch, List<? extends Request> requests) {
        if (!batch.entries().isEmpty()) {
            boolean hurry = obsolete.size() > OBSOLETE_IN_A_HURRY;
            try {
                append(batch.entries(), hurry ? 64 + 2 * batch.entries().size() : 0);
            } catch (IOException e) {
                requests.forEach(request -> request.fail(unavailable(e)));
                return;
            }
            obsolete.addAll(batch.obsolete());
            history.publish(batch.happened());
        }
        requests.forEach(Request::answer);
    }

    private static Store.Unavailable unavailable(IOException e) {
        return new Store.Unavailable(
                e.getMessage() + "; nothing was written. It works again, without a restart, once the disk has room", e);
    }

    private void append(List<Journal.Entry> entries, int forget) throws IOException {
        var going = obsolete.stream().limit(Math.min(forget, MAX_OBSOLETE)).toList();
        journal.append(entries, going);
        for (int i = 0; i < going.size(); i++) {
            obsolete.remove();
        }
    }

    /// Nobody waits for this, but the next batch does: so it is little at a time.
    ///
    /// @return whether there is more to do at once, if nobody comes
    private boolean tidy(boolean idle) {
        boolean more = history.trim(MAX_TRIM);
        // Whoever writes much in a short time needs the processor more than the memory.
        if (idle) {
            more |= history.cool(MAX_COOLED);
        }
        if (idle || (packing.isPressing() && queue.isEmpty())) {
            more |= packing.some();
        }
        try {
            if (idle && !obsolete.isEmpty()) {
                append(List.of(), MAX_OBSOLETE);
                more = true;
            }
            journal.tidy();
            upkeepFailed = false;
        } catch (IOException e) {
            if (!upkeepFailed) {
                LOG.log(System.Logger.Level.WARNING, "old entries stay on disk for now: {0}", e.getMessage());
            }
            upkeepFailed = true;
            return false;
        }
        return more;
    }
}
