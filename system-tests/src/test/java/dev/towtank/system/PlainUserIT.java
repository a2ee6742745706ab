package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What a user meets who is not root, as most are who try it.
class PlainUserIT {
    private static RunningTowtank server;

    @BeforeAll
    static void start() {
        server = System.getProperty("user.name").equals("root")
                ? RunningTowtank.startAs("nobody")
                : RunningTowtank.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /// Services on ports below 1024 are for root alone, and the object store's own are 80 and 443.
    @Test
    void theObjectStoreIsReached() throws IOException {
        var story = Files.createDirectory(server.data().resolve("story"));
        try (var files = Files.list(RunningTowtank.repository().resolve("examples/s3-configuration"))) {
            for (var file : files.toList()) {
                Files.copy(file, story.resolve(file.getFileName()));
            }
        }

        var run = server.command("run", story.toString());

        assertThat(run.exit()).as(run.toString()).isZero();
        assertThat(run.out()).contains("4 of 4 passed");
    }
}
