package dev.towtank.controllers.models.source;

import dev.towtank.cluster.Timers;
import dev.towtank.controllers.git.source.NetworkWords;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/// Posts JSON to web servers, and tries again a few times.
public final class Messenger implements AutoCloseable {

    private static final int ATTEMPTS = 4;
    private static final Duration FIRST_WAIT = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Timers timers;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(PATIENCE)
            .build();

    public Messenger(Timers timers) {
        this.timers = timers;
    }

    /// Why it was not taken; empty where it was.
    public String post(URI address, Map<String, String> headers, Json body) throws InterruptedException {
        var request = HttpRequest.newBuilder(address)
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .header("User-Agent", "towtank")
                .POST(HttpRequest.BodyPublishers.ofByteArray(JsonText.bytes(body)));
        headers.forEach(request::header);
        var problem = "";
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (attempt > 0) {
                timers.pause(FIRST_WAIT.multipliedBy(1L << attempt));
            }
            problem = attempt(request.build());
            if (problem.isEmpty()) {
                break;
            }
        }
        return problem;
    }

    private String attempt(HttpRequest request) throws InterruptedException {
        try {
            int code =
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            return code / 100 == 2 ? "" : "it answers " + code;
        } catch (IOException e) {
            return NetworkWords.words(e, String.valueOf(request.uri().getHost()));
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
