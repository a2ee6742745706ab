package dev.towtank.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Answer;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Logs, exec, attach and port-forward as clients speak them.
class PodConnectionsTest {

    private static final String POD = "/api/v1/namespaces/default/pods/web/";

    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer();
        server.fake.api =
                _ -> new Answer.Connected(new Resource(LogicalCluster.DEFAULT, FakeBackend.pod("web", 7)), List.of());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void sendsTheLog() throws Exception {
        var response = server.get(POD + "log?container=main&tailLines=5");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).contains("text/plain");
        assertThat(response.body()).isEqualTo("one\ntwo\n");
        assertThat(server.fake.pods.seen.take()).isEqualTo("log main OptionalLong[5]");
    }

    @Test
    void refusesLogsThatMakeNoSense() throws Exception {
        var response = server.get(POD + "log?tailLines=-1&sinceSeconds=0");

        assertThat(response.statusCode()).isEqualTo(422);
        assertThat(response.body())
                .contains("tailLines: Invalid value: -1: must be greater than or equal to 0")
                .contains("sinceSeconds: Invalid value: 0: must be greater than 0");
    }

    @Test
    void runsACommandOverWebSocket() throws Exception {
        var client = WebSocketClient.connect(
                server,
                POD + "exec?command=cat&command=-&stdin=true&stdout=true&stderr=true&tty=true",
                "v5.channel.k8s.io");
        client.send(0, "hello");
        client.send(4, "{\"Width\":80,\"Height\":24}\n");
        client.awaitText(1, "hello");
        client.socket
                .sendBinary(ByteBuffer.wrap(new byte[] {(byte) 255, 0}), true)
                .join();
        client.closed.join();

        assertThat(client.text(2)).isEqualTo("ready");
        assertThat(JsonText.parseObject(client.text(3)).string("status")).isEqualTo("Success");
        assertThat(server.fake.pods.seen).contains("exec [cat, -]", "resize [80, 24]");
    }

    @Test
    void tellsTheExitCode() throws Exception {
        server.fake.pods.exitCode = 3;
        var client = WebSocketClient.connect(
                server, POD + "exec?command=cat&stdin=true&stdout=true&stderr=true", "v5.channel.k8s.io");
        client.socket
                .sendBinary(ByteBuffer.wrap(new byte[] {(byte) 255, 0}), true)
                .join();
        client.closed.join();

        var status = JsonText.parseObject(client.text(3));
        assertThat(status.string("reason")).isEqualTo("NonZeroExitCode");
        assertThat(status.objects("details", "causes"))
                .containsExactly(Json.Obj.of("reason", Json.of("ExitCode"), "message", Json.of("3")));
    }

    @Test
    void forwardsPortsInChannels() throws Exception {
        var client = WebSocketClient.connect(server, POD + "portforward?ports=8080", "v4.channel.k8s.io");
        client.awaitBytes(1, 2);
        client.send(0, "ping");
        client.awaitBytes(0, 6);

        assertThat(client.received.get(0)).startsWith((byte) 0x90, (byte) 0x1f).endsWith('p', 'i', 'n', 'g');
        client.socket.abort();
    }

    @Test
    void needsAnUpgrade() throws Exception {
        var request = server.request(POD + "exec?command=ls&stdout=true").POST(BodyPublishers.noBody());

        var response = server.send(request);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("Upgrade request required");
    }

    /// Collects what comes on each channel.
    private static final class WebSocketClient implements WebSocket.Listener {
        final Map<Integer, byte[]> received = new HashMap<>();
        final CompletableFuture<Integer> closed = new CompletableFuture<>();
        private int channel = -1;
        WebSocket socket;

        static WebSocketClient connect(TestServer server, String path, String protocol) throws Exception {
            var client = new WebSocketClient();
            client.socket = server.client(HttpClient.Version.HTTP_1_1)
                    .newWebSocketBuilder()
                    .header("Authorization", "Bearer admin")
                    .subprotocols(protocol)
                    .buildAsync(URI.create("wss://localhost:" + server.server.port() + path), client)
                    .join();
            assertThat(client.socket.getSubprotocol()).isEqualTo(protocol);
            return client;
        }

        void send(int number, String text) {
            var bytes = text.getBytes(StandardCharsets.UTF_8);
            var message =
                    ByteBuffer.allocate(1 + bytes.length).put((byte) number).put(bytes);
            socket.sendBinary(message.flip(), true).join();
        }

        synchronized String text(int number) {
            return new String(received.getOrDefault(number, new byte[0]), StandardCharsets.UTF_8);
        }

        synchronized void awaitText(int number, String text) throws InterruptedException {
            while (!text(number).equals(text)) {
                wait();
            }
        }

        synchronized void awaitBytes(int number, int count) throws InterruptedException {
            while (received.getOrDefault(number, new byte[0]).length < count) {
                wait();
            }
        }

        @Override
        public synchronized CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
            if (channel < 0) {
                channel = data.get();
            }
            var bytes = new byte[data.remaining()];
            data.get(bytes);
            received.merge(
                    channel,
                    bytes,
                    (a, b) -> ByteBuffer.allocate(a.length + b.length)
                            .put(a)
                            .put(b)
                            .array());
            channel = last ? -1 : channel;
            notifyAll();
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            closed.complete(status);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void onError(WebSocket from, Throwable error) {
            closed.completeExceptionally(error);
        }
    }
}
