package dev.towtank.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Answer;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests that are passed on to pods.
class PodProxyTest {

    private static final String POD = "/api/v1/namespaces/proxy/pods/web:8080/proxy";

    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer();
        server.fake.api =
                _ -> new Answer.Proxied(new Resource(LogicalCluster.DEFAULT, FakeBackend.pod("web", 7)), 80, List.of());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void passesOnWhatTheCallerAsksButNotWhoTheyAre() throws Exception {
        server.fake.pods.answer = "HTTP/1.1 202 Accepted\r\nX-Own: yes\r\nContent-Length: 2\r\n\r\nok";

        var response = server.send(server.request(POD + "/a%20b/c/?q=1&r")
                .header("Content-Type", "text/csv")
                .header("Impersonate-User", "root")
                .POST(BodyPublishers.ofString("1,2")));

        assertThat(response.statusCode()).isEqualTo(202);
        assertThat(response.body()).isEqualTo("ok");
        assertThat(response.headers().firstValue("X-Own")).contains("yes");
        var sent = server.fake.pods.seen.take();
        assertThat(sent)
                .startsWith("POST /a%20b/c/?q=1&r HTTP/1.1\r\n")
                .containsIgnoringCase("Content-Type: text/csv\r\n")
                .contains("X-Forwarded-Uri: " + POD + "/a%20b/c/\r\n")
                .endsWith("\r\n\r\n1,2")
                .doesNotContainIgnoringCase("authorization")
                .doesNotContainIgnoringCase("impersonate");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n",
                "HTTP/1.0 200 OK\r\n\r\nhello world",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world and more"
            })
    void readsToTheEndHoweverItIsTold(String answer) throws Exception {
        server.fake.pods.answer = answer;

        assertThat(server.get(POD + "/").body()).isEqualTo("hello world");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH\r\n",
                "",
                "HTTP/1.1 200 OK\r\nbroken header\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n"
            })
    void saysThatThePodSpeaksSomethingElse(String answer) throws Exception {
        server.fake.pods.answer = answer;

        var response = server.get(POD + "/");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("error trying to reach service");
    }

    @Test
    void linksOfAPageLeadBelowTheProxy() throws Exception {
        assertThat(server.get(POD).headers().firstValue("Location")).contains("proxy/");
        server.fake.pods.answer = "HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n";

        assertThat(server.get(POD + "/").headers().firstValue("Location")).contains(POD + "/login");
    }
}
