package dev.towtank.node.logs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.node.linux.Descriptors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogWriterTest {

    private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");

    @TempDir
    Path directory;

    private final LogWriter.Scratch scratch = new LogWriter.Scratch();
    private Instant now = NOON;
    private LogWriter.Bounds bounds = LogWriter.Bounds.usual();
    private Optional<Path> copy = Optional.empty();
    private List<String> masked = List.of();
    private LogWriter log;
    private int pipe;
    private int stderr;

    @BeforeEach
    void open() throws IOException {
        pipe = pipe("out");
        stderr = pipe("err");
        reopen();
    }

    private int pipe(String name) throws IOException {
        Descriptors.makeFifo(directory.resolve(name));
        return Descriptors.open(directory.resolve(name), Descriptors.READ_WRITE | Descriptors.NONBLOCK, 0);
    }

    /// As another process would after the death of the first.
    private void reopen() throws IOException {
        var options = new LogWriter.Options(SecretMask.of(masked), bounds, "monitor: ", copy, Optional.empty());
        log = LogWriter.open(directory.resolve("log"), directory, options, () -> now);
    }

    @AfterEach
    void close() {
        log.close();
        Descriptors.close(pipe);
        Descriptors.close(stderr);
    }

    private void says(String text) throws IOException {
        writes(pipe, false, text);
    }

    private void writes(int where, boolean error, String text) throws IOException {
        for (int from = 0; from < text.length(); from += 30_000) {
            var part = text.substring(from, Math.min(text.length(), from + 30_000));
            Descriptors.write(where, part.getBytes(StandardCharsets.UTF_8));
            while (log.pump(error, where, scratch)) {
                // until it is empty
            }
        }
    }

    private String read(ContainerLog.Query query) throws IOException {
        try (var in = log.read(query)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String all() throws IOException {
        return read(ContainerLog.Query.all());
    }

    @Test
    void storesLinesAndTheRestAtTheEnd() throws IOException {
        says("one\ntw");
        assertThat(all()).isEqualTo("one\n");
        says("o\nthree");
        assertThat(all()).isEqualTo("one\ntwo\n");

        log.finish(false, scratch);

        assertThat(all()).isEqualTo("one\ntwo\nthree");
        try (var files = Files.list(directory.resolve("log"))) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void makesNoFileForSilence() throws IOException {
        assertThat(log.pump(false, pipe, scratch)).isFalse();
        log.finish(false, scratch);

        assertThat(directory.resolve("log")).doesNotExist();
        assertThat(directory.resolve("stdout.0")).doesNotExist();
        assertThat(all()).isEmpty();
    }

    @Test
    void goesOnWhereAnotherProcessDied() throws IOException {
        says("one\ntwo\nthr");
        log.close();
        reopen();
        says("ee\n");
        log.close();
        var file = directory.resolve("log/0-0-0.log");
        Files.writeString(file, "2026-01-02T12:00:00.000000000Z oF 5 torn", StandardOpenOption.APPEND);
        reopen();
        says("four\n");

        assertThat(all()).isEqualTo("one\ntwo\nthree\nfour\n");
    }

    @Test
    void storesAgainWhatOnlyTheSpoolHas() throws IOException {
        says("one\n");
        log.close();
        Files.writeString(directory.resolve("stdout.0"), "lost\n", StandardOpenOption.APPEND);
        reopen();
        log.finish(false, scratch);

        assertThat(all()).isEqualTo("one\nlost\n");
    }

    @Test
    void keepsTheNewestFilesAlone() throws IOException {
        bounds = new LogWriter.Bounds(2000, 3);
        log.close();
        reopen();
        for (int i = 0; i < 500; i++) {
            says("this is line " + i + "\n");
        }
        log.close();
        reopen();

        assertThat(all()).endsWith("line 498\nthis is line 499\n").doesNotContain("line 100\n");
        try (var files = Files.list(directory.resolve("log"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".log"))).hasSize(3);
        }
    }

    @Test
    void itIsKnownWhetherItsBeginningIsGone() throws IOException {
        bounds = new LogWriter.Bounds(2000, 3);
        log.close();
        reopen();
        says("first\n");
        assertThat(log.lacksBeginning()).isFalse();
        for (int i = 0; i < 500; i++) {
            says("this is line " + i + "\n");
        }
        assertThat(log.lacksBeginning()).isTrue();
        assertThat(ContainerLogs.stored(directory.resolve("log")).lacksBeginning())
                .isTrue();
        assertThat(ContainerLogs.stored(directory.resolve("none")).lacksBeginning())
                .isFalse();
    }

    @Test
    void keepsBothOutputsApartInItsAccounts() throws IOException {
        writes(stderr, true, "error\nhalf");
        says("out\n");
        log.close();
        reopen();
        writes(stderr, true, " done\n");
        log.append("ours");
        log.close();
        reopen();
        says("more\n");

        assertThat(all()).isEqualTo("error\nout\nhalf done\nours\nmore\n");
    }

    @Test
    void keepsALineOfOursWholeHoweverLongItIs() throws IOException {
        masked = List.of("confidential");
        log.close();
        reopen();
        var line = "x".repeat(LogWriter.LONGEST_LINE - 5);
        log.append(line + "confidential" + line + line);

        assertThat(all()).isEqualTo(line + "***" + line + line + "\n");
    }

    @Test
    void copiesAStreamToAFile() throws IOException {
        copy = Optional.of(directory.toRealPath().resolve("copy"));
        masked = List.of("confidential");
        log.close();
        reopen();
        says("one\nconfidential\n");
        log.close();
        reopen();
        says("three\n");
        log.finish(false, scratch);

        assertThat(copy.get()).hasContent("one\nconfidential\nthree");
        assertThat(all()).isEqualTo("one\n***\nthree\n");
    }

    @Test
    void holdsTheMonitorsWordsBack() throws IOException {
        says("monitor: it does not work\n");
        assertThat(all()).isEmpty();
        assertThat(log.heldBack(scratch)).contains("monitor: it does not work");

        log.finish(true, scratch);

        assertThat(all()).isEmpty();
    }

    @Test
    void masksASecretThatLiesAcrossTheEndOfAPart() throws IOException {
        masked = List.of("0123456789");
        log.close();
        reopen();
        for (int before = LogWriter.LONGEST_LINE - 12; before < LogWriter.LONGEST_LINE + 2; before++) {
            says("x".repeat(before) + "0123456789" + "y".repeat(20_000) + "\n");
        }

        assertThat(all()).doesNotContain("012").doesNotContain("789").contains("x***y");
    }

    private static ContainerLog.Query tail(long lines) {
        return new ContainerLog.Query(false, false, Optional.empty(), OptionalLong.of(lines), OptionalLong.empty());
    }

    @Test
    void readsTheEndAlone() throws IOException {
        bounds = new LogWriter.Bounds(300, 9);
        log.close();
        reopen();
        for (int i = 0; i < 30; i++) {
            says("line " + i + "\n");
        }

        assertThat(read(tail(0))).isEmpty();
        assertThat(read(tail(1))).isEqualTo("line 29\n");
        assertThat(read(tail(12))).startsWith("line 18\n").endsWith("line 29\n");
        assertThat(read(tail(1000))).startsWith("line 0\n");
    }

    @Test
    void readsFromATimeWithTimesUpToALimit() throws IOException {
        says("one\n");
        now = NOON.plusSeconds(1);
        says("two\nthree\n");

        assertThat(read(new ContainerLog.Query(
                        false, true, Optional.of(now), OptionalLong.empty(), OptionalLong.empty())))
                .isEqualTo("2026-01-02T12:00:01.000000000Z two\n2026-01-02T12:00:01.000000000Z three\n");
        assertThat(read(new ContainerLog.Query(false, false, Optional.empty(), OptionalLong.of(2), OptionalLong.of(6))))
                .isEqualTo("two\nth");
    }

    @Test
    void aLongLineHasOneTime() throws IOException {
        says("x".repeat(40_000) + "\nend\n");

        assertThat(read(new ContainerLog.Query(
                        false, true, Optional.empty(), OptionalLong.empty(), OptionalLong.empty())))
                .hasSize(31 + 40_000 + 1 + 31 + 4);
    }

    @Test
    void aFollowerGetsAllAndEndsWithTheContainer() throws Exception {
        bounds = new LogWriter.Bounds(500, 50);
        log.close();
        reopen();
        var query = new ContainerLog.Query(true, false, Optional.empty(), OptionalLong.empty(), OptionalLong.empty());
        var in = log.read(query);
        var got = new StringBuilder();
        var follower = Thread.ofVirtual().start(() -> {
            try (in) {
                got.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        var expected = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            expected.append("line ").append(i).append('\n');
            says("line " + i + "\n");
        }
        log.finish(false, scratch);
        follower.join();

        assertThat(got).hasToString(expected.toString());
    }

    @Test
    void aFollowerCanLeave() throws Exception {
        var in = log.read(
                new ContainerLog.Query(true, false, Optional.empty(), OptionalLong.empty(), OptionalLong.empty()));
        var follower = Thread.ofVirtual().start(() -> {
            try {
                assertThat(in.read()).isEqualTo(-1);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });

        in.close();
        follower.join();
    }
}
