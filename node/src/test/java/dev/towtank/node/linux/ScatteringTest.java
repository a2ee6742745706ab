package dev.towtank.node.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScatteringTest {

    @TempDir
    private Path home;

    @Test
    void whereTheFileSystemIsExt4ItIsAsked() throws IOException {
        boolean ext4 = Files.getFileStore(home).type().equals("ext4");
        assertThat(Scattering.ask(home) || !ext4).isTrue();
        assertThat(Scattering.ask(home) || !ext4).isTrue();
    }

    @Test
    void whatCannotBeAskedIsLeftAlone() {
        assertThat(Scattering.ask(home.resolve("none"))).isFalse();
        assertThat(Scattering.ask(Path.of("/proc/self"))).isFalse();
    }
}
