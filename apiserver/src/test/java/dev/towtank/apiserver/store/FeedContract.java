package dev.towtank.apiserver.store;

import static dev.towtank.apiserver.store.Samples.CONFIG_MAPS;
import static dev.towtank.apiserver.store.Samples.DEPLOYMENTS;
import static dev.towtank.apiserver.store.Samples.OTHER;
import static dev.towtank.apiserver.store.Samples.changes;
import static dev.towtank.apiserver.store.Samples.creating;
import static dev.towtank.apiserver.store.Samples.deleting;
import static dev.towtank.apiserver.store.Samples.key;
import static dev.towtank.apiserver.store.Samples.object;
import static dev.towtank.apiserver.store.Samples.updating;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What every store's feeds do.
abstract class FeedContract extends StoreContract {

    private static final Duration LONG = Duration.ofMinutes(2);

    @Test
    void aFeedTellsEveryChangeInOrderWithWhatWasBefore() {
        try (var feed = store.feed(Range.EVERYTHING, store.revision())) {
            var first = put("a", "1");
            var second = store.commit(updating(first, "2"));
            store.commit(deleting(second));

            var seen = feed.poll(10);

            assertThat(changes(seen)).containsExactly("CREATED a=1", "UPDATED a=2", "DELETED a=2");
            assertThat(seen).extracting(Change::before).containsExactly(null, first, second);
            assertThat(feed.poll(10)).isEmpty();
            assertThat(feed.revision()).isEqualTo(store.revision());
        }
    }

    @Test
    void aFeedBeginsAfterTheRevisionAskedFor() {
        put("a", "1");
        long since = put("b", "1").revision();
        put("c", "1");
        put("d", "1");

        try (var feed = store.feed(Range.of(CONFIG_MAPS), since)) {
            assertThat(feed.revision()).isEqualTo(since);
            assertThat(changes(feed.poll(1))).containsExactly("CREATED c=1");
            assertThat(feed.revision()).isEqualTo(since + 1);
            assertThat(changes(feed.poll(5))).containsExactly("CREATED d=1");
        }
    }

    @Test
    void aFeedTellsOnlyItsRangeAndStillMovesOn() {
        var inNamespace = Range.of(CONFIG_MAPS, LogicalCluster.DEFAULT, "one");
        long start = store.revision();
        try (var feed = store.feed(inNamespace, start);
                var otherResource = store.feed(Range.of(DEPLOYMENTS), start);
                var otherCluster = store.feed(Range.of(OTHER), start)) {
            store.commit(creating(key("two", "a"), "1"));
            store.commit(creating(new Key(CONFIG_MAPS, OTHER, "one", "b"), "1"));
            store.commit(creating(key("one", "c"), "1"));
            store.commit(creating(key("three", "d"), "1"));

            assertThat(changes(feed.poll(10))).containsExactly("CREATED c=1");
            assertThat(changes(otherCluster.poll(10))).containsExactly("CREATED b=1");
            assertThat(otherResource.poll(10)).isEmpty();
            assertThat(List.of(feed, otherCluster, otherResource))
                    .extracting(Feed::revision)
                    .containsOnly(store.revision());
        }
    }

    @Test
    void aFeedFromTheFutureWaitsForIt() {
        put("a", "1");
        try (var feed = store.feed(Range.EVERYTHING, store.revision() + 1)) {
            put("b", "1");
            put("c", "1");
            assertThat(changes(feed.poll(10))).containsExactly("CREATED c=1");
        }
    }

    @Test
    void aSlowFeedExpiresWhileAReaderOfQuietThingsDoesNot() {
        try (var small = open(clock, new StoreLimits(LONG, 10, 1 << 20));
                var slow = small.feed(Range.of(CONFIG_MAPS), small.revision());
                var everything = small.feed(Range.EVERYTHING, small.revision());
                var quiet = small.feed(Range.of(DEPLOYMENTS), small.revision())) {
            var last = small.commit(creating(key("a"), "0"));
            for (int i = 0; i < 50; i++) {
                last = small.commit(updating(last, "" + i));
            }

            assertThatThrownBy(() -> slow.poll(10)).isInstanceOf(Feed.Expired.class);
            assertThatThrownBy(() -> slow.poll(10)).isInstanceOf(Feed.Expired.class);
            assertThatThrownBy(() -> everything.poll(10)).isInstanceOf(Feed.Expired.class);
            assertThat(quiet.poll(10)).isEmpty();
            small.commit(creating(new Key(DEPLOYMENTS, OTHER, "n", "d"), "1"));
            assertThat(changes(quiet.poll(10))).containsExactly("CREATED d=1");
        }
    }

    @Test
    void compactionExpiresFeedsThatHaveNotReadSoFar() {
        try (var behind = store.feed(Range.EVERYTHING, store.revision());
                var ahead = store.feed(Range.EVERYTHING, store.revision())) {
            put("a", "1");
            put("b", "1");
            ahead.poll(10);
            store.compact(store.revision());
            put("c", "1");

            assertThatThrownBy(() -> behind.poll(10)).isInstanceOf(Feed.Expired.class);
            assertThat(changes(ahead.poll(10))).containsExactly("CREATED c=1");
        }
    }

