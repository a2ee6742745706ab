package dev.towtank.controllers.pipelines.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.towtank.controllers.git.source.Rewrites;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResolversTest {

    private static final String TASK = "apiVersion: tekton.dev/v1\nkind: Task\n";

    private static Resolver.Question question(Map<String, String> params) {
        return Questions.of(params, Map.of(), Rewrites.NONE);
    }

    /// Two commits on main, a tag on the first.
    private static String repository(Path directory) throws Exception {
        try (var git = Git.init()
                .setDirectory(directory.toFile())
                .setInitialBranch("main")
                .call()) {
            Files.createDirectories(directory.resolve("tasks"));
            Files.writeString(directory.resolve("tasks/a.yaml"), TASK + "# first");
            git.add().addFilepattern(".").call();
            var first = git.commit()
                    .setMessage("first")
                    .setSign(false)
                    .setAuthor("a", "a@b")
                    .setCommitter("a", "a@b")
                    .call();
            git.tag().setName("v1").setAnnotated(false).call();
            Files.writeString(directory.resolve("tasks/a.yaml"), TASK + "# second");
            git.commit()
                    .setAll(true)
                    .setMessage("second")
                    .setSign(false)
                    .setAuthor("a", "a@b")
                    .setCommitter("a", "a@b")
                    .call();
            return first.name();
        }
    }

    private static Resolver git(Path directory) {
        var resolver = new GitResolver(InstantSource.system());
        var rewrites = new Rewrites(
                Map.of("https://git.example.com/", directory.getParent().toUri().toString()));
        return question -> resolver.resolve(
                Questions.of(question.params(), resolver.installed().settings(), rewrites));
    }

    private static Map<String, String> at(Path directory, String revision) {
        return Map.of(
                "url",
                "https://git.example.com/" + directory.getFileName(),
                "revision",
                revision,
                "pathInRepo",
                "tasks/a.yaml");
    }

    @Test
    void findsAFileOnABranchAtATagAndAtACommit(@TempDir Path directory) throws Exception {
        var first = repository(directory);
        var resolver = git(directory);

        assertThat(resolver.resolve(question(at(directory, "main"))).text()).isEqualTo(TASK + "# second");
        assertThat(resolver.resolve(question(at(directory, "v1"))).text()).isEqualTo(TASK + "# first");
        var answer = resolver.resolve(question(at(directory, first)));
        assertThat(answer.text()).isEqualTo(TASK + "# first");
        assertThat(answer.source().string("digest", "sha1")).isEqualTo(first);
        assertThat(answer.source().string("entryPoint")).isEqualTo("tasks/a.yaml");
    }

    @Test
    void saysWhatIsNotThereInARepository(@TempDir Path directory) throws Exception {
        repository(directory);
        var resolver = git(directory);

        assertThatThrownBy(() -> resolver.resolve(question(at(directory, "nope"))))
                .hasMessage("revision error: reference not found: nope");
        var elsewhere = Map.of(
                "url",
                "https://git.example.com/" + directory.getFileName(),
                "revision",
                "main",
                "pathInRepo",
                "b.yaml");
        assertThatThrownBy(() -> resolver.resolve(question(elsewhere)))
                .hasMessage("error opening file \"b.yaml\": file does not exist");
    }

    @Test
    void readsNoRepositoryOfThisMachineUnlessItIsMeantTo() {
        assertThatThrownBy(() -> new GitResolver(InstantSource.system())
                        .resolve(question(Map.of("url", "file:///etc", "revision", "main", "pathInRepo", "passwd"))))
                .hasMessageStartingWith("invalid git repository url");
    }

    private static HttpServer server(int status, String body) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            var user = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
            var bytes = body.replace("USER", user).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static String url(HttpServer server) {
        return "http://localhost:" + server.getAddress().getPort() + "/task.yaml";
    }

    @Test
    void fetchesFromAWebServerWithAPasswordFromASecret() throws Exception {
        var server = server(200, TASK + "# USER");
        try {
            var answer = new HttpResolver()
                    .resolve(question(Map.of("url", url(server), "http-username", "me", "http-password-secret", "s")));
            assertThat(answer.text()).isEqualTo(TASK + "# Basic bWU6cGFzcw==");
            assertThat(answer.source().string("uri")).isEqualTo(url(server));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void refusesWhatIsMissingTooLargeOrNotWhatWasPromised() throws Exception {
        var missing = server(404, "");
        var large = server(200, "x".repeat(Resolver.LARGEST + 1));
        try {
            assertThatThrownBy(() -> new HttpResolver().resolve(question(Map.of("url", url(missing)))))
                    .hasMessage("requested URL '%s' is not found".formatted(url(missing)));
            assertThatThrownBy(() -> new HttpResolver().resolve(question(Map.of("url", url(large)))))
                    .hasMessage("error fetching URL: response body exceeds maximum allowed size of 1048576 bytes");
            assertThatThrownBy(() -> new HttpResolver().resolve(question(Map.of("url", "ftp://x/y"))))
                    .hasMessage("url ftp://x/y is not a valid http(s) url");
        } finally {
            missing.stop(0);
            large.stop(0);
        }
    }
}
