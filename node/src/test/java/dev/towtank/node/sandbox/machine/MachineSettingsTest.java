package dev.towtank.node.sandbox.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineSettingsTest {
    private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));

    @TempDir
    Path etc;

    @TempDir
    Path kept;

    private MachineSettings settings;

    @BeforeEach
    void installSomething() throws IOException {
        Files.writeString(etc.resolve("ld.so.cache"), "libc");
        Files.createDirectories(etc.resolve("alternatives"));
        Files.writeString(etc.resolve("shadow"), "secret");
        Files.setLastModifiedTime(etc.resolve("ld.so.cache"), LONG_AGO);
        Files.setLastModifiedTime(etc.resolve("alternatives"), LONG_AGO);
        settings = new MachineSettings(etc, kept);
    }

    @Test
    void aCopyHasWhatProgramsNeedAndNothingElse() throws IOException {
        var copy = settings.current();

        assertThat(copy.names()).containsExactlyInAnyOrder("ld.so.cache", "alternatives");
        assertThat(copy.directory()).isDirectoryNotContaining("glob:**shadow");
        assertThat(settings.current()).isEqualTo(copy);
    }

    @Test
    void whatIsInstalledLaterIsInTheNextCopy() throws IOException {
        var before = settings.current();
        Files.createSymbolicLink(etc.resolve("alternatives/libblas.so.3"), Path.of("/usr/lib/libblas.so.3"));
        Files.createDirectories(etc.resolve("maven"));
        var now = settings.current();

        assertThat(now.names()).contains("maven");
        assertThat(now.directory().resolve("alternatives/libblas.so.3")).isSymbolicLink();
        // A container that runs has it mounted.
        assertThat(before.directory().resolve("ld.so.cache")).hasContent("libc");
    }

    @Test
    void aFileThatIsReplacedIsInTheNextCopy() throws IOException {
        settings.current();
        Files.writeString(etc.resolve("ld.so.cache"), "libc libblas");

        assertThat(settings.current().directory().resolve("ld.so.cache")).hasContent("libc libblas");
    }

    @Test
    void serversShareACopyAndOldOnesGo() throws IOException {
        for (int change = 0; change < 20; change++) {
            Files.writeString(etc.resolve("ld.so.cache"), "x".repeat(change));
            Files.setLastModifiedTime(etc.resolve("ld.so.cache"), FileTime.fromMillis(change));
            assertThat(new MachineSettings(etc, kept).current()).isEqualTo(settings.current());
        }

        try (var copies = Files.list(kept)) {
            assertThat(copies.filter(Files::isDirectory)).hasSizeLessThan(12);
        }
    }
}
