package dev.towtank.apiserver.registry;

import static dev.towtank.apiserver.registry.TestApi.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Verb;
import dev.towtank.model.StatusError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyingTest {

    private final TestApi api = new TestApi();

    @BeforeEach
    void startPod() {
        api.create("pods/default", """
                apiVersion: v1
                kind: Pod
                metadata: {name: web}
                spec: {nodeName: here, containers: [{name: main, image: 'nginx:1', ports: [{containerPort: 8080}]}]}
                """);
        api.patch(
                "pods/default/web/status",
                "merge",
                "{\"status\":{\"phase\":\"Running\",\"podIP\":\"10.1.1.1\",\"podIPs\":[{\"ip\":\"10.1.1.1\"}]}}");
        api.create("services/default", """
                apiVersion: v1
                kind: Service
                metadata: {name: front}
                spec: {ports: [{name: http, port: 80, targetPort: 8080}]}
                """);
    }

    @AfterEach
    void close() {
        api.close();
    }

    private void endpoints(String address) {
        api.create(
                "endpoints/default",
                "{apiVersion: v1, kind: Endpoints, metadata: {name: front}, subsets: [{addresses: [" + address
                        + "], ports: [{name: http, port: 8080}]}]}");
    }

    private String passedOn(String path) {
        var answer = (Answer.Proxied) api.call(Verb.GET, path, "", Body.None.NONE);
        return answer.pod().name() + ":" + answer.port();
    }

    @ParameterizedTest
    @CsvSource({"web, web:8080", "web:9, web:9", "http:web:9, web:9"})
    void findsThePort(String id, String found) {
        assertThat(passedOn("pods/default/" + id + "/proxy")).isEqualTo(found);
    }

    @ParameterizedTest
    @CsvSource({"front:http", "front:80", "http:front:80"})
    void findsAPodBehindAService(String id) {
        endpoints("{ip: 10.1.1.1, targetRef: {kind: Pod, namespace: default, name: web}}");

        assertThat(passedOn("services/default/" + id + "/proxy")).isEqualTo("web:8080");
    }

    @ParameterizedTest
    @CsvSource({
        "{ip: 10.9.9.9}", // of nobody
        "'{ip: 10.9.9.9, targetRef: {kind: Pod, namespace: default, name: web}}'", // not of that pod
        "'{ip: 10.1.1.1, targetRef: {kind: Pod, namespace: other, name: web}}'",
        "'{ip: 10.1.1.1, targetRef: {kind: Node, name: web}}'"
    })
    void goesNowhereButToPods(String address) {
        endpoints(address);

        var refused = refused(() -> passedOn("services/default/front:http/proxy"));

        assertThat(refused.reason()).isEqualTo(StatusError.Reason.SERVICE_UNAVAILABLE);
        assertThat(refused.getMessage()).isEqualTo("no endpoints available for service \"front:http\"");
    }

    @Test
    void saysWhatIsWrong() {
        assertThat(refused(() -> passedOn("pods/default/gone/proxy")).getMessage())
                .isEqualTo("pods \"gone\" not found");
        assertThat(refused(() -> passedOn("pods/default/ftp:web:9/proxy")).getMessage())
                .isEqualTo("invalid pod request \"ftp:web:9\"");
        assertThat(refused(() -> passedOn("pods/default/https:web:9/proxy")).getMessage())
                .contains("over http only");
        assertThat(refused(() -> passedOn("pods/default/web:x/proxy")).getMessage())
                .isEqualTo("\"x\" is no port");
        assertThat(refused(() -> passedOn("services/default/front:81/proxy")).getMessage())
                .isEqualTo("no service port 81 found for service \"front\"");
    }
}