    @Test
    void feedsSeeEveryDeletionOfADrop() {
        var a = store.commit(creating(new Key(CONFIG_MAPS, OTHER, "n", "a"), "1"));
        var b = store.commit(creating(new Key(CONFIG_MAPS, OTHER, "n", "b"), "2"));
        try (var feed = store.feed(Range.of(CONFIG_MAPS), store.revision())) {
            store.drop(OTHER);

            var seen = feed.poll(10);

            assertThat(changes(seen)).containsExactly("DELETED a=1", "DELETED b=2");
            assertThat(seen).extracting(Change::before).containsExactly(a, b);
            assertThat(seen.getFirst().revision()).isEqualTo(b.revision() + 1);
            assertThat(seen.getFirst().now().tree().string("metadata", "resourceVersion"))
                    .isEqualTo("" + (b.revision() + 1));
        }
    }

    @Test
    void awaitComesBackWithTheFirstChange() throws Exception {
        try (var feed = store.feed(Range.EVERYTHING, store.revision());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<List<Change>> waiting = threads.submit(() -> feed.await(10, LONG));
            put("a", "1");
            assertThat(changes(waiting.get())).containsExactly("CREATED a=1");
        }
    }

    @Test
    void awaitComesBackEmptyWhenTheTimeIsOver() throws Exception {
        try (var feed = store.feed(Range.EVERYTHING, store.revision())) {
            assertThat(feed.await(10, Duration.ofMillis(1))).isEmpty();
            put("a", "1");
            assertThat(changes(feed.await(10, Duration.ZERO))).containsExactly("CREATED a=1");
        }
    }

