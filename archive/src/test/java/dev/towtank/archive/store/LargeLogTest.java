package dev.towtank.archive.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.archive.sql.Databases;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Logs that are larger than the memory of the process that archives them.
class LargeLogTest {

    private static final String MEMORY = "-Xmx32m";

    @TempDir
    Path directory;

    private static String archived(String url, long size) throws IOException, InterruptedException {
        var process = new ProcessBuilder(List.of(
                        ProcessHandle.current().info().command().orElse("java"),
                        MEMORY,
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        LargeLog.class.getName(),
                        url,
                        String.valueOf(size)))
                .redirectErrorStream(true)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said.strip();
    }

    @Test
    void aLogLargerThanTheMemoryIsKeptWhole() throws Exception {
        long size = 64L << 20;
        for (var url : Databases.urls(directory)) {
            assertThat(archived(url, size)).isEqualTo("complete " + size + " " + size + " true true");
        }
    }

    @Test
    @Tag("deep")
    void aLogOfTwoGigabytesIsKeptWhole() throws Exception {
        long size = 2L << 30;
        assertThat(archived(Databases.urls(directory).getFirst(), size))
                .isEqualTo("complete " + size + " " + size + " true true");
    }
}
