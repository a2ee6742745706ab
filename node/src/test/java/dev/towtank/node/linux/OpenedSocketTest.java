package dev.towtank.node.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class OpenedSocketTest {

    private static final InetAddress LOCAL = InetAddress.getLoopbackAddress();

    private static OpenedSocket open() throws IOException {
        return new OpenedSocket((int) Call.SOCKET.call(
                "open a socket", OpenedSocket.FAMILY, OpenedSocket.STREAM | OpenedSocket.NEVER_BLOCKS, 0));
    }

    /// Takes as many as may wait, and nobody accepts them: whoever else comes is not let in.
    private static List<OpenedSocket> fill(ServerSocket server) throws IOException {
        var waiting = new ArrayList<OpenedSocket>();
        for (int i = 0; i < 2; i++) {
            waiting.add(open());
            waiting.getLast().connect(new InetSocketAddress(LOCAL, server.getLocalPort()), 1000);
        }
        return waiting;
    }

    /// The kernel reports a new socket as writable, and on a busy machine that comes late: while it is being connected.
    @Test
    void isNotConnectedBecauseSomethingWasReported() throws Exception {
        try (var server = new ServerSocket(0, 1, LOCAL)) {
            var waiting = fill(server);
            var socket = open();
            var attempt = new FutureTask<>(() -> {
                socket.connect(new InetSocketAddress(LOCAL, server.getLocalPort()), 200);
                return "connected";
            });
            var thread = Thread.ofPlatform().start(attempt);
            while (!attempt.isDone()) {
                socket.watch.changed();
                Thread.onSpinWait();
            }
            thread.join();
            assertThatThrownBy(attempt::get).hasCauseInstanceOf(SocketTimeoutException.class);
            socket.close();
            waiting.forEach(OpenedSocket::close);
        }
    }

    @Test
    void isConnectedWhenTheOtherSideHasTakenIt() throws Exception {
        try (var server = new ServerSocket(0, 1, LOCAL)) {
            var socket = open();
            socket.connect(new InetSocketAddress(LOCAL, server.getLocalPort()), 1000);
            socket.stayInTouch();
            assertThat(socket.remote().getPort()).isEqualTo(server.getLocalPort());
            assertThat(socket.option(OpenedSocket.SOCKETS, OpenedSocket.KEEP_ALIVE))
                    .as("whether the other side is still there is asked now and then")
                    .isOne();
            socket.close();
        }
    }
}
