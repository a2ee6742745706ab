package dev.towtank.app.lint.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A file that something of the repository writes is not missing.
final class MentionsTest {

    @Test
    void aScriptThatWritesAFileMakesIt(@TempDir Path root) throws IOException {
        Files.createDirectories(root.resolve(".git"));
        var base = Files.createDirectories(root.resolve("deploy/base"));
        Files.writeString(base.resolve("kustomization.yaml"), "resources: [release.yaml, other.yaml]\n");
        Files.writeString(root.resolve("update.sh"), "curl -sL \"$URL\" > deploy/base/release.yaml\n# other.yaml\n");

        assertThat(Mentions.ofWriting(base, "release.yaml")).isTrue();
        assertThat(Mentions.ofWriting(base, "other.yaml")).isFalse();
    }
}
