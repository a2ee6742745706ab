package dev.towtank.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Verb;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Applies whose body comes with the header, at once or in pieces.
class ArrivedTest {

    private static final String POD = "/api/v1/namespaces/default/pods/web?fieldManager=me";

    private TestServer server;
    private Socket socket;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer();
        server.fake.known = _ -> Optional.of(FakeBackend.one(200, FakeBackend.pod("known", 7)));
        socket = TestServer.CERTIFICATES
                .clientContext(false)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.server.port());
        socket.setSoTimeout(120_000);
        ((SSLSocket) socket).startHandshake();
    }

    @AfterEach
    void stop() throws IOException {
        socket.close();
        server.close();
    }

    private static String head(String token, String mediaType, int length) {
        return "PATCH " + POD + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + token + "\r\nContent-Type: "
                + mediaType + "\r\nContent-Length: " + length + "\r\n\r\n";
    }

    private void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    /// The status line and the body of one answer.
    private String answer() throws IOException {
        var in = socket.getInputStream();
        var header = new StringBuilder();
        while (header.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            assertThat(next).isNotNegative();
            header.append((char) next);
        }
        int at = header.indexOf("Content-Length: ") + "Content-Length: ".length();
        int length = Integer.parseInt(header.substring(at, header.indexOf("\r", at)));
        return header.substring(0, header.indexOf("\r")) + " "
                + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    @Test
    void areAnsweredAtOnceWhenTheAnswerIsKnown() throws Exception {
        for (int i = 0; i < 3; i++) {
            send(head("admin", "application/apply-patch+yaml", 2) + "{}");

            assertThat(answer()).startsWith("HTTP/1.1 200 OK").contains("\"known\"");
        }
        var event = server.fake.audited.poll(120, TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        assertThat(event.verb()).isEqualTo("patch");
        assertThat(event.outcome().code()).isEqualTo(200);
        assertThat(event.exchange().request()).isInstanceOf(Body.Text.class);
        assertThat(server.metrics("apiserver_request_total{code=\"200\"", "mutating\"} 0.0"))
                .contains("apiserver_request_total{code=\"200\"")
                .contains("{request_kind=\"mutating\"} 0.0");
    }

    @Test
    void goTheLongWayWhenTheAnswerIsNotKnown() throws Exception {
        server.fake.known = _ -> Optional.empty();
        server.fake.api = call -> {
            assertThat(Thread.currentThread().isVirtual()).isTrue();
            return FakeBackend.one(200, FakeBackend.pod("worked-out", 7));
        };

        send(head("admin", "application/apply-patch+yaml", 8) + "{a: bcd}");

        assertThat(answer()).contains("worked-out");
        assertThat(text(server.fake.calls.remove().body())).isEqualTo("{a: bcd}");
        assertThat(server.metrics("mutating\"} 0.0")).contains("{request_kind=\"mutating\"} 0.0");
    }

    @Test
    void goTheLongWayWhenTheirBodyComesInPieces() throws Exception {
        send(head("admin", "application/apply-patch+yaml", 8) + "{a: ");
        while (!server.get("/metrics").body().contains("{request_kind=\"mutating\"} 1.0")) {
            // Until the first piece is there.
        }
        send("bcd}");

        assertThat(answer()).contains("\"web\"");
        var call = server.fake.calls.remove();
        assertThat(call.verb()).isEqualTo(Verb.PATCH);
        assertThat(text(call.body())).isEqualTo("{a: bcd}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/merge-patch+json", "application/json-patch+json"})
    void areNoPatchesOfOtherKinds(String mediaType) throws Exception {
        send(head("admin", mediaType, 2) + "{}");

        assertThat(answer()).contains("\"web\"");
    }

    @Test
    void areRefusedWithoutLosingTheConnection() throws Exception {
        server.fake.known = _ -> {
            throw StatusError.badRequest("not this");
        };
        for (var token : new String[] {"wrong", "admin"}) {
            send(head(token, "application/apply-patch+yaml", 2) + "{}");

            assertThat(answer()).contains(token.equals("wrong") ? "401 Unauthorized" : "not this");
        }
        server.fake.known = _ -> Optional.of(FakeBackend.one(200, FakeBackend.pod("known", 7)));
        send(head("admin", "application/apply-patch+yaml", 2) + "{}");

        assertThat(answer()).contains("\"known\"");
        assertThat(server.metrics("mutating\"} 0.0")).contains("{request_kind=\"mutating\"} 0.0");
    }

    private static String text(Body body) {
        return body instanceof Body.Text text ? new String(text.bytes(), StandardCharsets.UTF_8) : "";
    }
}
