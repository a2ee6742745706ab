package dev.towtank.node.probes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrpcProbeTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String SETTINGS = frame(4, 0, 0, "");

    /// Answers one call with these frames, in hexadecimal, and gives what it was asked.
    private static final class Server implements AutoCloseable {
        private final ServerSocket socket;
        private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
        private final Thread thread;

        Server(String... frames) throws IOException {
            socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            thread = Thread.ofVirtual().start(() -> {
                try (var client = socket.accept()) {
                    var in = new DataInputStream(client.getInputStream());
                    heard.writeBytes(in.readNBytes(24));
                    client.getOutputStream().write(HexFormat.of().parseHex(SETTINGS));
                    // Settings, headers, data.
                    for (int i = 0; i < 3; i++) {
                        var head = in.readNBytes(9);
                        heard.writeBytes(in.readNBytes((head[1] & 0xff) << 8 | (head[2] & 0xff)));
                    }
                    for (var frame : frames) {
                        client.getOutputStream().write(HexFormat.of().parseHex(frame));
                    }
                    in.readAllBytes();
                } catch (IOException e) {
                    // the test sees what came of it
                }
            });
        }

        ProbeOutcome ask(String service) throws InterruptedException {
            var outcome = new Prober("127.0.0.1").grpc(new Check.Grpc(socket.getLocalPort(), service), TIMEOUT);
            thread.join();
            return outcome;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static String frame(int type, int flags, int stream, String payload) {
        var bytes = HexFormat.of().parseHex(payload);
        return HexFormat.of()
                        .formatHex(ByteBuffer.allocate(9)
                                .put((byte) 0)
                                .putShort((short) bytes.length)
                                .put((byte) type)
                                .put((byte) flags)
                                .putInt(stream)
                                .array())
                + payload;
    }

    private static String headers(int flags, HeaderBlock.Writer block) {
        return frame(1, flags, 1, HexFormat.of().formatHex(block.bytes()));
    }

    private static String trailers(String code, String message) {
        return headers(5, new HeaderBlock.Writer().header("grpc-status", code).header("grpc-message", message));
    }

    private static String begin() {
        return headers(4, new HeaderBlock.Writer().fixed(8).named(HeaderBlock.CONTENT_TYPE, "application/grpc"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            0801 | true
            0802 | service unhealthy (responded with "NOT_SERVING")
            0803 | service unhealthy (responded with "SERVICE_UNKNOWN")
            0804 | service unhealthy (responded with "4")
            ``   | service unhealthy (responded with "UNKNOWN")
            """)
    void judgesTheStatusOfTheService(String message, String expected) throws Exception {
        var length = "%08x".formatted(message.length() / 2);
        try (var server = new Server(
                frame(6, 0, 0, "0102030405060708"),
                begin(),
                frame(8, 0, 0, "00000400"),
                frame(0, 0, 1, "00" + length),
                frame(0, 8, 1, "02" + message + "0000"),
                trailers("0", ""))) {
            var outcome = server.ask("shop");
            assertThat(outcome.success() ? "true" : outcome.output()).isEqualTo(expected);
            assertThat(server.heard.toString(StandardCharsets.ISO_8859_1))
                    .startsWith("PRI * HTTP/2.0")
                    .contains("/grpc.health.v1.Health/Check", "kube-probe/1.35", "trailers", "5000m")
                    .endsWith("\0\0\0\0\6\n\4shop");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            12 | unknown%20service | error: this server does not implement the grpc health protocol (grpc.health.v1.Health): unknown service
            4  | late              | timeout: health rpc did not complete within 5s
            5  | unknown+service   | error: health rpc probe failed: rpc error: code = NotFound desc = unknown+service
            99 | %                 | error: health rpc probe failed: rpc error: code = Code(99) desc = %
            """)
    void tellsWhyTheCallFailed(String code, String message, String expected) throws Exception {
        try (var server = new Server(trailers(code, message))) {
            assertThat(server.ask("").output()).isEqualTo(expected);
        }
    }

    @Test
    void understandsServersThatAreNotOfGrpc() throws Exception {
        try (var server = new Server(headers(5, new HeaderBlock.Writer().fixed(13)))) {
            assertThat(server.ask("").output())
                    .isEqualTo("error: this server does not implement the grpc health protocol"
                            + " (grpc.health.v1.Health): unexpected HTTP status code received from server: 404");
        }
        try (var server = new Server(frame(3, 0, 1, "00000007"))) {
            assertThat(server.ask("").output())
                    .endsWith("code = Unavailable desc = stream terminated by RST_STREAM" + " with error code: 7");
        }
    }

    @Test
    void tellsThatNobodyIsThere() throws Exception {
        int port;
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = server.getLocalPort();
        }
        assertThat(new Prober("127.0.0.1")
                        .grpc(new Check.Grpc(port, ""), TIMEOUT)
                        .message(Probe.Purpose.LIVENESS))
                .isEqualTo("Liveness probe failed: timeout: failed to connect service \"127.0.0.1:" + port
                        + "\" within 5s: context deadline exceeded");
    }

    /// From the examples of RFC 7541.
    @ParameterizedTest
    @CsvSource({"f1e3c2e5f23a6ba0ab90f4ff, www.example.com", "a8eb10649cbf, no-cache", "6402, 302", "'', ''"})
    void unpacksTexts(String packed, String text) throws IOException {
        assertThat(HuffmanCode.unpacked(HexFormat.of().parseHex(packed)))
                .asString()
                .isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"ff", "ffffffffff", "18", "00"})
    void refusesTextsThatArePackedWrongly(String packed) {
        assertThatThrownBy(() -> HuffmanCode.unpacked(HexFormat.of().parseHex(packed)))
                .hasMessageContaining("packed wrongly");
    }

    @ParameterizedTest
    @CsvSource({"00", "ff", "be", "000161", "7fffffffffff", "0f0181", "00857f"})
    void refusesHeadersThatMakeNoSense(String block) {
        assertThatThrownBy(() -> HeaderBlock.read(HexFormat.of().parseHex(block)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("malformed header");
    }
}
