package dev.towtank.node.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class ListeningSocketsTest {

    @Test
    void areThoseOfThisProcessOnTheLoopback() throws Exception {
        try (var local = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
                var everywhere = new ServerSocket(0);
                var talking = new Socket(local.getInetAddress(), local.getLocalPort())) {
            assertThat(ListeningSockets.onLoopback())
                    .contains(local.getLocalPort())
                    .doesNotContain(everywhere.getLocalPort(), talking.getLocalPort());
        }
    }
}
