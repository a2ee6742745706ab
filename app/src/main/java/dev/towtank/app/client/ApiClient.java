package dev.towtank.app.client;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.StatusError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/// Requests to one server. What it refuses is thrown as [StatusError] in its own words, that it cannot be
/// reached as [ClientProblem].
public final class ApiClient implements AutoCloseable {
    static final String JSON = "application/json";
    static final String TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1,application/json";

    private static final String LIST = "List";

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int LARGEST = 256 << 20;
    private static final int LARGEST_REFUSAL = 1 << 20;

    private final Connection connection;
    private final HttpClient http;

    public ApiClient(Connection connection) {
        this.connection = connection;
        this.http = HttpClient.newBuilder()
                .sslContext(connection.tls())
                .connectTimeout(Duration.ofSeconds(5))
                .build();
    }

    /// Where objects are looked for when nobody says.
    public String namespace() {
        return connection.namespace();
    }

    public URI server() {
        return connection.server();
    }

    public Json.Obj get(String path) {
        return get(path, JSON);
    }

    Json.Obj get(String path, String accept) {
        return typed(read(send(request(path, accept).GET())));
    }

    /// Items of lists may come without their type, which is that of the list.
    private static Json.Obj typed(Json.Obj list) {
        var kind = list.string("kind");
        if (!kind.endsWith(LIST) || !list.has("items")) {
            return list;
        }
        var type = Json.Obj.of(
                "apiVersion",
                Json.of(list.string("apiVersion")),
                "kind",
                Json.of(kind.substring(0, kind.length() - LIST.length())));
        return list.with("items", list.array("items").map(item -> {
            if (!(item instanceof Json.Obj object) || object.has("kind")) {
                return item;
            }
            var whole = Json.Obj.builder().putAll(type);
            return whole.putAll(object).build();
        }));
    }

    /// The object, or nothing when there is none.
    public Optional<Json.Obj> find(String path) {
        try {
            return Optional.of(get(path));
        } catch (StatusError e) {
            if (e.is(StatusError.Reason.NOT_FOUND)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    Json.Obj mergePatch(String path, Json.Obj patch) {
        return send("PATCH", path, "application/merge-patch+json", patch);
    }

    public Json.Obj send(String method, String path, String mediaType, Json.Obj body) {
        return sendAny(method, path, mediaType, body);
    }

    /// A JSON patch is a list.
    Json.Obj sendAny(String method, String path, String mediaType, Json body) {
        return read(send(request(path, JSON)
                .header("Content-Type", mediaType)
                .method(method, BodyPublishers.ofString(JsonText.write(body)))));
    }

    /// Text that comes line by line, for as long as the server has some. Close it.
    public BufferedReader lines(String path, String accept) {
        return new BufferedReader(
                new InputStreamReader(send(patient(path, accept).GET()).body(), StandardCharsets.UTF_8));
    }

    /// Raw bytes, as logs are. Close it.
    public InputStream stream(String path) {
        return send(patient(path, "*/*").GET()).body();
    }

    private HttpRequest.Builder request(String path, String accept) {
        return patient(path, accept).timeout(PATIENCE);
    }

    /// Whoever follows something that is silent for an hour waits for an hour.
    private HttpRequest.Builder patient(String path, String accept) {
        var request = HttpRequest.newBuilder(URI.create(connection.server() + path))
                .header("Accept", accept)
                .header("User-Agent", "towtank");
        connection.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
        return request;
    }

    private HttpResponse<InputStream> send(HttpRequest.Builder request) {
        try {
            var response = http.send(request.build(), BodyHandlers.ofInputStream());
            if (response.statusCode() >= 300) {
                throw refusal(response);
            }
            return response;
        } catch (IOException e) {
            throw unreachable(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClientProblem("Interrupted while waiting for " + connection.server() + ".", e);
        }
    }

    private Json.Obj read(HttpResponse<InputStream> response) {
        try (var body = response.body()) {
            var bytes = body.readNBytes(LARGEST);
            if (bytes.length == LARGEST) {
                throw new ClientProblem("The answer of " + connection.server() + " is too long. Ask for less.");
            }
            return JsonText.parseObject(bytes);
        } catch (IOException e) {
            throw unreachable(e);
        } catch (JsonText.Malformed e) {
            throw new ClientProblem(
                    "What answers at " + connection.server() + " is no Kubernetes: " + e.getMessage(), e);
        }
    }

    private static StatusError refusal(HttpResponse<InputStream> response) throws IOException {
        try (var body = response.body()) {
            var text = new String(body.readNBytes(LARGEST_REFUSAL), StandardCharsets.UTF_8);
            try {
                var status = JsonText.parseObject(text);
                return StatusError.relayed(
                        response.statusCode(),
                        status.string("reason"),
                        status.string("message"),
                        status.object("details"));
            } catch (JsonText.Malformed e) {
                return StatusError.relayed(
                        response.statusCode(), "", response.statusCode() + " " + text.strip(), Json.Obj.EMPTY);
            }
        }
    }

    private ClientProblem unreachable(IOException problem) {
        return new ClientProblem(
                "No answer from " + connection.server() + ": " + why(problem)
                        + ". 'towtank status' tells whether a server of ours runs, 'towtank up --detach' starts one;"
                        + " another is named with --kubeconfig FILE.",
                problem);
    }

    // Java has no words for most of what can go wrong with a connection.
    private static String why(IOException problem) {
        if (problem.getMessage() != null) {
            return problem.getMessage();
        }
        return switch (problem) {
            case HttpConnectTimeoutException _ -> "it did not answer in time";
            case ConnectException _ -> "nothing listens there, or the connection was refused";
            default -> problem.getClass().getSimpleName();
        };
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
