package dev.towtank.apiserver.store;

import static dev.towtank.apiserver.store.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kills a process that writes with all its might, again and again, and looks at what it leaves behind.
class StoreCrashTest {

    @TempDir
    Path directory;

    /// What the killed process had been told: for each writer its last commit and its last drop.
    private final Map<Integer, Integer> acknowledged = new HashMap<>();

    private final Map<Integer, Integer> dropped = new HashMap<>();
    private long newest;

    @Test
    void nothingAcknowledgedIsLostAndNothingIsThereByHalf() throws Exception {
        crash(8, new Random(7));
    }

    @Test
    @Tag("deep")
    void survivesManyCrashes() throws Exception {
        crash(100, new Random());
    }

    private void crash(int rounds, Random random) throws Exception {
        for (int round = 0; round < rounds; round++) {
            writeUntilKilled(1 + random.nextInt(600));
            check();
        }
    }

    private void writeUntilKilled(int commits) throws IOException, InterruptedException {
        var child = ChildJvm.start(CrashWriter.class, directory.toString());
        try (var output = new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(wholeLine(output)).isEqualTo("start " + newest);
            for (int i = 0; i < commits; i++) {
                take(wholeLine(output));
            }
            // Not by the process itself, which would close the stream as well.
            child.toHandle().destroyForcibly();
            // What was acknowledged between our decision and the death counts as well.
            for (var line = wholeLine(output); !line.isEmpty(); line = wholeLine(output)) {
                take(line);
            }
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    /// Empty at the end, also where the last line was cut short.
    private static String wholeLine(BufferedReader output) throws IOException {
        var line = new StringBuilder();
        for (int letter = output.read(); letter != '\n'; letter = output.read()) {
            if (letter < 0) {
                return "";
            }
            line.append((char) letter);
        }
        return line.toString();
    }

    private void take(String line) {
        var words = List.of(line.split(" "));
        int writer = Integer.parseInt(words.get(1));
        int number = Integer.parseInt(words.get(2));
        (words.getFirst().equals("drop") ? dropped : acknowledged).merge(writer, number, Math::max);
        newest = Math.max(newest, Long.parseLong(words.get(3)));
    }

    private void check() {
        try (var store = JournaledStore.open(directory, InstantSource.system(), StoreLimits.DEFAULT, "a test")) {
            assertThat(store.revision()).isGreaterThanOrEqualTo(newest);
            newest = store.revision();
            for (int writer = 0; writer < CrashWriter.WRITERS; writer++) {
                check(store, writer);
            }
        }
    }

    private void check(Store store, int writer) {
        var counter = store.get(CrashWriter.counter(writer));
        int last = counter == null ? 0 : Integer.parseInt(value(counter));
        int promised = acknowledged.getOrDefault(writer, 0);
        // One commit may have been under way.
        assertThat(last).isBetween(promised, promised + 1);
        acknowledged.put(writer, last);

        var expected = CrashWriter.itemsAfter(writer, last);
        assertThat(store.list(CrashWriter.items(writer), 0, null, 0).items())
                .extracting(Stored::key)
                .containsExactlyInAnyOrderElementsOf(expected);

        var scratch =
                store.list(Range.of(CrashWriter.scratch(writer)), 0, null, 0).items();
        int lastDrop = dropped.getOrDefault(writer, 0);
        assertThat(scratch)
                .allSatisfy(item -> assertThat(Integer.parseInt(value(item))).isGreaterThan(lastDrop));
        assertThat(scratch.size()).isIn(last % CrashWriter.DROP_EVERY, CrashWriter.DROP_EVERY, last - lastDrop);
    }
}
