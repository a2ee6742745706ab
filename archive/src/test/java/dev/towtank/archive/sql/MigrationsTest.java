package dev.towtank.archive.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.query.ArchivedRun;
import dev.towtank.archive.query.ArchivedRuns;
import dev.towtank.archive.query.RunQuery;
import dev.towtank.archive.store.Archive;
import dev.towtank.archive.store.RecordRow;
import dev.towtank.archive.store.Rows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Archives that earlier versions have written. Their SQL is in files beside this test and never changes again: what
/// the program says of its formats today may be wrong.
class MigrationsTest {

    private static final InstantSource NOON = InstantSource.fixed(Instant.parse("2026-01-01T12:00:00Z"));
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MANY = 5000;

    @TempDir
    Path directory;

    private static void run(Connection connection, String file) throws SQLException {
        try (var stream = MigrationsTest.class.getResourceAsStream(file);
                var statement = connection.createStatement()) {
            for (var sql : new String(stream.readAllBytes(), StandardCharsets.UTF_8).split("\n\n", -1)) {
                statement.execute(sql);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /// An archive as a version with that format has left it.
    private static void write(String url, int format) throws SQLException {
        var name = url.startsWith("jdbc:sqlite:") ? "sqlite" : "postgres";
        try (var connection = DriverManager.getConnection(url)) {
            run(connection, "format-1-" + name + ".sql");
            if (format > 1) {
                run(connection, "format-2.sql");
            }
            run(connection, "archived-" + name + ".sql");
        }
    }

    /// Labels that are in no table yet, as if somebody had written records without us.
    private static void writeMany(String url) throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.prepareStatement("""
                        INSERT INTO records SELECT parent, result_id, result_name, 'many-' || ?, 'many-' || ?, type, data,
                            digest, created_time, updated_time, etag
                        FROM records WHERE name = 'p-1'""")) {
            connection.setAutoCommit(false);
            for (int i = 0; i < MANY; i++) {
                statement.setString(1, String.valueOf(i));
                statement.setString(2, String.valueOf(i));
                statement.addBatch();
            }
            statement.executeBatch();
            connection.commit();
        }
    }

    private static long number(Database database, String sql) {
        return database.read(session -> session.first(Sql.of(sql), row -> row.getLong(1)))
                .orElseThrow();
    }

    private static List<String> names(Database database, String rest) {
        return database.read(session -> Rows.records(session, Sql.of(rest)).stream()
                .map(RecordRow::name)
                .toList());
    }

    private static List<String> labelled(Archive archive, String name, String value) {
        var query = RunQuery.ALL.labelled(Map.of(name, value));
        return new ArchivedRuns(archive)
                .list(query).stream().map(ArchivedRun::name).toList();
    }

    private static void everythingIsThere(Database database) throws IOException {
        var archive = new Archive(database, NOON, Archive.Limits.DEFAULT);
        assertThat(number(database, "SELECT MAX(version) FROM archive_format")).isEqualTo(3);
        assertThat(names(database, "WHERE name NOT LIKE 'many-%' ORDER BY created_time"))
                .containsExactly("p-1", "t-1", "l-1", "t-2", "t-3");
        assertThat(database.read(session -> Rows.result(session, "dev", "r-1")).orElseThrow())
                .satisfies(result -> {
                    assertThat(result.annotations().string("repo")).isEqualTo("a/b");
                    assertThat(result.summary())
                            .hasValueSatisfying(
                                    summary -> assertThat(summary.record()).isEqualTo("dev/results/r-1/records/p-1"));
                    assertThat(result.etag()).endsWith("-2000000");
                });
        assertThat(database.read(session -> Rows.result(session, "secret", "r-2"))
                        .orElseThrow()
                        .summary())
                .isEmpty();
        assertThat(labelled(archive, "team", "blue")).contains("build-1");
        assertThat(labelled(archive, "team", "red")).containsExactly("alone");
        assertThat(number(database, "SELECT COUNT(*) FROM record_labels WHERE record_id NOT LIKE 'many-%'"))
                .isEqualTo(5);
        assertThat(number(database, "SELECT COUNT(*) FROM record_labels WHERE value = 'it''s'"))
                .isEqualTo(1);
        assertThat(archive.digest("dev", "r-1", "t-1")).contains("digest-2");
        var log = database.read(session -> Rows.record(session, "dev", "r-1", "l-1"))
                .orElseThrow();
        var text = new ByteArrayOutputStream();
        archive.copy(log, true, text);
        assertThat(text.toString(StandardCharsets.UTF_8))
                .isEqualTo("[compile : make] first half\n[compile : make] second\n\n");
    }

    @Test
    void whatAnEarlierVersionHasArchivedIsFoundInEveryDatabase() throws Exception {
        for (int format = 1; format <= 2; format++) {
            for (var url : Databases.urls(directory)) {
                write(url, format);
                for (int opened = 0; opened < 2; opened++) {
                    try (var database = Database.open(url)) {
                        everythingIsThere(database);
                    }
                }
                try (var database = Database.open(url)) {
                    database.write(session -> {
                        var result = Rows.result(session, "dev", "r-1").orElseThrow();
                        return Rows.delete(session, result);
                    });
                    assertThat(number(database, "SELECT COUNT(*) FROM record_labels"))
                            .isEqualTo(1);
                    assertThat(number(database, "SELECT COUNT(*) FROM logs")).isZero();
                }
            }
        }
    }

    @Test
    void aFullDiskStopsAMigrationAndRoomLetsItGoOn() throws Exception {
        var url = Databases.urls(directory).getFirst();
        write(url, 1);
        writeMany(url);
        long pages;
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement();
                var row = statement.executeQuery("PRAGMA page_count")) {
            row.next();
            pages = row.getLong(1);
        }
        // Enough for the second format, and not for the third.
        assertThatThrownBy(() -> Database.open(url + "?max_page_count=" + (pages + 120)))
                .isInstanceOfSatisfying(
                        ArchiveRefusal.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ArchiveRefusal.Code.UNAVAILABLE));
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "SELECT (SELECT MAX(version) FROM archive_format), COUNT(parent)" + " FROM record_labels")) {
            row.next();
            assertThat(row.getLong(1)).isEqualTo(2);
            assertThat(row.getLong(2)).isEqualTo(5);
        }
        try (var database = Database.open(url)) {
            everythingIsThere(database);
            assertThat(number(database, "SELECT COUNT(*) FROM record_labels WHERE record_id LIKE 'many-%'"))
                    .isEqualTo(2L * MANY);
        }
    }

    @Test
    void aServerThatDiesInAMigrationIsMigratedWhenItIsBack() throws Exception {
        try (var postgres = Postgres.start();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var url = postgres.newSchema();
            write(url, 2);
            try (var other = DriverManager.getConnection(url);
                    var statement = other.createStatement()) {
                statement.execute("BEGIN");
                statement.execute("LOCK TABLE records IN SHARE UPDATE EXCLUSIVE MODE");
                var opening = threads.submit(() -> Database.open(url));
                awaitBlocked(url);
                postgres.kill();
                assertThatThrownBy(opening::get).hasCauseInstanceOf(ArchiveRefusal.class);
            }
            postgres.startAgain();
            try (var database = Database.open(url)) {
                everythingIsThere(database);
            }
        }
    }

    private static void awaitBlocked(String url) throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            boolean isBlocked = false;
            while (!isBlocked) {
                try (var row = statement.executeQuery("SELECT COUNT(*) FROM pg_stat_activity"
                        + " WHERE wait_event_type = 'Lock' AND query LIKE 'CREATE INDEX%'")) {
                    row.next();
                    isBlocked = row.getLong(1) > 0;
                }
            }
        }
    }

    /// What takes long with many runs is no query that got out of hand.
    @Test
    void aMigrationHasAllTheTimeThatItTakes() throws Exception {
        var url = Databases.urls(directory).getLast();
        write(url, 1);
        writeMany(url);
        Database.open(url, PATIENCE, Duration.ofMillis(1)).close();
        try (var database = Database.open(url)) {
            everythingIsThere(database);
        }
    }

    @Test
    void aLaterFormatIsRefusedInWordsAndLeftAsItIs() throws Exception {
        for (var url : Databases.urls(directory)) {
            write(url, 2);
            try (var connection = DriverManager.getConnection(url);
                    var statement = connection.createStatement()) {
                statement.execute("INSERT INTO archive_format VALUES (4)");
            }
            assertThatThrownBy(() -> Database.open(url))
                    .isInstanceOf(ArchiveRefusal.class)
                    .hasMessageContaining("the archive has format 4, but this version of the program knows formats up"
                            + " to 3: run the version that has written it, or a later one");
            try (var connection = DriverManager.getConnection(url);
                    var statement = connection.createStatement();
                    var row = statement.executeQuery("SELECT COUNT(parent) FROM record_labels")) {
                row.next();
                assertThat(row.getLong(1)).isEqualTo(5);
            }
        }
    }
}
