package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Requests to a forge, bounded, with a token that is told to nobody else.
final class ForgeHttp {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int LARGEST = 16 << 20;

    /// Made when the first event comes.
    private static final class Shared {
        // Never follows to another host: the token would go there.
        private static final HttpClient CLIENT = HttpClient.newBuilder()
                .connectTimeout(PATIENCE)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    private final String token;
    private final boolean isGitLab;

    ForgeHttp(String token, boolean isGitLab) {
        this.token = token;
        this.isGitLab = isGitLab;
    }

    Json.Obj get(String address) throws IOException, InterruptedException {
        return find(address).orElseThrow(() -> new IOException("the forge has no " + path(address)));
    }

    Optional<Json.Obj> find(String address) throws IOException, InterruptedException {
        var answer = send(request(address).GET(), address, 404);
        return answer.status == 404 ? Optional.empty() : Optional.of(parsed(answer.body, Json.Obj.class, address));
    }

    List<Json.Obj> list(String address) throws IOException, InterruptedException {
        var answer = send(request(address).GET(), address, 404);
        return answer.status == 404
                ? List.of()
                : parsed(answer.body, Json.Arr.class, address).objects();
    }

    String text(String address) throws IOException, InterruptedException {
        return send(request(address).GET(), address, 0).body;
    }

    boolean exists(String address) throws IOException, InterruptedException {
        return send(request(address).GET(), address, 404).status != 404;
    }

    void post(String address, Json.Obj body) throws IOException, InterruptedException {
        var request = request(address)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(JsonText.bytes(body)));
        send(request, address, 0);
    }

    private HttpRequest.Builder request(String address) {
        var request = HttpRequest.newBuilder(URI.create(address))
                .timeout(PATIENCE)
                .header("Accept", "application/json")
                .header("User-Agent", "towtank");
        if (!token.isEmpty()) {
            if (isGitLab) {
                request.header("PRIVATE-TOKEN", token);
            } else {
                request.header("Authorization", "token " + token);
            }
        }
        return request;
    }

    private record Answer(int status, String body) {}

    private static Answer send(HttpRequest.Builder request, String address, int alsoFine)
            throws IOException, InterruptedException {
        var response = Shared.CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            var bytes = body.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new IOException("the answer about " + path(address) + " is too long");
            }
            if (response.statusCode() / 100 != 2 && response.statusCode() != alsoFine) {
                throw new IOException("the forge answered " + response.statusCode() + " to " + path(address));
            }
            return new Answer(response.statusCode(), new String(bytes, StandardCharsets.UTF_8));
        }
    }

    // Without the query, which is long and tells nothing.
    private static String path(String address) {
        return String.valueOf(URI.create(address).getPath());
    }

    private static <T extends Json> T parsed(String text, Class<T> type, String address) throws IOException {
        try {
            var json = JsonText.parse(text.getBytes(StandardCharsets.UTF_8));
            if (type.isInstance(json)) {
                return type.cast(json);
            }
            throw new IOException("the forge answered something else than expected to " + path(address));
        } catch (JsonText.Malformed e) {
            throw new IOException("the forge answered no JSON to " + path(address), e);
        }
    }
}
