package dev.towtank.cluster.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Calls of something that answers byte by byte what a test wants it to.
class HttpCallsTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final AtomicInteger connections = new AtomicInteger();
    private final HttpCalls calls = HttpCalls.plain();
    private ServerSocket server;

    @BeforeEach
    void open() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        calls.close();
        server.close();
    }

    /// Each connection gets the answers of its turn, one for each request, and is closed behind them.
    private void answers(List<List<String>> turns) {
        Thread.ofVirtual().start(() -> {
            for (var turn : turns) {
                try (var socket = server.accept()) {
                    connections.incrementAndGet();
                    serve(socket, turn);
                } catch (IOException e) {
                    return; // the test is over
                }
            }
        });
    }

    private static void serve(Socket socket, List<String> turn) throws IOException {
        for (var answer : turn) {
            if (!asked(socket.getInputStream())) {
                return;
            }
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    /// Reads to the empty line.
    private static boolean asked(InputStream in) throws IOException {
        int last = 0;
        for (int next = in.read(); next >= 0; next = in.read()) {
            last = next == '\r' || next == '\n' ? last + 1 : 0;
            if (last == 4) {
                return true;
            }
        }
        return false;
    }

    private String ask(Duration timeout) throws IOException {
        var authority = "127.0.0.1:" + server.getLocalPort();
        var answer = calls.send(new HttpCalls.Message(authority, "GET", "/").repeatable(), timeout);
        var out = new ByteArrayOutputStream();
        answer.body().writeTo(out);
        return answer.status() + " " + out.toString(StandardCharsets.UTF_8) + " "
                + answer.headers().stream().map(WebResponse.Header::name).toList();
    }

    private static final String GOOD = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

    @Test
    void aConnectionIsUsedAgain() throws IOException {
        answers(List.of(List.of(GOOD, GOOD)));

        assertThat(ask(LONG)).isEqualTo("200 hi [Content-Length]");
        assertThat(ask(LONG)).isEqualTo("200 hi [Content-Length]");
        assertThat(connections).hasValue(1);
    }

    @Test
    void oneThatWasClosedMeanwhileIsNoFailure() throws IOException {
        answers(List.of(List.of(GOOD), List.of(GOOD)));

        assertThat(ask(LONG)).startsWith("200");
        assertThat(ask(LONG)).startsWith("200");
        assertThat(connections).hasValue(2);
    }

    @Test
    void oneThatIsToBeClosedIsNotUsedAgain() throws IOException {
        var last = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi";
        answers(List.of(List.of(last, last), List.of(GOOD)));

        ask(LONG);
        ask(LONG);
        assertThat(connections).hasValue(2);
    }

    @Test
    void bodiesComeInPiecesOrToTheEndOrNotAtAll() throws IOException {
        answers(List.of(List.of(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhi\r\n3\r\n yo\r\n0\r\nTrailer: x\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
                "HTTP/1.0 500\r\n\r\nall that comes")));

        assertThat(ask(LONG)).isEqualTo("200 hi yo [Transfer-Encoding]");
        assertThat(ask(LONG)).isEqualTo("204  []");
        assertThat(ask(LONG)).isEqualTo("500 all that comes []");
        assertThat(connections).hasValue(1);
    }

    @Test
    void whoDoesNotAnswerInTimeIsLate() {
        assertThatThrownBy(() -> {
                    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                        var authority = "127.0.0.1:" + silent.getLocalPort();
                        calls.send(new HttpCalls.Message(authority, "GET", "/"), Duration.ofMillis(50));
                    }
                })
                .isInstanceOf(HttpCalls.Late.class);
    }

    @Test
    void whatIsNoAnswerIsAFailure() {
        answers(List.of(
                List.of("220 mail ready\r\n\r\n"),
                List.of("HTTP/1.1 200 OK\r\nno header\r\n\r\n"),
                List.of("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhi"),
                List.of("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nhi"),
                List.of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
                List.of("HTTP/1.1 200 OK\r\nX: " + "x".repeat(20_000) + "\r\n\r\n"),
                List.of()));

        for (int i = 0; i < 7; i++) {
            assertThatThrownBy(() -> ask(LONG)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void whatMayNotBeDoneTwiceIsNotSentAgain() throws IOException {
        answers(List.of(List.of(GOOD), List.of(GOOD)));
        var message = new HttpCalls.Message("127.0.0.1:" + server.getLocalPort(), "POST", "/");

        calls.send(message, LONG);
        assertThatThrownBy(() -> calls.send(message, LONG)).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "/ HTTP/1.1\r\nX: y", "/a b", "/\u00e9"})
    void noTargetEndsTheLine(String target) {
        assertThatThrownBy(() -> new HttpCalls.Message("h:1", "GET", target))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void noHeaderEndsTheLine() {
        var message = new HttpCalls.Message("h:1", "GET", "/");

        assertThatThrownBy(() -> message.header("X", "a\r\nY: b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.header("X: a\r\nY", "b")).isInstanceOf(IllegalArgumentException.class);
        assertThat(message.header("X", "caf\u00e9\t1")).isSameAs(message);
    }
}
