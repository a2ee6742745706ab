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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Requests to a forge, bounded, with a token that is told to nobody else.
final class ForgeHttp {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int LARGEST = 16 << 20;
    private static final int LONGEST_REASON = 200;

    /// Made when the first event comes.
    private static final class Shared {
        // Never follows to another host: the token would go there.
        private static final HttpClient CLIENT = HttpClient.newBuilder()
                .connectTimeout(PATIENCE)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /// How somebody shows who they are.
    ///
    /// @param value nothing is shown where it is empty
    record Credential(String header, String value) {

        static final Credential NONE = new Credential("Authorization", "");

        static Credential token(String token) {
            return new Credential("Authorization", token.isEmpty() ? "" : "token " + token);
        }

        static Credential bearer(String token) {
            return new Credential("Authorization", "Bearer " + token);
        }

        static Credential gitLab(String token) {
            return new Credential("PRIVATE-TOKEN", token);
        }

        @Override
        public String toString() {
            return header;
        }
    }

    private final Credential credential;
    private final String agent;
    private final Runnable counted;

    /// @param counted told of every request
    ForgeHttp(Credential credential, Runnable counted) {
        this(credential, "towtank", counted);
    }

    /// @param agent what we call ourselves
    ForgeHttp(Credential credential, String agent, Runnable counted) {
        this.credential = credential;
        this.agent = agent;
        this.counted = counted;
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

    /// Page after page of a list, and no more than so many.
    List<Json.Obj> pages(String address, int most, int size) throws IOException, InterruptedException {
        var all = new ArrayList<Json.Obj>();
        for (int page = 1; page <= most; page++) {
            var sign = address.contains("?") ? "&" : "?";
            // Gitea says limit where the others say per_page.
            var found = list(address + sign + "per_page=" + size + "&limit=" + size + "&page=" + page);
            all.addAll(found);
            // More than asked for is all there is, from one who knows no pages.
            if (found.size() != size) {
                break;
            }
        }
        return all;
    }

    String text(String address) throws IOException, InterruptedException {
        return send(request(address).GET(), address).body;
    }

    Optional<String> findText(String address) throws IOException, InterruptedException {
        var answer = send(request(address).GET(), address, 404);
        return answer.status == 404 ? Optional.empty() : Optional.of(answer.body);
    }

    boolean exists(String address) throws IOException, InterruptedException {
        return send(request(address).GET(), address, 404).status != 404;
    }

    /// Whether somebody is told to be a member: to who is none, forges say that they must not know, or point elsewhere.
    boolean isMember(String address) throws IOException, InterruptedException {
        return send(request(address).GET(), address, 302, 303, 403, 404).status / 100 == 2;
    }

    Json.Obj post(String address, Json.Obj body) throws IOException, InterruptedException {
        return write("POST", address, body);
    }

    void patch(String address, Json.Obj body) throws IOException, InterruptedException {
        write("PATCH", address, body);
    }

    void put(String address, Json.Obj body) throws IOException, InterruptedException {
        write("PUT", address, body);
    }

    private Json.Obj write(String method, String address, Json.Obj body) throws IOException, InterruptedException {
        var request = request(address)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofByteArray(JsonText.bytes(body)));
        var answer = send(request, address).body;
        return answer.isBlank() ? Json.Obj.EMPTY : parsed(answer, Json.Obj.class, address);
    }

    private HttpRequest.Builder request(String address) {
        var request = HttpRequest.newBuilder(URI.create(address))
                .timeout(PATIENCE)
                .header("Accept", "application/json")
                .header("User-Agent", agent);
        if (!credential.value().isEmpty()) {
            request.header(credential.header(), credential.value());
        }
        return request;
    }

    private record Answer(int status, String body) {}

    private Answer send(HttpRequest.Builder request, String address, Integer... alsoFine)
            throws IOException, InterruptedException {
        counted.run();
        var response = Shared.CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            var bytes = body.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new IOException("the answer about " + path(address) + " is too long");
            }
            var text = new String(bytes, StandardCharsets.UTF_8);
            if (response.statusCode() / 100 != 2 && !List.of(alsoFine).contains(response.statusCode())) {
                throw new IOException(
                        "the forge answered " + response.statusCode() + " to " + path(address) + reason(text));
            }
            return new Answer(response.statusCode(), text);
        }
    }

    /// What it says about that; empty where it says nothing that can be read.
    private static String reason(String body) {
        try {
            var said = JsonText.parseObject(body).string("message");
            return said.isEmpty() ? "" : ": " + said.substring(0, Math.min(LONGEST_REASON, said.length()));
        } catch (JsonText.Malformed e) {
            return "";
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
