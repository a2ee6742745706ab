package dev.towtank.apiserver.store;

import static dev.towtank.apiserver.store.Samples.creating;
import static dev.towtank.apiserver.store.Samples.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files of other versions of the program.
class SqliteFormatTest {

    @TempDir
    Path directory;

    @BeforeEach
    void write() {
        try (var store = JournaledStore.open(directory, InstantSource.system(), StoreLimits.DEFAULT, "a test")) {
            store.commit(creating(key("a"), "1"));
        }
    }

    /// The present format as if it were two steps older than the program.
    private static SqliteFormat twoLater(SqliteFormat.Migration.Change second) {
        return new SqliteFormat(
                SqliteFormat.CURRENT.version() + 2,
                List.of(
                        new SqliteFormat.Migration(
                                SqliteFormat.CURRENT.version(),
                                "a table of notes",
                                connection -> SqliteFile.execute(connection, "CREATE TABLE notes (text TEXT)")),
                        new SqliteFormat.Migration(SqliteFormat.CURRENT.version() + 1, "a first note", second)));
    }

    private List<Journal.Entry> entries(SqliteFormat format) {
        var entries = new ArrayList<Journal.Entry>();
        try (var journal = SqliteJournal.open(directory, format)) {
            journal.load(entries::add);
        }
        return entries;
    }

    private long number(String sql) throws SQLException {
        try (var connection = RawDatabase.open(directory)) {
            return SqliteFile.number(connection, sql);
        }
    }

    @Test
    void anOlderFileIsBroughtUpToDateStepByStepAndKept() throws Exception {
        var format = twoLater(connection -> SqliteFile.execute(connection, "INSERT INTO notes VALUES ('hello')"));

        assertThat(entries(format)).hasSize(1);

        assertThat(number("PRAGMA user_version")).isEqualTo(format.version());
        assertThat(number("SELECT count(*) FROM notes")).isEqualTo(1);
        assertThat(entries(format)).hasSize(1);
        assertThat(number("SELECT count(*) FROM notes")).isEqualTo(1);
        assertThat(directory.resolve("objects.db.format" + SqliteFormat.CURRENT.version()))
                .isNotEmptyFile();
    }

    @Test
    void aStepThatFailsIsTakenBack() throws Exception {
        var format = twoLater(connection -> {
            SqliteFile.execute(connection, "INSERT INTO notes VALUES ('half')");
            throw new SQLException("on purpose");
        });

        assertThatThrownBy(() -> entries(format))
                .isInstanceOf(Store.Unavailable.class)
                .hasMessageContaining("a first note")
                .hasMessageContaining("taken back");

        assertThat(number("PRAGMA user_version")).isEqualTo(SqliteFormat.CURRENT.version() + 1);
        assertThat(number("SELECT count(*) FROM notes")).isZero();
    }

    @Test
    void aFileOfALaterVersionIsRefusedByNumber() throws Exception {
        RawDatabase.execute(directory, "PRAGMA user_version = 77");
        assertThatThrownBy(() -> entries(SqliteFormat.CURRENT))
                .isInstanceOf(Store.TooNew.class)
                .hasMessageContaining("format 77")
                .hasMessageContaining("up to " + SqliteFormat.CURRENT.version());
    }

    @Test
    void aFileWithoutAVersionIsRefused() throws Exception {
        RawDatabase.execute(directory, "PRAGMA user_version = 0");
        assertThatThrownBy(() -> entries(SqliteFormat.CURRENT)).isInstanceOf(Store.Damaged.class);
    }

    @Test
    void thereIsAWayFromEveryFormatToThePresentOne() {
        assertThat(SqliteFormat.CURRENT.migrations())
                .extracting(SqliteFormat.Migration::from)
                .containsExactlyElementsOf(IntStream.range(1, SqliteFormat.CURRENT.version())
                        .boxed()
                        .toList());
    }
}
