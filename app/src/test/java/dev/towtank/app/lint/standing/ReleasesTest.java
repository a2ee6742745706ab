package dev.towtank.app.lint.standing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What lies in the folder of a version is as it was where there is a newer one.
final class ReleasesTest {

    @Test
    void ofSeveralVersionsOnlyTheNewestIsWorkedAt(@TempDir Path folder) throws IOException {
        Files.createDirectories(folder.resolve("build/0.9"));
        Files.createDirectories(folder.resolve("build/0.10"));
        var releases = new Releases();

        assertThat(releases.hasNewer(folder.resolve("build/0.9/task.yaml").toString()))
                .isTrue();
        assertThat(releases.hasNewer(folder.resolve("build/0.10/task.yaml").toString()))
                .isFalse();
    }

    @Test
    void filesAreReleasesAsWell(@TempDir Path folder) throws IOException {
        Files.createFile(folder.resolve("task-0.9.1.yaml"));
        Files.createFile(folder.resolve("task-0.10.0.yml"));
        Files.createFile(folder.resolve("other-0.11.yaml"));
        var releases = new Releases();

        assertThat(releases.hasNewer(folder.resolve("task-0.9.1.yaml").toString()))
                .isTrue();
        assertThat(releases.hasNewer(folder.resolve("task-0.10.0.yml").toString()))
                .isFalse();
    }

    @Test
    void comparesVersionsOfOneThing() {
        assertThat(Releases.isNewer("release-1.10", "release-1.9")).isTrue();
        assertThat(Releases.isNewer("v2.0.1", "v2.0")).isTrue();
        assertThat(Releases.isNewer("other-1.10", "release-1.9")).isFalse();
        assertThat(Releases.isNewer("build", "0.1")).isFalse();
    }
}