    @Test
    void closingAFeedEndsTheWait() throws Exception {
        var feed = store.feed(Range.EVERYTHING, store.revision());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<List<Change>> waiting = threads.submit(() -> feed.await(10, LONG));
            feed.close();
            assertThat(waiting.get()).isEmpty();
        }
    }

    @Test
    void closingTheStoreEndsTheWait() throws Exception {
        var feed = store.feed(Range.EVERYTHING, store.revision());
        var begun = new CountDownLatch(1);
        feed.whenReady(begun::countDown);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<List<Change>> waiting = threads.submit(() -> feed.await(10, LONG));
            store.close();
            assertThatThrownBy(waiting::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("the store is closed");
            assertThat(begun.await(120, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void anActionRunsAtOnceWhenThereIsSomethingToPoll() {
        try (var feed = store.feed(Range.EVERYTHING, store.revision())) {
            put("a", "1");
            var runs = new AtomicInteger();
            feed.whenReady(runs::incrementAndGet);
            assertThat(runs).hasValue(1);
        }
    }

    @Test
    void anActionRunsOnceAndOnlyForItsOwnRange() throws Exception {
        try (var feed = store.feed(Range.of(CONFIG_MAPS, LogicalCluster.DEFAULT, "one"), store.revision());
                var marker = store.feed(Range.of(CONFIG_MAPS), store.revision())) {
            var runs = new Semaphore(0);
            feed.whenReady(runs::release);
            store.commit(creating(key("two", "a"), "1"));
            awaitWake(marker);
            assertThat(runs.availablePermits()).isZero();

            store.commit(creating(key("one", "b"), "1"));
            assertThat(runs.tryAcquire(120, TimeUnit.SECONDS)).isTrue();
            store.commit(creating(key("one", "c"), "1"));
            awaitWake(marker);

            assertThat(runs.availablePermits()).isZero();
            assertThat(changes(feed.poll(10))).containsExactly("CREATED b=1", "CREATED c=1");
        }
    }

    @Test
    void aLaterActionTakesThePlaceOfOneThatWaits() throws Exception {
        try (var feed = store.feed(Range.EVERYTHING, store.revision())) {
            var replaced = new AtomicInteger();
            var runs = new Semaphore(0);
            feed.whenReady(replaced::incrementAndGet);
            feed.whenReady(runs::release);
            put("a", "1");
            assertThat(runs.tryAcquire(120, TimeUnit.SECONDS)).isTrue();
            assertThat(replaced).hasValue(0);
        }
    }

    @Test
    void aClosedFeedRunsNothingAndHasNothing() {
        var feed = store.feed(Range.EVERYTHING, store.revision());
        var runs = new AtomicInteger();
        feed.whenReady(runs::incrementAndGet);
        feed.close();
        put("a", "1");
        feed.whenReady(runs::incrementAndGet);
        assertThat(feed.poll(10)).isEmpty();
        assertThat(runs).hasValue(0);
    }

    private void awaitWake(Feed marker) throws InterruptedException {
        assertThat(marker.await(10, LONG)).isNotEmpty();
    }

    @Test
    void wakesThousandsOfFeeds() throws Exception {
        int count = 2000;
        var feeds = new ArrayList<Feed>();
        var woken = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            var feed = store.feed(Range.of(CONFIG_MAPS), store.revision());
            feed.whenReady(woken::countDown);
            feeds.add(feed);
        }

        put("a", "1");

        assertThat(woken.await(120, TimeUnit.SECONDS)).isTrue();
        assertThat(feeds).allSatisfy(feed -> assertThat(feed.poll(10)).hasSize(1));
        feeds.forEach(Feed::close);
    }

    @Test
    void anActionThatFailsKeepsNobodyElseFromBeingWoken() throws Exception {
        try (var bad = store.feed(Range.EVERYTHING, store.revision());
                var good = store.feed(Range.EVERYTHING, store.revision())) {
            bad.whenReady(() -> {
                throw new IllegalStateException("on purpose");
            });
            var woken = new CountDownLatch(1);
            good.whenReady(woken::countDown);
            put("a", "1");
            assertThat(woken.await(120, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void anEventIsNeverAheadOfWhatCanBeRead() throws Exception {
        try (var feed = store.feed(Range.EVERYTHING, store.revision());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            int total = 100;
            var writing = threads.submit(() -> {
                for (int i = 0; i < total; i++) {
                    put("n" + i, "1");
                }
                return total;
            });
            int seen = 0;
            while (seen < total) {
                for (var change : feed.await(10, LONG)) {
                    seen++;
                    assertThat(store.revision()).isGreaterThanOrEqualTo(change.revision());
                    assertThat(store.get(change.key())).isSameAs(change.now());
                    assertThat(store.list(Range.EVERYTHING, change.revision(), null, 0)
                                    .items())
                            .hasSize(seen);
                }
            }
            assertThat(writing.get()).isEqualTo(total);
        }
    }

    @Test
    void feedsAreCompleteAndInOrderUnderManyWriters() throws Exception {
        long writers = 16;
        int rounds = 15;
        long start = store.revision();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var readers = new ArrayList<Future<List<Long>>>();
            for (var range : List.of(Range.EVERYTHING, Range.of(CONFIG_MAPS), Range.of(LogicalCluster.DEFAULT))) {
                var feed = store.feed(range, start);
                readers.add(threads.submit(() -> revisions(feed, writers * rounds)));
            }
            var conflicts = new AtomicInteger();
            var writing = new ArrayList<Future<?>>();
            for (int w = 0; w < writers; w++) {
                writing.add(threads.submit(() -> fight(rounds, conflicts)));
            }
            for (var each : writing) {
                each.get();
            }
            for (var reader : readers) {
                assertThat(reader.get())
                        .hasSize((int) writers * rounds)
                        .isSorted()
                        .doesNotHaveDuplicates();
            }
            assertThat(store.revision()).isEqualTo(start + writers * rounds);
            assertThat(store.get(key("shared")).tree().integer("data", "count")).isEqualTo(writers * rounds);
        }
    }

    private static List<Long> revisions(Feed feed, long count) throws InterruptedException {
        var seen = new ArrayList<Long>();
        while (seen.size() < count) {
            feed.await(7, LONG).forEach(change -> seen.add(change.revision()));
        }
        feed.close();
        return seen;
    }

    // Many increments of one counter, each by compare and set: none may get lost.
    private void fight(int rounds, AtomicInteger conflicts) {
        int done = 0;
        while (done < rounds) {
            var now = store.get(key("shared"));
            long count = now == null ? 0 : now.tree().integer("data", "count");
            var next = object(key("shared"), "").with(List.of("data", "count"), Json.of(count + 1));
            try {
                store.commit(
                        now == null
                                ? new Write.Create(key("shared"), next)
                                : new Write.Update(key("shared"), now.revision(), next));
                done++;
            } catch (Store.Conflict e) {
                conflicts.incrementAndGet();
            }
        }
    }

    @Test
    void readersSeeACommitAsAWholeOrNotAtAll() throws Exception {
        var left = put("left", "0");
        var right = put("right", "0");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var writing = threads.submit(() -> {
                var a = left;
                var b = right;
                for (int i = 1; i <= 150; i++) {
                    var changes = store.commit(List.of(updating(a, "" + i), updating(b, "" + i)));
                    a = changes.get(0).now();
                    b = changes.get(1).now();
                    if (i % 50 == 0) {
                        store.compact(store.revision());
                    }
                }
                return true;
            });
            while (!writing.isDone()) {
                var items = store.list(Range.EVERYTHING, 0, null, 0).items();
                assertThat(items).hasSize(2);
                assertThat(Samples.value(items.get(0))).isEqualTo(Samples.value(items.get(1)));
                assertThat(store.count(Range.EVERYTHING)).isEqualTo(2);
                assertThat(store.get(key("left"))).isNotNull();
            }
            assertThat(writing.get()).isTrue();
        }
    }
}
