package dev.towtank.archive.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.store.Archive;
import dev.towtank.archive.store.Bundle;
import dev.towtank.model.Json;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A database that is locked, full, gone and back: nothing is archived twice, and nothing that was said to be archived
/// is
/// not there.
class FailingDatabaseTest {

    private static final InstantSource NOON = InstantSource.fixed(Instant.parse("2026-01-01T12:00:00Z"));

    @TempDir
    Path directory;

    private static Bundle bundle(String result, byte[] log) {
        return new Bundle(
                "dev",
                result,
                Json.Obj.EMPTY,
                Optional.empty(),
                List.of(new Bundle.Item("run-" + result, "tekton.dev/v1.TaskRun", Json.Obj.EMPTY, "d")),
                List.of(new Bundle.Log(
                        "log-" + result,
                        Json.Obj.EMPTY,
                        List.of(new Bundle.Part(
                                "t", "s", "c-" + result, () -> Optional.of(new ByteArrayInputStream(log)))))));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static long count(Database database, String table) {
        return database.read(session -> session.query(Sql.of("SELECT count(*) FROM " + table), row -> row.getLong(1))
                .getFirst());
    }

    private static void isUnavailable(Throwable failure) {
        assertThat(failure)
                .isInstanceOfSatisfying(
                        ArchiveRefusal.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ArchiveRefusal.Code.UNAVAILABLE));
    }

    @Test
    void aServerThatIsKilledAndComesBackHasWhatWasAcknowledgedOnce() throws Exception {
        try (var postgres = Postgres.start();
                var database = Database.open(postgres.newSchema())) {
            var archive = new Archive(database, NOON, Archive.Limits.DEFAULT);
            archive.store(bundle("before", text("one")));
            postgres.kill();

            assertThatThrownBy(() -> archive.store(bundle("during", text("two"))))
                    .satisfies(FailingDatabaseTest::isUnavailable);
            assertThatThrownBy(() -> count(database, "results")).satisfies(FailingDatabaseTest::isUnavailable);
            postgres.startAgain();
            archive.store(bundle("during", text("two")));
            archive.store(bundle("before", text("one")));

            assertThat(count(database, "results")).isEqualTo(2);
            assertThat(count(database, "records")).isEqualTo(4);
        }
    }

    @Test
    void aFileThatSomebodyElseHasLockedIsWaitedForAndThenRefused() throws SQLException {
        var url = Databases.urls(directory).getFirst();
        try (var database = Database.open(url, Duration.ofMillis(1), Duration.ofSeconds(60));
                var other = DriverManager.getConnection(url);
                var statement = other.createStatement()) {
            var archive = new Archive(database, NOON, Archive.Limits.DEFAULT);
            statement.execute("BEGIN IMMEDIATE");
            assertThatThrownBy(() -> archive.store(bundle("a", text("one"))))
                    .satisfies(FailingDatabaseTest::isUnavailable);
            statement.execute("ROLLBACK");
            archive.store(bundle("a", text("one")));
            assertThat(count(database, "records")).isEqualTo(2);
        }
    }

    @Test
    void aFullDiskKeepsWhatWasThereAndTakesTheRestWhenThereIsRoom() {
        var url = Databases.urls(directory).getFirst();
        var noise = new byte[4 << 20];
        new Random(1).nextBytes(noise);
        // A limit of pages is what a full disk is to SQLite.
        try (var database = Database.open(url + "?max_page_count=200")) {
            var archive = new Archive(database, NOON, Archive.Limits.DEFAULT);
            archive.store(bundle("small", text("one")));
            assertThatThrownBy(() -> archive.store(bundle("large", noise)))
                    .satisfies(FailingDatabaseTest::isUnavailable);
            assertThat(count(database, "results")).isEqualTo(1);
        }
        try (var database = Database.open(url)) {
            var archive = new Archive(database, NOON, Archive.Limits.DEFAULT);
            archive.store(bundle("large", noise));
            archive.store(bundle("small", text("one")));
            assertThat(count(database, "results")).isEqualTo(2);
            assertThat(count(database, "records")).isEqualTo(4);
        }
    }
}
