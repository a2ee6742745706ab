package dev.towtank.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.pki.Pki;
import dev.towtank.cluster.web.PemTls;
import dev.towtank.cluster.web.WebDoor;
import dev.towtank.cluster.web.WebDoor.Port;
import dev.towtank.cluster.web.WebHandler;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class WebPortsTest {

    @TempDir
    Path directory;

    private Pki pki;
    private WebPorts ports;

    @BeforeEach
    void open() {
        pki = Pki.open(directory.resolve("pki"), InstantSource.system(), List.of());
        ports = new WebPorts(names -> {
            var issued = pki.issueServer(names);
            return new Tls(issued.privateKey(), List.of(issued.certificate(), pki.authority()), List.of());
        });
    }

    @AfterEach
    void close() {
        ports.close();
    }

    private static final WebHandler ECHO = request -> WebResponse.text(
            200,
            request.method() + " " + request.path() + " " + request.parameter("q") + " "
                    + new String(request.readBody(), StandardCharsets.UTF_8));

    private HttpResponse<String> send(String scheme, int port, String path, String body)
            throws IOException, InterruptedException {
        try (var client = HttpClient.newBuilder()
                .sslContext(Pki.anonymousTls(directory.resolve("pki")))
                .build()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(scheme + "://localhost:" + port + path))
                            .POST(BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void everyPortHasItsOwnHandlerAndClosesByItself() throws Exception {
        try (var one = ports.open(Port.plain("one", ECHO))) {
            int gone;
            try (var two = ports.open(Port.plain("two", _ -> WebResponse.text(202, "two")))) {
                gone = two.port();
                assertThat(send("http", two.port(), "/", "").statusCode()).isEqualTo(202);
            }
            assertThat(send("http", one.port(), "/a%2Fb?q=1+2", "x").body()).isEqualTo("POST /a%2Fb 1 2 x");
            assertThatThrownBy(() -> send("http", gone, "/", "")).isInstanceOf(ConnectException.class);
        }
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                + "-----\n";
    }

    @Test
    void showsACertificateOfOnesOwnToThoseWhoExpectItsName() throws Exception {
        var issued = pki.issueServer(List.of("checks.team.svc"));
        var own = new WebDoor.KeyPair(
                pem("CERTIFICATE", issued.certificate().getEncoded()),
                pem("PRIVATE KEY", issued.privateKey().getEncoded()));
        var authority = pem("CERTIFICATE", pki.authority().getEncoded());
        assertThat(own.toString()).doesNotContain("PRIVATE");
        try (var secure = ports.open(Port.plain("own", ECHO).withTls(own))) {
            var request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + secure.port() + "/"))
                    .POST(BodyPublishers.ofString("x"))
                    .build();
            // Reached by an address, known by a name.
            try (var client = HttpClient.newBuilder()
                    .sslContext(PemTls.trusting(authority, "checks.team.svc"))
                    .build()) {
                assertThat(client.send(request, HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(200);
            }
            try (var client = HttpClient.newBuilder()
                    .sslContext(PemTls.trusting(authority, "others.team.svc"))
                    .build()) {
                assertThatThrownBy(() -> client.send(request, HttpResponse.BodyHandlers.ofString()))
                        .hasStackTraceContaining("the certificate is not for others.team.svc");
            }
        }
        assertThatThrownBy(() -> ports.open(Port.plain("bad", ECHO).withTls(new WebDoor.KeyPair("", "secret"))))
                .isInstanceOf(IOException.class)
                .hasMessageNotContaining("secret");
    }

    @Test
    void speaksTlsForItsNames() throws Exception {
        try (var secure = ports.open(Port.plain("secure", ECHO).withTls(List.of("localhost", "s3.storage.svc")))) {
            assertThat(send("https", secure.port(), "/", "x").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void takesNoMoreThanItsLimitAndTellsRefusalsAsKubernetesDoes() throws Exception {
        try (var port = ports.open(Port.plain("small", ECHO).withLargestBody(3));
                var refusing = ports.open(Port.plain("refusing", _ -> {
                    throw StatusError.badRequest("no");
                }));
                var broken = ports.open(Port.plain("broken", _ -> {
                    throw new IllegalStateException("a secret of ours");
                }))) {
            assertThat(send("http", port.port(), "/", "1234").statusCode()).isEqualTo(413);
            assertThat(send("http", refusing.port(), "/", "").body()).contains("\"reason\":\"BadRequest\"");
            var failed = send("http", broken.port(), "/", "");
            assertThat(failed.statusCode()).isEqualTo(500);
            assertThat(failed.body()).doesNotContain("a secret of ours");
        }
    }

    /// The client sends all that it has before it listens: the rest must find somebody who reads it.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoSendsTooMuchLearnsThat(boolean reads) throws Exception {
        WebHandler handler = request -> reads ? ECHO.handle(request) : WebResponse.text(403, "no\n");
        try (var port = ports.open(Port.plain("small", handler).withLargestBody(1 << 20))) {
            for (int i = 0; i < 100; i++) {
                var answer = send("http", port.port(), "/", "x".repeat(8 << 20));
                assertThat(answer.statusCode()).isEqualTo(reads ? 413 : 403);
                assertThat(answer.body()).isNotEmpty();
            }
        }
    }

    @Test
    void aRequestThatTakesTooLongIsCutOff() throws Exception {
        var never = new CountDownLatch(1);
        try (var slow = ports.open(Port.plain("slow", _ -> {
                    never.await();
                    return WebResponse.empty(200);
                })
                .withTimeout(Duration.ofMillis(50)))) {
            assertThat(send("http", slow.port(), "/", "").statusCode()).isEqualTo(504);
        }
    }

    @Test
    void aPortThatIsTakenIsToldAsSuch() throws Exception {
        try (var one = ports.open(Port.plain("one", ECHO))) {
            assertThatThrownBy(() -> ports.open(Port.plain("two", ECHO).withNumber(one.port())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("for two");
        }
    }
}
