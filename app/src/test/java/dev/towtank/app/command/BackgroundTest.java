package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BackgroundTest {

    private static final Path LOG = Path.of("/data/towtank.log");

    @Test
    void saysThatTheDiskIsFullWhereTheLogCannot() {
        assertThat(Background.explanation("", LOG, 4096, 1))
                .isEqualTo(
                        "The server ended before it was ready, with exit code 1. The disk of /data is full (4096 bytes"
                                + " are free): free some space, or choose a directory on another disk with --data."
                                + " Its log /data/towtank.log says nothing about it.");
    }

    @Test
    void repeatsWhatTheServerSaid() {
        assertThat(Background.explanation("towtank: port 1 is taken", LOG, 1L << 40, 1))
                .isEqualTo("port 1 is taken");
        assertThat(Background.explanation("Exception in thread", LOG, 1L << 40, 3))
                .isEqualTo("The server ended before it was ready, with exit code 3. Its log is /data/towtank.log and"
                        + " says:\nException in thread");
    }
}
