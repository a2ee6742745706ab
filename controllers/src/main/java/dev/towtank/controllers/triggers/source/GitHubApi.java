package dev.towtank.controllers.triggers.source;

import dev.towtank.controllers.git.source.Rewrites;
import dev.towtank.controllers.triggers.events.EventRefusal;
import dev.towtank.controllers.triggers.events.GitHub;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.Supplier;

/// Asks GitHub, or what stands in its place.
record GitHubApi(Supplier<HttpClient> client, Supplier<Rewrites> rewrites) implements GitHub {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int LARGEST_ANSWER = 8 << 20;

    @Override
    public Answer get(String host, String path, String token) throws EventRefusal {
        var base = host.isEmpty() ? "https://api.github.com" : "https://" + host + "/api/v3";
        try {
            var request = HttpRequest.newBuilder(URI.create(rewrites.get().of(base + path)))
                    .timeout(PATIENCE)
                    .header("Accept", "application/vnd.github+json")
                    .header("User-Agent", "towtank-triggers");
            if (!token.isEmpty()) {
                request.header("Authorization", "Bearer " + token);
            }
            var answer = client.get()
                    .send(
                            request.build(),
                            HttpResponse.BodyHandlers.limiting(
                                    HttpResponse.BodyHandlers.ofByteArray(), LARGEST_ANSWER));
            return new Answer(answer.statusCode(), json(answer.body()));
        } catch (IllegalArgumentException e) {
            throw new EventRefusal(
                    EventRefusal.Code.FAILED_PRECONDITION, "the token or address for GitHub cannot be used");
        } catch (IOException e) {
            throw new EventRefusal(
                    EventRefusal.Code.UNAVAILABLE,
                    (host.isEmpty() ? "GitHub" : host) + " does not answer: "
                            + e.getClass().getSimpleName());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EventRefusal(EventRefusal.Code.UNAVAILABLE, "the listener was closed while GitHub was asked");
        }
    }

    private static Json json(byte[] body) {
        try {
            return JsonText.parse(body);
        } catch (JsonText.Malformed e) {
            return Json.Null.NULL;
        }
    }
}
