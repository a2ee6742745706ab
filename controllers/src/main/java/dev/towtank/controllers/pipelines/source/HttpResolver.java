package dev.towtank.controllers.pipelines.source;

import dev.towtank.controllers.pipelines.runs.ChildNames;
import dev.towtank.model.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Fetches a definition from a web server.
public final class HttpResolver implements Resolver {

    @Override
    public Answer resolve(Question question) throws Problem, InterruptedException {
        var url = question.required("url");
        var request = request(question, url);
        try (var client = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .connectTimeout(question.limit())
                .build()) {
            var response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (var body = response.body()) {
                if (response.statusCode() != 200) {
                    throw new Problem(
                            "requested URL '%s' is not found: status %d".formatted(url, response.statusCode()));
                }
                var bytes = body.readNBytes(LARGEST + 1);
                if (bytes.length > LARGEST) {
                    throw new Problem("what is at '%s' is larger than %d bytes".formatted(url, LARGEST));
                }
                return checked(question, url, new String(bytes, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new Problem("error fetching URL: " + e.getMessage());
        }
    }

    private static HttpRequest request(Question question, String url) throws Problem {
        try {
            var uri = URI.create(url);
            if (!"http".equals(uri.getScheme()) && !"https".equals(uri.getScheme())) {
                throw new Problem("url %s is not a valid http(s) url".formatted(url));
            }
            var request = HttpRequest.newBuilder(uri).timeout(question.limit()).GET();
            var user = question.optional("http-username");
            if (user.isPresent()) {
                var key = question.optional("http-password-secret-key").orElse("password");
                var password = question.secret().apply(question.required("http-password-secret"), key);
                if (password.isEmpty()) {
                    throw new Problem("cannot get API token, secret %s has no key %s"
                            .formatted(question.required("http-password-secret"), key));
                }
                var both = (user.get() + ":" + password).getBytes(StandardCharsets.UTF_8);
                request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(both));
            }
            return request.build();
        } catch (IllegalArgumentException e) {
            throw new Problem("url %s is not a valid http(s) url".formatted(url));
        }
    }

    private static Answer checked(Question question, String url, String text) throws Problem {
        var digest = ChildNames.digest("SHA-256", text);
        var expected = question.optional("digest");
        if (expected.isPresent() && !expected.get().equals("sha256:" + digest)) {
            throw new Problem(
                    "SHA mismatch, expected %s, got %s".formatted(expected.get().replace("sha256:", ""), digest));
        }
        return new Answer(text, Json.Obj.of("uri", Json.of(url), "digest", Json.Obj.of("sha256", Json.of(digest))));
    }
}
