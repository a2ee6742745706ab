package dev.towtank.controllers.git.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FetchLimitsTest {

    @Test
    void endsAFetchThatTakesTooMuchRoomOrTime(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("pack"), "x".repeat(100));
        var clock = InstantSource.fixed(Instant.EPOCH);

        var room = new FetchLimits(directory, clock, Instant.EPOCH.plus(Duration.ofMinutes(1)), 99);
        room.beginTask("", 1);
        assertThat(room.isCancelled()).isTrue();
        assertThatThrownBy(room::check).hasMessage("the repository is larger than 99 bytes");

        var time = new FetchLimits(directory, clock, Instant.EPOCH.minusSeconds(1), 100);
        assertThat(time.isCancelled()).isFalse();
        time.beginTask("", 1);
        assertThatThrownBy(time::check).hasMessage("context deadline exceeded");
    }
}
