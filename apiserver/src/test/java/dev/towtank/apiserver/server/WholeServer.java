package dev.towtank.apiserver.server;

import dev.towtank.apiserver.audit.AuditSink;
import dev.towtank.apiserver.http.Backend;
import dev.towtank.apiserver.http.Health;
import dev.towtank.apiserver.http.HttpServer;
import dev.towtank.apiserver.http.OpenApiDocuments;
import dev.towtank.apiserver.http.Options;
import dev.towtank.apiserver.http.Tls;
import dev.towtank.apiserver.metrics.ServerMetrics;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.model.Schemas;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLSocket;

/// Everything that answers requests, on a store in memory, and clients of it.
final class WholeServer implements AutoCloseable {

    final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    final Pki pki;
    final ApiServer server;
    final HttpClient client;
    private final HttpServer http;

    WholeServer(Path directory, Options options) throws IOException {
        InstantSource clock = now::get;
        pki = Pki.open(directory, clock, List.of());
        server = new ApiServer(
                JournaledStore.inMemory(), pki.tokenKeys(), pki.authorityPem(), pki.adminToken(), clock, new Random(5));
        var backend = new Backend(
                server.api(),
                server.catalog(),
                server.authenticator(),
                server.authorizer(),
                new OpenApiDocuments(server.catalog(), Schemas.builtin(), server.catalog()::schema),
                server.openId(),
                Health.ALWAYS,
                new ServerMetrics(),
                AuditSink.OFF,
                Optional.empty(),
                List::of);
        http = new HttpServer(options, this::tls, backend, clock, clock);
        http.start();
        server.start();
        client = HttpClient.newBuilder().sslContext(Pki.anonymousTls(directory)).build();
    }

    private Tls tls() {
        var serving = pki.serving();
        return new Tls(serving.privateKey(), List.of(serving.certificate(), pki.authority()), List.of(pki.authority()));
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + http.port() + path))
                .header("Authorization", "Bearer " + pki.adminToken());
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError("no answer", e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    HttpResponse<String> get(String path) {
        return send(request(path));
    }

    HttpResponse<String> send(String method, String path, String type, byte[] body) {
        return send(request(path).header("Content-Type", type).method(method, BodyPublishers.ofByteArray(body)));
    }

    HttpResponse<String> post(String path, String json) {
        return send("POST", path, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    /// A connection over which anything can be said.
    Socket connect(int receiveBuffer) throws IOException {
        var plain = new Socket();
        if (receiveBuffer > 0) {
            plain.setReceiveBufferSize(receiveBuffer);
        }
        plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), http.port()));
        var socket = (SSLSocket)
                pki.clientTls(pki.admin()).getSocketFactory().createSocket(plain, "127.0.0.1", http.port(), true);
        socket.setSoTimeout(120_000);
        socket.startHandshake();
        return socket;
    }

    @Override
    public void close() {
        client.shutdownNow();
        http.close();
        server.close();
    }
}
