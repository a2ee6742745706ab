package dev.towtank.apiserver.store;

import static dev.towtank.apiserver.store.Samples.CONFIG_MAPS;
import static dev.towtank.apiserver.store.Samples.DEPLOYMENTS;
import static dev.towtank.apiserver.store.Samples.OTHER;
import static dev.towtank.apiserver.store.Samples.object;
import static dev.towtank.apiserver.store.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.LogicalCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Random work on the store and on [NaiveStore]; they must always agree. A failing seed is a reproducible bug.
class StoreModelTest {

    private static final StoreLimits NO_LIMITS = new StoreLimits(Duration.ofDays(1), Integer.MAX_VALUE, Long.MAX_VALUE);

    private static final List<Range> RANGES = List.of(
            Range.EVERYTHING,
            Range.of(CONFIG_MAPS),
            Range.of(DEPLOYMENTS),
            Range.of(OTHER),
            Range.of(CONFIG_MAPS, LogicalCluster.DEFAULT),
            Range.of(CONFIG_MAPS, OTHER, "n1"),
            Range.of(DEPLOYMENTS, LogicalCluster.DEFAULT, "n2"));

    @TempDir
    Path directory;

    @Test
    void agreesWithTheModelInMemory() {
        for (int seed = 0; seed < 40; seed++) {
            var journal = new MemoryJournal();
            new Run(seed, () -> JournaledStore.over(journal, new Samples.Clock(), NO_LIMITS)).go(150);
        }
    }

    @Test
    void agreesWithTheModelOnDisk() {
        for (int seed = 1000; seed < 1003; seed++) {
            onDisk(seed, 200);
        }
    }

    @Test
    @Tag("deep")
    void agreesWithTheModelForLong() {
        for (int seed = 2000; seed < 2040; seed++) {
            onDisk(seed, 1500);
        }
    }

    private void onDisk(int seed, int steps) {
        var place = directory.resolve("seed" + seed);
        new Run(seed, () -> JournaledStore.open(place, new Samples.Clock(), NO_LIMITS, "a test")).go(steps);
    }

    private static final class Run {
        private final int seed;
        private final Random random;
        private final Supplier<Store> opening;
        private final NaiveStore model = new NaiveStore();
        private final List<Reader> readers = new ArrayList<>();
        private Store store;

        private record Reader(Range range, Feed feed, List<NaiveStore.Event> seen, long since) {}

        Run(int seed, Supplier<Store> opening) {
            this.seed = seed;
            this.random = new Random(seed);
            this.opening = opening;
            this.store = opening.get();
        }

        void go(int steps) {
            for (int i = 0; i < steps; i++) {
                try {
                    step();
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("seed " + seed + ", step " + i + ": " + e.getMessage(), e);
                }
            }
            readers.forEach(this::finish);
            store.close();
        }

        private void step() {
            switch (random.nextInt(40)) {
                case 0 -> reopen();
                case 1 -> drop();
                case 2 -> compact();
                case 3, 4 -> readers.add(reader());
                case 5, 6, 7, 8, 9, 10 -> list();
                case 11, 12, 13, 14, 15 -> poll();
                default -> commit();
            }
            assertThat(store.revision()).isEqualTo(model.revision());
            assertThat(store.oldest()).isEqualTo(model.oldest());
        }

        private void commit() {
            var writes = new ArrayList<Write>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                var write = write();
                if (writes.stream().noneMatch(other -> other.key().equals(write.key()))) {
                    writes.add(write);
                }
            }
            if (model.accepts(writes)) {
                store.commit(writes);
                model.apply(writes);
            } else {
                assertThatThrownBy(() -> store.commit(writes)).isInstanceOf(Store.Conflict.class);
            }
        }

