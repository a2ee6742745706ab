package dev.towtank.node.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerFilesTest {

    private static final Exit ENDED =
            new Exit.Ended(130, OptionalInt.of(2), false, Instant.parse("2026-01-02T03:04:05Z"));

    @TempDir
    private Path home;

    @Test
    void tellsTheNextServerHowItEnded() throws IOException {
        var files = new ContainerFiles(home);
        assertThat(files.readExit()).isEmpty();
        files.write(ENDED);
        assertThat(files.readExit()).hasValue(ENDED);
    }

    @Test
    void anEndThatIsHalfWrittenIsNone() throws IOException {
        var files = new ContainerFiles(home);
        files.write(ENDED);
        var whole = Files.readString(home.resolve("ended"));
        for (int length = 0; length < whole.length(); length++) {
            Files.writeString(home.resolve("ended"), whole.substring(0, length));
            assertThat(files.readExit()).isEmpty();
        }
    }
}
