package dev.towtank.archive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.sql.Database;
import dev.towtank.archive.sql.Databases;
import dev.towtank.archive.sql.Sql;
import dev.towtank.model.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveTest {

    private static final InstantSource NOON = InstantSource.fixed(Instant.parse("2026-01-01T12:00:00Z"));
    private static final InstantSource EVENING = InstantSource.fixed(Instant.parse("2026-01-01T20:00:00Z"));

    @TempDir
    Path directory;

    private static Bundle bundle(String digest, Bundle.Source log) {
        var data = Json.Obj.of("metadata", Json.Obj.of("name", Json.of("build")), "digest", Json.of(digest));
        return new Bundle(
                "dev",
                "one",
                Json.Obj.of("repo", Json.of("a/b")),
                Optional.of(new ResultRow.Summary(
                        "dev/results/one/records/run",
                        "tekton.dev/v1.TaskRun",
                        Optional.of(1L),
                        Optional.empty(),
                        1,
                        Json.Obj.EMPTY)),
                List.of(new Bundle.Item("run", "tekton.dev/v1.TaskRun", data, digest)),
                List.of(new Bundle.Log("log", Json.Obj.EMPTY, List.of(new Bundle.Part("t", "s", "c", log)))));
    }

    private static Bundle.Source text(String text) {
        return () -> Optional.of(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<List<Object>> rows(Database database) {
        return database.read(session -> session.query(
                Sql.of("SELECT name, id, etag, created_time FROM records UNION ALL"
                        + " SELECT name, id, etag, created_time FROM results ORDER BY 1"),
                row -> List.<Object>of(row.getString(1), row.getString(2), row.getString(3), row.getLong(4))));
    }

    @Test
    void archivingTwiceMakesTheSameRows() {
        for (var url : Databases.urls(directory)) {
            try (var database = Database.open(url)) {
                new Archive(database, NOON, Archive.Limits.DEFAULT).store(bundle("a", text("hello\n")));
                var once = rows(database);
                new Archive(database, EVENING, Archive.Limits.DEFAULT).store(bundle("a", text("hello\n")));
                assertThat(rows(database)).isEqualTo(once).hasSize(3);
                new Archive(database, EVENING, Archive.Limits.DEFAULT).store(bundle("b", text("hello\n")));
                assertThat(rows(database)).hasSize(3).isNotEqualTo(once);
            }
        }
    }

    @Test
    void aLogThatIsGoneWhenArchivingAgainIsKept() {
        for (var url : Databases.urls(directory)) {
            try (var database = Database.open(url)) {
                var archive = new Archive(database, NOON, Archive.Limits.DEFAULT);
                archive.store(bundle("a", text("hello\n")));
                archive.store(bundle("b", Optional::empty));
                assertThat(parts(archive)).containsExactly(new Archive.LogPart("t", "s", "c", 6, "complete"));
            }
        }
    }

    @Test
    void aLogThatNeverWasIsSaidToBeMissing() {
        try (var database = Database.open(Databases.urls(directory).getFirst())) {
            var archive = new Archive(database, NOON, Archive.Limits.DEFAULT);
            archive.store(bundle("a", Optional::empty));
            var log = database.read(session -> Rows.record(session, "dev", "one", "log"))
                    .orElseThrow();
            assertThat(log.data()).contains("the log of step s of t is missing");
        }
    }

    private static List<Archive.LogPart> parts(Archive archive) {
        return archive.parts(archive.database()
                .read(session -> Rows.record(session, "dev", "one", "log"))
                .orElseThrow());
    }

    @Test
    void aFailureWhileReadingALogLeavesNothingThatCanBeSeen() {
        for (var url : Databases.urls(directory)) {
            try (var database = Database.open(url)) {
                var archive = new Archive(database, NOON, Archive.Limits.DEFAULT);
                var broken = new Noise(30 << 20) {
                    @Override
                    void end() throws IOException {
                        throw new IOException("the node is gone");
                    }
                };
                assertThatThrownBy(() -> archive.store(bundle("a", () -> Optional.of(broken))))
                        .isInstanceOf(UncheckedIOException.class);
                assertThat(rows(database)).isEmpty();
                // What was written ahead of the run goes after a day.
                assertThat(archive.sweepLogs()).isZero();
                var later = InstantSource.fixed(Instant.parse("2026-01-03T12:00:00Z"));
                assertThat(new Archive(database, later, Archive.Limits.DEFAULT).sweepLogs())
                        .isPositive();
            }
        }
    }

    @Test
    void aLongLogIsArchivedInPiecesAndReadBackWhole() throws IOException {
        try (var database = Database.open(Databases.urls(directory).getFirst())) {
            var archive = new Archive(database, NOON, Archive.Limits.DEFAULT);
            archive.store(bundle("a", () -> Optional.of(new Noise(40 << 20))));
            var check = new OutputStream() {
                private final Noise expected = new Noise(40 << 20);
                private boolean same = true;

                @Override
                public void write(int value) throws IOException {
                    same &= expected.read() == (value & 0xff);
                }
            };
            archive.copy(parts(archive).getFirst(), check);
            assertThat(check.same).isTrue();
            assertThat(check.expected.read()).isEqualTo(-1);
        }
    }

    @Test
    void aLogWhoseBeginningWasGoneSaysSo() {
        for (var url : Databases.urls(directory)) {
            try (var database = Database.open(url)) {
                var archive = new Archive(database, NOON, Archive.Limits.DEFAULT);
                archive.store(bundle("a", new Bundle.Source() {
                    @Override
                    public Optional<InputStream> open() {
                        return Optional.of(new ByteArrayInputStream("the end\n".getBytes(StandardCharsets.UTF_8)));
                    }

                    @Override
                    public boolean lacksBeginning() {
                        return true;
                    }
                }));
                assertThat(parts(archive)).containsExactly(new Archive.LogPart("t", "s", "c", 8, "truncated"));
                assertThat(database.read(session -> Rows.record(session, "dev", "one", "log"))
                                .orElseThrow()
                                .data())
                        .contains("the log of step s of t is truncated");
            }
        }
    }

    @Test
    void whatAnEarlierAttemptHasWrittenAheadIsNoPartOfALog() throws IOException {
        for (var url : Databases.urls(directory)) {
            try (var database = Database.open(url)) {
                var archive = new Archive(database, NOON, Archive.Limits.DEFAULT);
                var broken = new Noise(30 << 20) {
                    @Override
                    void end() throws IOException {
                        throw new IOException("the node is gone");
                    }
                };
                assertThatThrownBy(() -> archive.store(bundle("a", () -> Optional.of(broken))))
                        .isInstanceOf(UncheckedIOException.class);
                // Its node is another one now, which has kept less.
                archive.store(bundle("a", text("short\n")));
                var out = new ByteArrayOutputStream();
                archive.copy(parts(archive).getFirst(), out);
                assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("short\n");
            }
        }
    }

    @Test
    void aLogOfWhichAPieceIsMissingIsNotShownAsIfItWereWhole() {
        for (var url : Databases.urls(directory)) {
            try (var database = Database.open(url)) {
                var archive = new Archive(database, NOON, Archive.Limits.DEFAULT);
                archive.store(bundle("a", () -> Optional.of(new Noise(1 << 20))));
                database.write(session -> session.update(Sql.of("DELETE FROM log_chunks WHERE position = 2")));
                assertThatThrownBy(() -> archive.copy(parts(archive).getFirst(), OutputStream.nullOutputStream()))
                        .isInstanceOf(IOException.class)
                        .hasMessage("a stored log is damaged: 524288 of its 1048576 bytes are missing");
            }
        }
    }

    @Test
    void aLogBeyondItsLimitIsCutAndSaysSo() {
        try (var database = Database.open(Databases.urls(directory).getFirst())) {
            var archive = new Archive(database, NOON, new Archive.Limits(1000, 1 << 20));
            archive.store(bundle("a", () -> Optional.of(new Noise(5000))));
            assertThat(parts(archive)).containsExactly(new Archive.LogPart("t", "s", "c", 1000, "truncated"));
        }
    }

    @Test
    void anObjectBeyondItsLimitIsRefusedByName() {
        try (var database = Database.open(Databases.urls(directory).getFirst())) {
            var archive = new Archive(database, NOON, new Archive.Limits(1000, 10));
            assertThatThrownBy(() -> archive.store(bundle("a", Optional::empty)))
                    .isInstanceOf(ArchiveRefusal.class)
                    .hasMessageContaining("dev/results/one/records/run has");
            assertThat(rows(database)).isEmpty();
        }
    }

    @Test
    void aDatabaseOfALaterFormatIsRefused() {
        for (var url : Databases.urls(directory)) {
            try (var database = Database.open(url)) {
                database.write(session -> session.update(Sql.of("INSERT INTO archive_format VALUES (99)")));
            }
            assertThatThrownBy(() -> Database.open(url))
                    .isInstanceOf(ArchiveRefusal.class)
                    .hasMessageContaining("has format 99");
        }
    }

    @Test
    void aUrlOfAnotherDatabaseIsRefusedWithoutBeingTold() {
        assertThatThrownBy(() -> Database.open("jdbc:mysql://u:secret@h/d"))
                .isInstanceOf(ArchiveRefusal.class)
                .message()
                .doesNotContain("secret");
    }

    /// Bytes that hardly compress, the same each time.
    private static class Noise extends InputStream {
        private final long size;
        private long position;
        private int state = 1;

        Noise(long size) {
            this.size = size;
        }

        void end() throws IOException {}

        @Override
        public int read() throws IOException {
            if (position++ == size) {
                end();
                position = size;
                return -1;
            }
            state ^= state << 13;
            state ^= state >>> 17;
            state ^= state << 5;
            return state & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            for (int i = 0; i < length; i++) {
                int value = read();
                if (value < 0) {
                    return i == 0 ? -1 : i;
                }
                bytes[offset + i] = (byte) value;
            }
            return length;
        }
    }
}
