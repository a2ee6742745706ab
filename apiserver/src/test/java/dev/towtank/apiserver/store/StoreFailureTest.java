package dev.towtank.apiserver.store;

import static dev.towtank.apiserver.store.Samples.OTHER;
import static dev.towtank.apiserver.store.Samples.creating;
import static dev.towtank.apiserver.store.Samples.key;
import static dev.towtank.apiserver.store.Samples.updating;
import static dev.towtank.apiserver.store.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Disks fill up and fail; the store says so, stays what it was, and goes on when they recover.
class StoreFailureTest {

    @TempDir
    Path directory;

    /// Fails on demand, before or after the other journal has done its work.
    private static final class Faulty implements Journal {
        private final Journal journal = new MemoryJournal();
        private volatile boolean broken;
        private volatile RuntimeException bug;

        @Override
        public long load(Consumer<Entry> reader) {
            return journal.load(reader);
        }

        @Override
        public void append(List<Entry> entries, List<Long> obsolete) throws IOException {
            if (bug != null) {
                throw bug;
            }
            if (broken) {
                throw new IOException("cannot write: on purpose");
            }
            journal.append(entries, obsolete);
        }

        @Override
        public void tidy() throws IOException {
            if (broken) {
                throw new IOException("cannot tidy: on purpose");
            }
        }

        @Override
        public void close() {
            journal.close();
        }
    }

    @Test
    void aFailedWriteLeavesNoTraceAndTheNextOneWorks() {
        var journal = new Faulty();
        try (var store = JournaledStore.over(journal, InstantSource.system(), StoreLimits.DEFAULT);
                var feed = store.feed(Range.EVERYTHING, 0)) {
            var a = store.commit(creating(key("a"), "1"));
            store.commit(creating(new Key(key("o").resource(), OTHER, "", "o"), "1"));
            long before = store.revision();
            feed.poll(10);

            journal.broken = true;
            assertThatThrownBy(() -> store.commit(updating(a, "2")))
                    .isInstanceOf(Store.Unavailable.class)
                    .hasMessageContaining("on purpose")
                    .hasMessageContaining("nothing was written");
            assertThatThrownBy(() -> store.drop(OTHER)).isInstanceOf(Store.Unavailable.class);
            assertThat(store.revision()).isEqualTo(before);
            assertThat(value(store.get(key("a")))).isEqualTo("1");
            assertThat(store.count(Range.EVERYTHING)).isEqualTo(2);
            assertThat(feed.poll(10)).isEmpty();
            assertThatThrownBy(() -> store.commit(creating(key("a"), "2"))).isInstanceOf(Store.Conflict.class);

            journal.broken = false;
            assertThat(store.commit(updating(a, "3")).revision()).isEqualTo(before + 1);
            assertThat(feed.poll(10)).hasSize(1);
        }
    }

    @Test
    void aMistakeOfOursStopsWritesButNobodyWaitsForEver() {
        var journal = new Faulty();
        try (var store = JournaledStore.over(journal, InstantSource.system(), StoreLimits.DEFAULT)) {
            store.commit(creating(key("a"), "1"));
            journal.bug = new IllegalStateException("a bug, on purpose");

            assertThatThrownBy(() -> store.commit(creating(key("b"), "1")))
                    .isInstanceOf(Store.Unavailable.class)
                    .hasMessageContaining("restart");
            assertThatThrownBy(() -> store.commit(creating(key("c"), "1"))).isInstanceOf(Store.Unavailable.class);
            assertThat(value(store.get(key("a")))).isEqualTo("1");
        }
    }

    @Test
    void aFullDiskIsToldAndGoesByWithoutARestart() throws Exception {
        long revision;
        var journal = SqliteJournal.open(directory);
        try (var store = JournaledStore.over(journal, InstantSource.system(), StoreLimits.DEFAULT)) {
            store.commit(creating(key("first"), "1"));
            journal.limitPages(60);
            var full = catchThrowableOfType(Store.Unavailable.class, () -> {
                for (int i = 0; i < 1000; i++) {
                    store.commit(creating(key("n" + i), "x".repeat(2000)));
                }
            });
            assertThat(full).hasMessageContaining("objects.db").hasMessageContaining("full");
            revision = store.revision();
            int count = store.count(Range.EVERYTHING);
            assertThat(count).isEqualTo((int) revision).isBetween(10, 200);
            assertThatThrownBy(() -> store.commit(creating(key("more"), "x".repeat(9000))))
                    .isInstanceOf(Store.Unavailable.class);

            journal.limitPages(1_000_000);
            writeFromManyThreads(store, 200);
            assertThat(store.revision()).isEqualTo(revision + 200);
            revision = store.revision();
        }
        try (var store = JournaledStore.open(directory, InstantSource.system(), StoreLimits.DEFAULT, "a test")) {
            assertThat(store.revision()).isEqualTo(revision);
            assertThat(store.count(Range.EVERYTHING)).isEqualTo((int) revision);
        }
    }

    private static void writeFromManyThreads(Store store, int count) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var writes = IntStream.range(0, count)
                    .<Future<?>>mapToObj(i ->
                            threads.submit(() -> store.commit(creating(key("later" + i), "x".repeat(2000)))))
                    .toList();
            for (var write : writes) {
                write.get();
            }
        }
    }

    /// Here the write to the log itself fails, when the transaction is all but done.
    @Test
    void aWriteThatTheSystemRefusesIsToldAndGoesByWithoutARestart() throws Exception {
        var child = ChildJvm.start(FullDiskWriter.class, directory.toString());
        var output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(output).isZero();
        assertThat(output.lines()).contains("refused 20 times", "went on");
        int written = Integer.parseInt(output.lines().toList().getLast());

        try (var store = JournaledStore.open(directory, InstantSource.system(), StoreLimits.DEFAULT, "a test")) {
            assertThat(store.revision()).isEqualTo(written);
            assertThat(store.count(Range.EVERYTHING)).isEqualTo(written);
        }
    }
}
