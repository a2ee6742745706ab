package dev.towtank.controllers.pipelines.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.towtank.controllers.git.source.Rewrites;
import dev.towtank.controllers.pipelines.source.Resolver.Problem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which problems are worth another try.
class PassingProblemsTest {

    private HttpServer server;
    private volatile int status;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private static Problem.Kind problem(Resolver resolver, Map<String, String> params) {
        var question = Questions.of(params, resolver.installed().settings(), Rewrites.NONE);
        return catchThrowableOfType(Problem.class, () -> resolver.resolve(question))
                .kind();
    }

    private Problem.Kind git() {
        return problem(
                new GitResolver(InstantSource.system()),
                Map.of("url", "http://" + address() + "/repository.git", "pathInRepo", "a.yaml", "revision", "main"));
    }

    private Problem.Kind bundle() {
        return problem(new BundleResolver(), Map.of("bundle", address() + "/all:v1", "name", "a", "kind", "task"));
    }

    @ParameterizedTest
    @CsvSource({"500, PASSING", "503, PASSING", "404, FAILED", "403, FAILED"})
    void goByWhatAServerAnswers(int answer, Problem.Kind expected) {
        status = answer;

        assertThat(git()).isEqualTo(expected);
        assertThat(bundle()).isEqualTo(expected);
    }

    @Test
    void areThoseOfAServerThatIsNotThere() {
        server.stop(0);

        assertThat(git()).isEqualTo(Problem.Kind.PASSING);
        assertThat(bundle()).isEqualTo(Problem.Kind.PASSING);
    }
}
