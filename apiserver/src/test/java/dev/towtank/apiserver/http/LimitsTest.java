package dev.towtank.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What keeps the server alive: every one of these would hurt it if it were not limited.
@Timeout(120)
class LimitsTest {

    private static final String POD = "/api/v1/namespaces/default/pods/web";
    private static final String WATCH = "/api/v1/pods?watch=true";

    private final FakeBackend fake = new FakeBackend();
    private TestServer server;

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void refusesMoreWritesThanItCanTake() throws Exception {
        server = new TestServer(TestServer.options().withInFlight(10, 2, 10), fake);
        var arrived = new Semaphore(0);
        var release = new CountDownLatch(1);
        fake.api = _ -> {
            arrived.release();
            await(release);
            return FakeBackend.one(200, FakeBackend.pod("web", 1));
        };
        var first = put("nobody");
        var second = put("nobody");
        arrived.acquire(2);

        var refused = put("nobody").join();

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).contains("1");
        assertThat(JsonText.parseObject(refused.body()).string("message"))
                .isEqualTo("Too many requests, please try again later.");
        var master = put("admin");
        arrived.acquire();
        release.countDown();
        assertThat(List.of(first, second, master))
                .allSatisfy(each -> assertThat(each.join().statusCode()).isEqualTo(200));
        awaitRoom("nobody", POD);
    }

    @Test
    void aClusterGetsHalfOfItAndLeavesItsNeighboursTheRest() throws Exception {
        server = new TestServer(TestServer.options().withInFlight(10, 4, 10), fake);
        var arrived = new Semaphore(0);
        var release = new CountDownLatch(1);
        fake.api = _ -> {
            arrived.release();
            await(release);
            return FakeBackend.one(200, FakeBackend.pod("web", 1));
        };
        var inside = List.of(put("tenant", "/clusters/tenant" + POD), put("tenant", "/clusters/tenant" + POD));
        arrived.acquire(2);

        assertThat(put("tenant", "/clusters/tenant" + POD).join().statusCode()).isEqualTo(429);

        var neighbour = put("nobody");
        arrived.acquire();
        release.countDown();
        assertThat(neighbour.join().statusCode()).isEqualTo(200);
        assertThat(inside)
                .allSatisfy(each -> assertThat(each.join().statusCode()).isEqualTo(200));
        awaitRoom("tenant", "/clusters/tenant" + POD);
    }

    @Test
    void refusesMoreWatchesThanItCanTake() throws Exception {
        server = new TestServer(TestServer.options().withInFlight(10, 10, 1), fake);
        var stream = new FakeStream();
        fake.api = _ -> new Answer.Watching(FakeBackend.PODS, stream, List.of());
        var open = server.client(HttpClient.Version.HTTP_2)
                .send(as("nobody", WATCH).build(), BodyHandlers.ofInputStream());

        assertThat(open.statusCode()).isEqualTo(200);
        assertThat(server.send(as("nobody", WATCH)).statusCode()).isEqualTo(429);

        open.body().close();
        stream.closed.await();
    }

    @Test
    void tellsClientsThatARequestTakesTooLong() throws Exception {
        server = new TestServer(TestServer.options(), fake);
        var arrived = new Semaphore(0);
        var release = new CountDownLatch(1);
        fake.api = _ -> {
            arrived.release();
            await(release);
            return FakeBackend.one(200, FakeBackend.pod("web", 1));
        };
        var response = put("admin");
        arrived.acquire();

        server.clock.advance(Duration.ofSeconds(61));

        assertThat(response.join().statusCode()).isEqualTo(504);
        assertThat(response.join().body()).contains("Timeout: request did not complete within the allotted timeout");
        release.countDown();
    }

    @Test
    void finishesWhatIsUnderWayWhenItStops() throws Exception {
        server = new TestServer(TestServer.options(), fake);
        var arrived = new Semaphore(0);
        var release = new CountDownLatch(1);
        fake.api = _ -> {
            arrived.release();
            await(release);
            return FakeBackend.one(200, FakeBackend.pod("web", 1));
        };
        var response = put("admin");
        arrived.acquire();

        int port = server.server.port();
        var stopping = Thread.ofVirtual().start(server.server::close);
        // Longer than a connection may be idle while stopping; the request is not.
        assertThat(stopping.join(Duration.ofMillis(900))).isFalse();
        release.countDown();

        assertThat(response.join().statusCode()).isEqualTo(200);
        stopping.join();
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port))
                .isInstanceOf(IOException.class);
    }

    @Test
    void tellsClientsThatTheirBodyTakesTooLong() throws Exception {
        server = new TestServer(TestServer.options().withInFlight(1, 1, 1), fake);
        try (var socket = connect()) {
            var head = "PUT " + POD + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                    + "Authorization: Bearer nobody\r\nContent-Length: 10\r\n\r\n{";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            while (!server.get("/metrics").body().contains("{request_kind=\"mutating\"} 1.0")) {
                // Until the slow one has taken the only slot.
            }
            assertThat(put("nobody").join().statusCode()).isEqualTo(429);

            server.clock.advance(Duration.ofSeconds(61));

            var reply = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            assertThat(reply).isEqualTo("HTTP/1.1 504");
        }
        awaitRoom("nobody", POD);
    }

    @Test
    void forgetsClientsThatLeaveInTheMiddleOfTheirBody() throws Exception {
        leaveInTheMiddleOfBodies(300);
    }

    @Test
    @Tag("deep")
    @Timeout(300)
    void forgetsThousandsOfClientsThatLeaveInTheMiddleOfTheirBody() throws Exception {
        leaveInTheMiddleOfBodies(5000);
    }

    /// Each time a bit differently: how they leave, how much came, how the body is announced and which way it takes.
    private void leaveInTheMiddleOfBodies(int times) throws Exception {
        server = new TestServer(TestServer.options().withInFlight(50, 50, 50), fake);
        for (int i = 0; i < times; i++) {
            try (var socket = connect()) {
                boolean isChunked = i % 2 == 0;
                var mediaType = i % 3 == 0 ? "PATCH|application/apply-patch+yaml" : "PUT|application/json";
                var head = mediaType.substring(0, mediaType.indexOf('|')) + " " + POD
                        + "?fieldManager=me HTTP/1.1\r\nHost: a\r\nContent-Type: "
                        + mediaType.substring(mediaType.indexOf('|') + 1)
                        + "\r\nAuthorization: Bearer nobody\r\n"
                        + (isChunked ? "Transfer-Encoding: chunked\r\n\r\n5000\r\n" : "Content-Length: 20480\r\n\r\n")
                        + "{".repeat(i % 7 * 2000);
                socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                if (i % 5 == 0) {
                    socket.setSoLinger(true, 0); // ends with a reset
                }
            }
        }
        // No time passes on the server's clock: nobody is helped by a timeout.
        while (!server.get("/metrics").body().contains("{request_kind=\"mutating\"} 0.0")) {
            // Until all are forgotten; the test's own timeout ends this.
        }
        assertThat(put("nobody").get().statusCode()).isEqualTo(200);
    }

    /// More of them than there are turns, and the last of each protocol leaves before its turn comes.
    @Test
    void readsFewLongTextsAtOnceAndNoneOfWhoeverLeft() throws Exception {
        server = new TestServer(TestServer.options(), fake);
        int turns = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        var arrived = new Semaphore(0);
        var release = new CountDownLatch(1);
        fake.api = call -> {
            if (call.body() instanceof Body.Text text && text.bytes().length > 1000) {
                arrived.release();
                await(release);
            }
            return FakeBackend.one(200, FakeBackend.pod("web", 1));
        };
        var waiting = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        for (int i = 0; i < turns; i++) {
            waiting.add(putLong());
        }
        arrived.acquire(turns);
        var left = connect();
        left.getOutputStream().write(longRequest());
        var reset = putLong();
        while (!server.get("/metrics").body().contains("{request_kind=\"mutating\"} " + (turns + 2) + ".0")) {
            // Until both have come.
        }
        assertThat(put("nobody").get().statusCode()).as("others are served").isEqualTo(200);

        left.close();
        reset.cancel(true);
        while (!server.get("/metrics").body().contains("{request_kind=\"mutating\"} " + turns + ".0")) {
            // Until the server knows that both have gone.
        }
        release.countDown();

        for (var each : waiting) {
            assertThat(each.get().statusCode()).isEqualTo(200);
        }
        while (!server.get("/metrics").body().contains("{request_kind=\"mutating\"} 0.0")) {
            // Until they are forgotten.
        }
        assertThat(arrived.availablePermits()).as("who left has no turn").isZero();
    }

    private static String longText() {
        return "a: b\n" + "#".repeat(200_000);
    }

    private static byte[] longRequest() {
        var text = longText();
        var head = "PUT " + POD + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/yaml\r\n"
                + "Authorization: Bearer nobody\r\nContent-Length: " + text.length() + "\r\n\r\n";
        return (head + text).getBytes(StandardCharsets.US_ASCII);
    }

    private CompletableFuture<HttpResponse<String>> putLong() {
        var request = as("nobody", POD)
                .header("Content-Type", "application/yaml")
                .PUT(HttpRequest.BodyPublishers.ofString(longText()))
                .build();
        return server.client(HttpClient.Version.HTTP_2).sendAsync(request, BodyHandlers.ofString());
    }

    @Test
    void cutsClientsThatNeverFinishTheirHeader() throws Exception {
        server = new TestServer(TestServer.options(), fake);
        try (var socket = connect()) {
            var out = socket.getOutputStream();
            out.write("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ".getBytes(StandardCharsets.US_ASCII));
            out.flush();

            assertThat(cutWhileTimePasses(socket, () -> out.write('x'))).isTrue();
        }
    }

    @Test
    void cutsClientsThatNeverFinishTheirHandshake() throws Exception {
        server = new TestServer(TestServer.options(), fake);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.server.port())) {
            assertThat(cutWhileTimePasses(socket, () -> {})).isTrue();
        }
    }

    @Test
    void keepsConnectionsThatSendRequests() throws Exception {
        server = new TestServer(TestServer.options(), fake);
        try (var socket = connect()) {
            for (int i = 0; i < 3; i++) {
                socket.getOutputStream()
                        .write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                var reply = new byte[4096];
                int count = socket.getInputStream().read(reply);
                assertThat(new String(reply, 0, count, StandardCharsets.US_ASCII))
                        .contains("200 OK");
                server.clock.advance(Duration.ofSeconds(40));
                server.get("/healthz");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/9.9\r\n\r\n",
                "NONSENSE\r\n\r\n",
                "GET /api/v1/pods HTTP/1.1\r\n\r\n",
                "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /api/v1/../../etc/passwd HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                "GET /a\0b HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                "POST /api/v1/pods HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            })
    void refusesBrokenRequests(String text) throws Exception {
        server = new TestServer(TestServer.options(), fake);
        try (var socket = connect()) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();

            var reply = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);

            assertThat(reply).matches("HTTP/1.1 (400|505)");
        }
        assertThat(fake.calls).isEmpty();
    }

    @Test
    void refusesLargeHeaders() throws Exception {
        server = new TestServer(TestServer.options(), fake);

        var response = server.client(HttpClient.Version.HTTP_1_1)
                .send(server.request(POD).header("X-Large", "x".repeat(100_000)).build(), BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(431);
        assertThat(JsonText.parseObject(response.body()).string("kind")).isEqualTo("Status");
    }

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    private boolean cutWhileTimePasses(Socket socket, Step step) throws Exception {
        socket.setSoTimeout(20);
        while (true) {
            server.clock.advance(Duration.ofSeconds(5));
            try {
                step.run();
                if (socket.getInputStream().read() < 0) {
                    return true;
                }
            } catch (SocketTimeoutException e) {
                // Still open; the test's own timeout ends this.
            } catch (IOException e) {
                return true;
            }
        }
    }

    private Socket connect() throws Exception {
        var socket = TestServer.CERTIFICATES
                .clientContext(false)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.server.port());
        ((SSLSocket) socket).startHandshake();
        return socket;
    }

    /// Whoever was answered leaves a moment later; the test's own timeout ends this.
    private void awaitRoom(String token, String path) {
        while (put(token, path).join().statusCode() != 200) {
            // Until a slot is free again.
        }
    }

    private CompletableFuture<HttpResponse<String>> put(String token) {
        return put(token, POD);
    }

    private CompletableFuture<HttpResponse<String>> put(String token, String path) {
        var request = as(token, path)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        return server.client(HttpClient.Version.HTTP_2).sendAsync(request, BodyHandlers.ofString());
    }

    private HttpRequest.Builder as(String token, String path) {
        return HttpRequest.newBuilder(server.request(path).build().uri()).header("Authorization", "Bearer " + token);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(120, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
