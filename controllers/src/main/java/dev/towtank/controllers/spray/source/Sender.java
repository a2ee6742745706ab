package dev.towtank.controllers.spray.source;

import dev.towtank.cluster.Meters;
import dev.towtank.controllers.spray.SprayedEvent;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLContext;

/// Sends events to backends, and counts.
public final class Sender implements AutoCloseable {

    private static final List<Double> SECONDS = List.of(0.005, 0.05, 0.5, 5.0);
    private static final int MOST_OF_AN_ANSWER = 64 * 1024;

    private final HttpClient client;
    private final Duration patience;
    private final Meters.Count forwarded;
    private final Meters.Distribution times;
    private final InstantSource clock;

    public Sender(SSLContext tls, Duration patience, Meters meters, InstantSource clock) {
        this.client = HttpClient.newBuilder()
                .sslContext(tls)
                .connectTimeout(patience)
                .followRedirects(HttpClient.Redirect.NEVER)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        this.patience = patience;
        this.clock = clock;
        this.forwarded = meters.counter(
                "sprayproxy_http_forwarded_requests_total", "Number of outgoing requests forwarded.", "host", "error");
        this.times = meters.histogram(
                "sprayproxy_http_response_time_duration_seconds",
                "Histogram of response times for forwarded requests.",
                SECONDS);
    }

    Backends.Outcome send(URI backend, SprayedEvent event) throws InterruptedException {
        var begun = clock.instant();
        var outcome = sent(backend, event);
        forwarded.count(
                backend.getAuthority(),
                switch (outcome) {
                    case Backends.Outcome.Taken _ -> "none";
                    case Backends.Outcome.Refused _ -> "http-error";
                    case Backends.Outcome.Failed _ -> "non-http-error";
                });
        if (!(outcome instanceof Backends.Outcome.Failed)) {
            times.observe(Duration.between(begun, clock.instant()).toNanos() / 1e9);
        }
        return outcome;
    }

    private Backends.Outcome sent(URI backend, SprayedEvent event) throws InterruptedException {
        try {
            var request = HttpRequest.newBuilder(address(backend, event))
                    .timeout(patience)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(event.body()));
            event.headers().forEach((name, values) -> values.forEach(value -> request.header(name, value)));
            var response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            try (var body = response.body()) {
                body.readNBytes(MOST_OF_AN_ANSWER);
            }
            return response.statusCode() >= 400
                    ? new Backends.Outcome.Refused(response.statusCode())
                    : new Backends.Outcome.Taken();
        } catch (IOException | IllegalArgumentException e) {
            return new Backends.Outcome.Failed(
                    e.getClass().getSimpleName() + (e.getMessage() == null ? "" : ": " + e.getMessage()));
        }
    }

    /// Where the backend's address has a path, events go below it.
    private static URI address(URI backend, SprayedEvent event) {
        var base = backend.getRawPath() == null ? "" : backend.getRawPath().replaceFirst("/+$", "");
        var path = event.path().isEmpty() ? "/" : event.path();
        return URI.create(backend.getScheme() + "://" + backend.getRawAuthority()
                + (base.isEmpty() ? path : path.equals("/") ? base : base + path)
                + (event.query().isEmpty() ? "" : "?" + event.query()));
    }

    Instant now() {
        return clock.instant();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
