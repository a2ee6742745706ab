package dev.towtank.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.pki.Pki;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateRenewalTest {

    @TempDir
    Path data;

    /// Most of the year that a certificate is good for, and not all: clients judge by the real time.
    private static final Duration LONG = Duration.ofDays(345);

    private final AtomicReference<Instant> now =
            new AtomicReference<>(Instant.now().minus(LONG));

    @Test
    void newConnectionsSeeTheNewCertificateAndOldOnesGoOn() throws Exception {
        var pki = Pki.open(data.resolve("pki"), now::get, List.of());
        try (var server =
                new HttpServer(TestServer.options(), () -> tls(pki), new FakeBackend().backend(), now::get, now::get)) {
            server.start();
            try (var first = connect(server)) {
                var before = certificate(first);
                assertThat(ask(first)).isEqualTo("HTTP/1.1 200 OK");

                now.set(now.get().plus(LONG));

                var after = before;
                long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
                while (after.equals(before) && System.nanoTime() < end) {
                    try (var next = connect(server)) {
                        after = certificate(next);
                    }
                }
                assertThat(after.getSerialNumber()).isNotEqualTo(before.getSerialNumber());
                assertThat(after.getNotAfter()).isAfter(before.getNotAfter());
                assertThat(ask(first)).isEqualTo("HTTP/1.1 200 OK");
            }
        }
    }

    private static Tls tls(Pki pki) {
        var serving = pki.serving();
        return new Tls(serving.privateKey(), List.of(serving.certificate(), pki.authority()), List.of(pki.authority()));
    }

    private SSLSocket connect(HttpServer server) throws Exception {
        var socket = (SSLSocket)
                Pki.anonymousTls(data.resolve("pki")).getSocketFactory().createSocket("127.0.0.1", server.port());
        socket.setSoTimeout(120_000);
        socket.startHandshake();
        return socket;
    }

    private static X509Certificate certificate(SSLSocket socket) throws Exception {
        return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }

    /// The first line of the answer; the rest is read, too.
    private static String ask(SSLSocket socket) throws Exception {
        socket.getOutputStream()
                .write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        var lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        var first = lines.readLine();
        while (!lines.readLine().isEmpty()) {
            // headers
        }
        lines.skip(2);
        return first;
    }
}
