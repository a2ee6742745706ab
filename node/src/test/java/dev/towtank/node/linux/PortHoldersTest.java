package dev.towtank.node.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class PortHoldersTest {

    private static final Inet4Address SERVICE = Inet4Address.ofLiteral("127.96.7.9");
    private static final int ME = (int) ProcessHandle.current().pid();

    @Test
    void whoListensThereIsFound() throws IOException {
        try (var socket = new ServerSocket(0, 1, SERVICE);
                var everywhere = new ServerSocket(0);
                var datagrams = new DatagramSocket(new InetSocketAddress(SERVICE, 0))) {
            assertThat(PortHolders.of(false, SERVICE, socket.getLocalPort(), false))
                    .containsExactly(ME);
            assertThat(PortHolders.of(true, SERVICE, datagrams.getLocalPort(), false))
                    .containsExactly(ME);
            assertThat(PortHolders.of(false, SERVICE, everywhere.getLocalPort(), true))
                    .containsExactly(ME);
            assertThat(PortHolders.of(false, SERVICE, everywhere.getLocalPort(), false))
                    .isEmpty();
        }
    }

    @Test
    void whoOnlyTalksThereIsNot() throws IOException {
        int port;
        try (var socket = new ServerSocket(0, 1, SERVICE)) {
            port = socket.getLocalPort();
            try (var client = new Socket(SERVICE, port);
                    var accepted = socket.accept()) {
                assertThat(PortHolders.of(false, SERVICE, client.getLocalPort(), false))
                        .isEmpty();
                assertThat(accepted.getLocalPort()).isEqualTo(port);
            }
        }
        assertThat(PortHolders.of(false, SERVICE, port, false)).isEmpty();
    }
}
