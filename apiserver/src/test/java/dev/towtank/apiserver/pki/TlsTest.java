package dev.towtank.apiserver.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
    @TempDir
    Path data;

    private final InstantSource clock = InstantSource.system();

    @Test
    void aClientOfOurAuthorityIsKnownByName() throws Exception {
        var pki = Pki.open(data.resolve("pki"), clock, List.of());
        var client = pki.issueClient("jane", List.of("dev"), Duration.ofHours(1));

        assertThat(handshake(pki.serverTls(), pki.clientTls(client))).isEqualTo("CN=jane, O=dev");
    }

    @Test
    void aClientOfAnotherAuthorityIsRefused() {
        var pki = Pki.open(data.resolve("pki"), clock, List.of());
        var other = Pki.open(data.resolve("other"), clock, List.of());

        assertThatThrownBy(() -> handshake(pki.serverTls(), pki.clientTls(other.admin())))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("PKIX path validation failed");
    }

    /// The subject of the client as the server sees it.
    private static String handshake(SSLContext server, SSLContext client) throws Exception {
        var address = InetAddress.getLoopbackAddress();
        try (var listening = (SSLServerSocket) server.getServerSocketFactory().createServerSocket(0, 1, address)) {
            listening.setNeedClientAuth(true);
            var calling = Thread.startVirtualThread(() -> call(client, address, listening.getLocalPort()));
            try (var accepted = (SSLSocket) listening.accept()) {
                accepted.startHandshake();
                var subject = accepted.getSession().getPeerPrincipal().toString();
                accepted.getOutputStream().write('!');
                return subject;
            } finally {
                calling.join();
            }
        }
    }

    private static void call(SSLContext client, InetAddress address, int port) {
        try (var socket = (SSLSocket) client.getSocketFactory().createSocket(address, port)) {
            var parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            assertThat(socket.getInputStream().read()).isEqualTo('!');
        } catch (IOException e) {
            // The server's side of the story is the one that is asserted.
        }
    }
}
