package dev.towtank.controllers.git.source;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.SimpleFileServer;
import com.sun.net.httpserver.SimpleFileServer.OutputLevel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GitFetchTest {

    @TempDir
    Path folder;

    @Test
    void filesOnAWebServerAreNoRepository() throws IOException {
        var repository = Files.createDirectory(folder.resolve("r"));
        Files.writeString(repository.resolve("a"), "a");
        StaticSite.commit(repository);
        var files = repository.resolveSibling("r.git"); // the server shows no hidden ones
        Files.move(repository.resolve(".git"), files);
        Files.createDirectories(files.resolve("info"));
        var commit = Files.readString(files.resolve("refs/heads/main")).strip();
        Files.writeString(files.resolve("info/refs"), commit + "\trefs/heads/main\n");
        var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var server = SimpleFileServer.createFileServer(loopback, folder.toRealPath(), OutputLevel.NONE);
        server.start();
        try {
            var url = "http://127.0.0.1:" + server.getAddress().getPort() + "/r.git";
            var fetch = new GitFetch(
                    new GitFetch.Wanted(url, url, "main", Map.of(), Duration.ofSeconds(30)), InstantSource.system());

            assertThatThrownBy(fetch::refs)
                    .isInstanceOf(GitProblem.class)
                    .hasMessage("git fetch error: " + url
                            + " is a directory of files on a web server, which does not speak git's protocol");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void whoTakesTheCallAndNeverAnswersIsLeft() throws IOException {
        // Connections wait in its queue, and nobody takes them.
        try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            var url = "http://127.0.0.1:" + silent.getLocalPort() + "/r.git";
            var fetch = new GitFetch(
                    new GitFetch.Wanted(url, url, "main", Map.of(), Duration.ofSeconds(1)), InstantSource.system());

            assertThatThrownBy(fetch::refs).isInstanceOf(GitProblem.class).hasMessageContaining("127.0.0.1");
            assertThatThrownBy(() -> fetch.with(_ -> "")).isInstanceOf(GitProblem.class);
        }
    }
}
