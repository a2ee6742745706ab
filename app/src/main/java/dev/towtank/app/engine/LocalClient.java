package dev.towtank.app.engine;

import dev.towtank.apiserver.pki.Pki;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;

/// Asks our own server over the network, as any client does.
public final class LocalClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final URI server;
    private final HttpClient http;

    private LocalClient(URI server, SSLContext tls) {
        this.server = server;
        this.http =
                HttpClient.newBuilder().sslContext(tls).connectTimeout(PATIENCE).build();
    }

    /// A nobody, who still knows the server by its authority.
    public static LocalClient anonymous(URI server, Path pki) {
        return new LocalClient(server, Pki.anonymousTls(pki));
    }

    public static LocalClient admin(URI server, Pki pki) {
        return new LocalClient(server, pki.clientTls(pki.admin()));
    }

    public HttpResponse<String> get(String path) {
        return send("GET", path, "", "");
    }

    public HttpResponse<String> send(String method, String path, String mediaType, String body) {
        var request = HttpRequest.newBuilder(server.resolve(path))
                .timeout(PATIENCE)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!mediaType.isEmpty()) {
            request.header("Content-Type", mediaType);
        }
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new NoAnswer(method + " " + server.resolve(path) + " failed: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswer(method + " " + server.resolve(path) + " was interrupted", e);
        }
    }

    /// Reads what the server streams, until a line is enough, the stream ends, or the time is over.
    public void follow(String path, Duration longest, Predicate<String> isEnough) {
        var request = HttpRequest.newBuilder(server.resolve(path))
                .timeout(longest.plus(PATIENCE))
                .build();
        try (var lines = http.send(request, BodyHandlers.ofLines()).body()) {
            var _ = lines.anyMatch(isEnough);
        } catch (UncheckedIOException e) {
            // The server ended it; what came until then counts.
        } catch (IOException e) {
            throw new NoAnswer("GET " + server.resolve(path) + " failed: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswer("GET " + server.resolve(path) + " was interrupted", e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    /// The server could not be reached, or not in time.
    public static final class NoAnswer extends RuntimeException {
        private static final long serialVersionUID = 1;

        public NoAnswer(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
