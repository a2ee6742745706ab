package dev.towtank.controllers.spray.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.towtank.cluster.Meters;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.cluster.web.PemTls;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SprayProxyTest {

    private static final String BODY = "{\"a\": \"ä \\u00e4\"}\n";

    @TempDir
    Path directory;

    private final FakeTimers timers = new FakeTimers();
    private final List<HttpServer> servers = new ArrayList<>();
    private final List<String> got = new CopyOnWriteArrayList<>();
    private final Backends backends = new Backends();
    private Sender sender;

    @AfterEach
    void close() {
        servers.forEach(server -> server.stop(0));
        if (sender != null) {
            sender.close();
        }
    }

    /// A backend that answers so; its port stays its own when it is stopped.
    private HttpServer backend(String name, int port, int status) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", exchange -> {
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            got.add(name + " " + exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("X-GitHub-Event") + " " + body);
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        servers.add(server);
        return server;
    }

    private static String url(HttpServer server) {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private SprayProxy proxy(Optional<SprayQueue> queue, Optional<String> secret, Optional<String> token)
            throws IOException {
        sender = new Sender(
                PemTls.context(Optional.empty(), Optional.empty(), Optional.empty()),
                Duration.ofSeconds(5),
                Meters.NONE,
                timers);
        return new SprayProxy(backends, queue, sender, new SprayProxy.Settings(secret, token, 1 << 20), Meters.NONE);
    }

    private static WebRequest request(String method, String path, String body, Map<String, List<String>> headers) {
        var bytes = new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
        return new WebRequest(method, path, path.equals("/q") ? "x=y" : "", headers, bytes, Optional.empty(), false);
    }

    private static Map<String, List<String>> signed(String body, String secret) throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        var signature = HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
        return Map.of(
                "content-type",
                List.of("application/json; charset=utf-8"),
                "x-github-event",
                List.of("push"),
                "host",
                List.of("elsewhere"),
                "x-hub-signature-256",
                List.of("sha256=" + signature));
    }

    private static String said(WebResponse response) throws Exception {
        var out = new ByteArrayOutputStream();
        response.body().writeTo(out);
        return response.status() + " " + out.toString(StandardCharsets.UTF_8);
    }

    private String post(SprayProxy proxy, String path) throws Exception {
        return said(proxy.handle(request("POST", path, BODY, signed(BODY, "s"))));
    }

    private static final class TooMuch extends InputStream {
        @Override
        public int read() throws IOException {
            throw new WebRequest.TooLarge(1);
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            throw new WebRequest.TooLarge(1);
        }
    }

    @Test
    void everyBackendGetsTheSameBytes() throws Exception {
        var one = backend("one", 0, 202);
        var two = backend("two", 0, 202);
        backends.add(url(one));
        backends.add(url(two) + "/pipelines-as-code");
        var proxy = proxy(Optional.empty(), Optional.of("s"), Optional.empty());

        assertThat(post(proxy, "/proxy")).isEqualTo("200 proxied");

        assertThat(got)
                .containsExactlyInAnyOrder("one POST / push " + BODY, "two POST /pipelines-as-code push " + BODY);
    }

    @Test
    void pathsAreThoseOfSprayProxy() throws Exception {
        var proxy = proxy(Optional.empty(), Optional.of("s"), Optional.empty());
        for (var path : List.of("/", "/proxy", "/healthz")) {
            assertThat(said(proxy.handle(request("GET", path, "", Map.of())))).isEqualTo("200 healthy");
        }
        assertThat(proxy.handle(request("GET", "/backends", "", Map.of())).status())
                .isEqualTo(404);
        assertThat(proxy.handle(request("POST", "/backends", "{}", Map.of())).status())
                .isEqualTo(404);
        assertThat(proxy.handle(request("POST", "/elsewhere", "{}", Map.of())).status())
                .isEqualTo(404);
    }

    @Test
    void whatIsNotSignedOrTooLargeReachesNobody() throws Exception {
        backends.add(url(backend("one", 0, 200)));
        var proxy = proxy(Optional.empty(), Optional.of("s"), Optional.empty());
        var right = signed(BODY, "s");
        assertThat(said(proxy.handle(request("POST", "/", BODY + " ", right)))).isEqualTo("400 bad request");
        assertThat(said(proxy.handle(request("POST", "/", BODY, signed(BODY, "t")))))
                .isEqualTo("400 bad request");
        assertThat(said(proxy.handle(request("POST", "/", BODY, Map.of())))).isEqualTo("400 bad request");
        assertThat(said(proxy.handle(
                        request("POST", "/", BODY, Map.of("x-hub-signature-256", right.get("x-hub-signature-256"))))))
                .isEqualTo("400 bad request");
        var endless = new WebRequest("POST", "/", "", right, new TooMuch(), Optional.empty(), false);
        assertThat(said(proxy.handle(endless))).isEqualTo("413 request body too large");
        assertThat(got).isEmpty();
    }

    @Test
    void withoutAQueueAnUnreachableBackendIsToldAndAnAngryOneIsNot() throws Exception {
        backends.add(url(backend("angry", 0, 500)));
        var proxy = proxy(Optional.empty(), Optional.of("s"), Optional.empty());
        assertThat(post(proxy, "/")).isEqualTo("200 proxied");
        var gone = backend("gone", 0, 200);
        backends.add(url(gone));
        gone.stop(0);
        assertThat(post(proxy, "/")).isEqualTo("502 failed to proxy");
        assertThat(said(proxy.results())).contains("\"refused\":2", "\"failed\":1", "ConnectException");
    }

    @Test
    void whatOneCouldNotTakeItGetsLaterOnceAndInOrder() throws Exception {
        var flaky = backend("flaky", 0, 200);
        int port = flaky.getAddress().getPort();
        backends.add(url(flaky));
        backends.add(url(backend("fine", 0, 200)));
        flaky.stop(0);
        var queue = new SprayQueue(directory, 10, 1 << 20);
        var proxy = proxy(Optional.of(queue), Optional.of("s"), Optional.empty());
        assertThat(post(proxy, "/")).isEqualTo("200 proxied");
        assertThat(post(proxy, "/")).isEqualTo("200 proxied");
        assertThat(queue.size()).isEqualTo(2);

        // The process ends, and another begins with what is on the disk.
        Files.writeString(directory.resolve("x.half"), "half");
        var again = new SprayQueue(directory, 10, 1 << 20);
        assertThat(again.size()).isEqualTo(2);
        var redelivery = new Redelivery(again, backends, sender, Duration.ofHours(1), Meters.NONE);
        assertThat(redelivery.step()).isZero();
        backend("flaky", port, 200);
        assertThat(redelivery.step()).isZero();
        timers.advance(Duration.ofSeconds(2));
        assertThat(redelivery.step()).isEqualTo(2);
        assertThat(got.stream().filter(each -> each.startsWith("flaky"))).hasSize(2);
        assertThat(got.stream().filter(each -> each.startsWith("fine"))).hasSize(2);
        assertThat(again.size()).isZero();
        try (var files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void aFullQueueAndOldEventsAreTold() throws Exception {
        var gone = backend("gone", 0, 200);
        backends.add(url(gone));
        gone.stop(0);
        var queue = new SprayQueue(directory, 1, 1 << 20);
        var proxy = proxy(Optional.of(queue), Optional.of("s"), Optional.empty());
        assertThat(post(proxy, "/")).isEqualTo("200 proxied");
        assertThat(post(proxy, "/")).isEqualTo("502 failed to proxy");
        var redelivery = new Redelivery(queue, backends, sender, Duration.ofHours(1), Meters.NONE);
        timers.advance(Duration.ofHours(2));
        redelivery.step();
        assertThat(queue.size()).isZero();
    }

    @Test
    void backendsComeAndGoWithAToken() throws Exception {
        var proxy = proxy(Optional.empty(), Optional.of("s"), Optional.of("t0ken"));
        Map<String, List<String>> who = Map.of("authorization", List.of("Bearer t0ken"));
        var body = "{\"url\": \"https://a.example\"}";
        assertThat(proxy.handle(request("POST", "/backends", body, Map.of())).status())
                .isEqualTo(401);
        assertThat(said(proxy.handle(request("POST", "/backends", body, who))))
                .isEqualTo("200 registered the backend server");
        assertThat(said(proxy.handle(request("POST", "/backends", body, who))))
                .isEqualTo("302 backend server already registered");
        assertThat(said(proxy.handle(request("GET", "/backends", "", who))))
                .isEqualTo("200 Backend urls: https://a.example");
        assertThat(said(proxy.handle(request("POST", "/backends", "[", who))))
                .isEqualTo("400 please provide a valid json body");
        assertThat(proxy.handle(request("POST", "/backends", "{\"url\": \"file:///etc\"}", who))
                        .status())
                .isEqualTo(400);
        assertThat(said(proxy.handle(request("DELETE", "/backends", body, who))))
                .isEqualTo("200 backend server unregistered");
        assertThat(said(proxy.handle(request("DELETE", "/backends", body, who))))
                .isEqualTo("404 backend server not found in the list");
    }

    @Test
    void anAddressWithAPasswordIsNone() {
        assertThatThrownBy(() -> backends.add("https://a:b@c")).isInstanceOf(IllegalArgumentException.class);
    }
}