        private Write write() {
            var key = key();
            var found = model.now().get(key);
            var next = object(key, "v" + random.nextInt(1000));
            if (found == null) {
                return random.nextInt(6) == 0 ? new Write.Check(key, 0) : new Write.Create(key, next);
            }
            long expected = random.nextInt(20) == 0 ? found.revision() - 1 : found.revision();
            return switch (random.nextInt(8)) {
                case 0 -> new Write.Check(key, expected);
                case 1, 2, 3 -> new Write.Delete(key, expected, object(key, found.value()));
                case 4 -> random.nextInt(10) == 0 ? new Write.Create(key, next) : new Write.Update(key, expected, next);
                default -> new Write.Update(key, expected, next);
            };
        }

        private Key key() {
            return new Key(
                    random.nextBoolean() ? CONFIG_MAPS : DEPLOYMENTS,
                    random.nextBoolean() ? LogicalCluster.DEFAULT : OTHER,
                    "n" + random.nextInt(3),
                    "x" + random.nextInt(5));
        }

        private void list() {
            var range = range();
            long span = model.revision() - model.oldest();
            long at = random.nextInt(3) == 0 ? 0 : model.oldest() + random.nextLong(span + 1);
            var after = random.nextInt(3) == 0 ? key() : null;
            int limit = random.nextInt(2) * random.nextInt(10);
            if (at == 0 && model.oldest() == 0 && random.nextBoolean()) {
                at = model.revision();
            }

            var page = store.list(range, at, after, limit);

            long revision = at == 0 ? model.revision() : at;
            var all = model.list(range, revision, after, 0);
            var expected = model.list(range, revision, after, limit);
            assertThat(page.revision()).isEqualTo(revision);
            assertThat(page.items().stream()
                            .map(item -> new NaiveStore.Item(item.revision(), value(item)))
                            .toList())
                    .isEqualTo(expected);
            assertThat(page.more()).isEqualTo(all.size() > expected.size());
            if (limit > 0) {
                assertThat(page.remaining()).contains((long) all.size() - expected.size());
            }
            assertThat(store.count(range))
                    .isEqualTo(model.list(range, model.revision(), null, 0).size());
            var key = key();
            var found = store.get(key);
            assertThat(found == null ? null : new NaiveStore.Item(found.revision(), value(found)))
                    .isEqualTo(model.now().get(key));
        }

        private Range range() {
            return RANGES.get(random.nextInt(RANGES.size()));
        }

        private Reader reader() {
            long since = model.oldest() + random.nextLong(model.revision() - model.oldest() + 1);
            var range = range();
            return new Reader(range, store.feed(range, since), new ArrayList<>(), since);
        }

        private void poll() {
            if (!readers.isEmpty()) {
                var reader = readers.get(random.nextInt(readers.size()));
                if (!poll(reader, 1 + random.nextInt(5))) {
                    readers.remove(reader);
                }
            }
        }

        private boolean poll(Reader reader, int limit) {
            try {
                for (var change : reader.feed.poll(limit)) {
                    reader.seen.add(
                            new NaiveStore.Event(change.revision(), change.key(), change.type(), value(change.now())));
                }
                return true;
            } catch (Feed.Expired e) {
                assertThat(reader.feed.revision()).isLessThan(model.oldest());
                // A feed must not expire for changes of other resources.
                var walked = reader.range.resource().map(Range::of).orElse(Range.EVERYTHING);
                assertThat(model.events(walked, reader.feed.revision())).isNotEmpty();
                return false;
            }
        }

        private void finish(Reader reader) {
            if (poll(reader, Integer.MAX_VALUE)) {
                assertThat(reader.seen).isEqualTo(model.events(reader.range, reader.since));
                assertThat(reader.feed.revision()).isEqualTo(model.revision());
            }
            reader.feed.close();
        }

        private void drop() {
            assertThat(store.drop(OTHER)).isEqualTo(model.drop(OTHER));
        }

        private void compact() {
            long revision = model.oldest() + random.nextLong(model.revision() - model.oldest() + 2);
            store.compact(revision);
            model.forgetBefore(revision);
        }

        private void reopen() {
            readers.forEach(this::finish);
            readers.clear();
            store.close();
            store = opening.get();
            model.forgetBefore(model.revision());
        }
    }
}
