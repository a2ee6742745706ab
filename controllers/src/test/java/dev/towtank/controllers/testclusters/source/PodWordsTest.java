package dev.towtank.controllers.testclusters.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.controllers.testclusters.templates.PodQuestion;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What the containers of a pod said, as far as it is kept.
class PodWordsTest {

    private static final Resource POD = new Resource(LogicalCluster.DEFAULT, (Json.Obj) YamlText.parse("""
            metadata: {name: create, namespace: clusters, uid: "1"}
            spec: {initContainers: [{name: login}], containers: [{name: create}]}
            status:
              initContainerStatuses: [{name: login, state: {terminated: {exitCode: 0, reason: Completed}}}]
              containerStatuses: [{name: create, state: {terminated: {exitCode: 3, reason: Error}}}]
            """));

    /// Others are told that they never ran.
    private record Logs(Map<String, String> texts) implements PodAccess {

        @Override
        public InputStream log(Resource pod, LogRequest request) {
            var text = texts.get(request.container());
            if (text == null) {
                throw StatusError.badRequest("container \"" + request.container() + "\" is waiting to start");
            }
            return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public Session exec(Resource pod, ExecRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Session attach(Resource pod, ExecRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Connection connect(Resource pod, int port) {
            throw new UnsupportedOperationException();
        }
    }

    private static String words(Map<String, String> texts) throws IOException {
        return new PodWords(new Logs(texts)).read(new PodQuestion(POD));
    }

    @Test
    void everyContainerIsHeardInItsOrder() throws IOException {
        assertThat(words(Map.of("login", "welcome\n", "create", "no such region\n")))
                .isEqualTo("""
                        container login ended with exit code 0 (Completed)
                        welcome
                        container create ended with exit code 3 (Error)
                        no such region
                        """);
    }

    @Test
    void whyThereIsNoLogIsToldInItsPlace() throws IOException {
        assertThat(words(Map.of("login", "welcome"))).contains("container \"create\" is waiting to start");
    }

    @Test
    void theEndOfALongLogIsKeptFromTheBeginningOfALine() throws IOException {
        var text = words(Map.of("login", "", "create", "a line of many\n".repeat(5_000) + "the end"));
        assertThat(text).hasSizeBetween(15_000, 17_000).endsWith("the end\n");
        assertThat(text.lines()).contains("a line of many").allMatch(line -> !line.startsWith("line"));
    }

    @Test
    void halfOfALineThatIsTooLongIsNotKept() throws IOException {
        assertThat(words(Map.of("login", "", "create", "CANARY-".repeat(10_000))))
                .doesNotContain("CANARY");
    }
}
