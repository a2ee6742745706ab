package dev.towtank.apiserver.store;

import static dev.towtank.apiserver.store.Samples.creating;
import static dev.towtank.apiserver.store.Samples.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A damaged file is never served, and the message says what is wrong and what to do.
class StoreDamageTest {

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void writeSomething() {
        file = directory.resolve("objects.db");
        try (var store = open()) {
            for (int i = 0; i < 40; i++) {
                store.commit(creating(key("n" + i), "needle-" + i + "-" + "x".repeat(500)));
            }
        }
    }

    private Store open() {
        return JournaledStore.open(directory, InstantSource.system(), StoreLimits.DEFAULT, "a test");
    }

    private String damage() throws IOException {
        var before = Files.readAllBytes(file);
        var damaged = catchThrowableOfType(Store.Damaged.class, this::open);
        assertThat(damaged).isNotNull();
        assertThat(damaged).hasMessageContaining("objects.db").hasMessageContaining("restore it from a backup");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        // The directory is free again, and still refused.
        assertThatThrownBy(this::open).isInstanceOf(Store.Damaged.class);
        return damaged.getMessage();
    }

    @Test
    void aFlippedByteInAValueIsFoundAndNamed() throws Exception {
        flip(indexOf("needle-7-") + 3);
        assertThat(damage())
                .contains("revision 8")
                .contains("configmaps/default/default/n7")
                .contains("checksum");
    }

    @Test
    void aFlippedByteInAKeyIsFound() throws Exception {
        flip(indexOf("configmaps/default/default/n9") + 2);
        assertThat(damage()).contains("revision 10").contains("checksum");
    }

    @ParameterizedTest
    @CsvSource({
        "DELETE FROM log WHERE revision = 20, 40 rows",
        "DELETE FROM log WHERE revision = 40, 40 rows",
        "DELETE FROM log, 40 rows",
        "UPDATE log SET revision = 1000 WHERE revision = 3, revision 1000",
        "UPDATE log SET value = NULL WHERE revision = 3, revision 3",
        "UPDATE log SET kind = 2 WHERE revision = 3, revision 3",
        "UPDATE head SET rows = 39, head row",
        "DELETE FROM head, head row is missing",
        "DROP TABLE log, no such table",
    })
    void rowsThatWereTamperedWithAreFound(String statement, String expected) throws Exception {
        RawDatabase.execute(directory, statement);
        assertThat(damage()).contains(expected);
    }

    @Test
    void aRowReplacedByAnotherIsFoundThoughTheCountIsRight() throws Exception {
        long checksum = Checksums.ofRow(41, 2, "configmaps/default/default/n3", null);
        RawDatabase.execute(
                directory,
                "DELETE FROM log WHERE revision = 4",
                "INSERT INTO log VALUES (41, 2, 'configmaps/default/default/n3', NULL, " + checksum + ")");
        assertThat(damage()).contains("40 rows up to revision 40, but has 40 up to 41, and they are not the same");
    }

    @Test
    void anEmptyFileIsNotTakenForANewStore() throws Exception {
        Files.write(file, new byte[0]);
        assertThat(damage()).contains("the file is empty");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 4096, 8192, 20_000})
    void aTruncatedFileIsFound(int length) throws Exception {
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), length));
        damage();
    }

    @Test
    void garbageIsFound() throws Exception {
        var garbage = new byte[50_000];
        new Random(1).nextBytes(garbage);
        Files.write(file, garbage);
        assertThat(damage()).contains("not a database");
    }

    @Test
    void aDatabaseOfAnotherProgramIsLeftAlone() throws Exception {
        Files.delete(file);
        RawDatabase.execute(directory, "CREATE TABLE precious (id INTEGER)");
        assertThat(damage()).contains("another program");
    }

    @Test
    void aMissingFileWhoseLogIsThereIsFound() throws Exception {
        Files.move(file, directory.resolve("objects.db-wal"));
        assertThatThrownBy(this::open).isInstanceOf(Store.Damaged.class).hasMessageContaining("the file is missing");
    }

    /// Whatever byte is hit: the store is refused, or serves exactly what was written.
    @Test
    void noFlippedByteAnywhereGoesUnnoticed() throws Exception {
        var intact = Files.readAllBytes(file);
        var expected = contents();
        var random = new Random(42);
        int found = 0;
        for (int round = 0; round < 60; round++) {
            var bytes = intact.clone();
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, bytes);
            try {
                assertThat(contents()).isEqualTo(expected);
            } catch (Store.Damaged | Store.TooNew e) {
                found++;
            }
            Files.deleteIfExists(directory.resolve("objects.db-wal"));
        }
        assertThat(found).isGreaterThan(30);
    }

    private String contents() {
        try (var store = open()) {
            var text = new StringBuilder().append(store.revision());
            for (var stored : store.list(Range.EVERYTHING, 0, null, 0).items()) {
                text.append('\n').append(stored).append(new String(stored.bytes(), StandardCharsets.UTF_8));
            }
            return text.toString();
        }
    }

    private int indexOf(String text) throws IOException {
        int found = Files.readString(file, StandardCharsets.ISO_8859_1).indexOf(text);
        assertThat(found).isPositive();
        return found;
    }

    private void flip(int position) throws IOException {
        var bytes = Files.readAllBytes(file);
        bytes[position] ^= 4;
        Files.write(file, bytes);
    }

    @Test
    void theDamageOfAnUnfinishedFirstStartIsNone() throws Exception {
        var fresh = directory.resolve("fresh");
        Files.createDirectories(fresh);
        Files.write(fresh.resolve("objects.db.new"), new byte[100]);
        try (var store = JournaledStore.open(fresh, InstantSource.system(), StoreLimits.DEFAULT, "a test")) {
            assertThat(store.revision()).isZero();
        }
    }

    @Test
    void quickCheckIsHappyWithWhatWeWrite() throws SQLException {
        try (var connection = RawDatabase.open(directory);
                var statement = connection.createStatement();
                var result = statement.executeQuery("PRAGMA integrity_check")) {
            assertThat(result.next()).isTrue();
            assertThat(result.getString(1)).isEqualTo("ok");
        }
    }
}
