package dev.towtank.app.engine;

import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;

/// Logs of pods of a server elsewhere; nothing else of them.
public final class RemoteLogs implements PodAccess, AutoCloseable {

    private final URI server;
    private final HttpClient http;

    public RemoteLogs(URI server, SSLContext tls) {
        this.server = server;
        this.http = HttpClient.newBuilder().sslContext(tls).build();
    }

    @Override
    public InputStream log(Resource pod, LogRequest request) {
        var path = "/api/v1/namespaces/%s/pods/%s/log?container=%s&follow=%s"
                .formatted(pod.namespace(), pod.name(), request.container(), request.follow());
        try {
            var answer = http.send(HttpRequest.newBuilder(server.resolve(path)).build(), BodyHandlers.ofInputStream());
            if (answer.statusCode() == 200) {
                return answer.body();
            }
            try (var body = answer.body()) {
                throw StatusError.badRequest(new String(body.readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted", e));
        }
    }

    @Override
    public Session exec(Resource pod, ExecRequest request) {
        throw new UnsupportedOperationException("logs only");
    }

    @Override
    public Session attach(Resource pod, ExecRequest request) {
        throw new UnsupportedOperationException("logs only");
    }

    @Override
    public Connection connect(Resource pod, int port) {
        throw new UnsupportedOperationException("logs only");
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
