package dev.towtank.app.lint.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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

    /// A pipe is never read to its end, and a line of a whole file is no command.
    @Test
    @Timeout(60)
    void nothingButLinesOfFilesIsRead(@TempDir Path root) throws Exception {
        assertThat(new ProcessBuilder("mkfifo", root.resolve("pipe.sh").toString())
                        .start()
                        .waitFor())
                .isZero();
        Files.createSymbolicLink(root.resolve("link.sh"), Path.of("/etc/passwd"));
        var longLine = "kubectl ".repeat(1000) + "apply -f web.yaml";
        Files.writeString(root.resolve("up.sh"), "kubectl apply -f web.yaml\n" + longLine + "\n");

        assertThat(Mentions.lines(root, _ -> true))
                .isEqualTo(Map.of(root.resolve("up.sh"), List.of("kubectl apply -f web.yaml")));
    }
}
