package dev.towtank.apiserver.store;

import static dev.towtank.apiserver.store.Samples.creating;
import static dev.towtank.apiserver.store.Samples.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Damage in the log that a killed process leaves behind, which SQLite itself would read up to and no further.
class WalCheckTest {

    private static final int COMMITS = 30;

    @TempDir
    Path directory;

    private byte[] file;
    private byte[] log;

    /// The files as a kill would leave them: copied while the store is open.
    @BeforeEach
    void crash() throws IOException {
        var live = directory.resolve("live");
        try (var store = open(live)) {
            for (int i = 0; i < COMMITS; i++) {
                store.commit(creating(key("n" + i), "x".repeat(3000)));
            }
            file = Files.readAllBytes(live.resolve("objects.db"));
            log = Files.readAllBytes(live.resolve("objects.db-wal"));
        }
    }

    private static Store open(Path place) {
        return JournaledStore.open(place, InstantSource.system(), StoreLimits.DEFAULT, "a test");
    }

    private long revisionWith(byte[] changedLog) throws IOException {
        var place = Files.createTempDirectory(directory, "crashed");
        Files.write(place.resolve("objects.db"), file);
        Files.write(place.resolve("objects.db-wal"), changedLog);
        try (var store = open(place)) {
            assertThat(store.count(Range.EVERYTHING)).isEqualTo((int) store.revision());
            return store.revision();
        }
    }

    @Test
    void anIntactLogIsReadToItsEnd() throws Exception {
        assertThat(revisionWith(log)).isEqualTo(COMMITS);
    }

    @Test
    void theTornEndOfACrashIsNoDamage() throws Exception {
        var torn = log.clone();
        Arrays.fill(torn, torn.length - 6000, torn.length, (byte) 0);
        assertThat(revisionWith(torn)).isEqualTo(COMMITS - 1);
        assertThat(revisionWith(Arrays.copyOf(log, log.length - 5000))).isEqualTo(COMMITS - 1);
        assertThat(revisionWith(new byte[0])).isZero();
        assertThat(revisionWith(new byte[40_000])).isZero();
    }

    @Test
    void damageBeforeCommitsThatWerePromisedIsRefused() {
        var bytes = log.clone();
        bytes[bytes.length / 2] ^= 1;
        assertThatThrownBy(() -> revisionWith(bytes))
                .isInstanceOf(Store.Damaged.class)
                .hasMessageContaining("objects.db-wal")
                .hasMessageContaining("frame");
    }

    @Test
    void noFlippedByteLosesMoreThanTheLastCommit() throws Exception {
        var random = new Random(3);
        int refused = 0;
        for (int i = 0; i < 80; i++) {
            var bytes = log.clone();
            int at = i < 32 ? i : random.nextInt(bytes.length);
            bytes[at] ^= (byte) (1 << random.nextInt(8));
            try {
                assertThat(revisionWith(bytes)).as("byte " + at).isGreaterThanOrEqualTo(COMMITS - 1);
            } catch (Store.Damaged e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(50);
    }
}
