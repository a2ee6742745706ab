package dev.towtank.controllers.serving.source;

import dev.towtank.cluster.Meters;
import dev.towtank.cluster.web.BodyRoom;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.serving.api.Routes;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Passes a request on to a pod, and its answer back. To ask a model twice does no harm, so a request whose pod went
/// away
/// before it answered goes to another one.
final class Forwarding implements AutoCloseable {

    /// Which revision answered.
    static final String REVISION = "X-Serving-Revision";

    private static final int ATTEMPTS = 4;
    private static final int CONNECT_SECONDS = 5;
    private static final long MEMORY = 256L << 20;
    private static final Duration LONGEST_TEST = Duration.ofSeconds(30);
    private static final int LARGEST_TEST = 1 << 20;
    private static final Set<String> NOT_PASSED_ON = Set.of(
            "connection",
            "keep-alive",
            "transfer-encoding",
            "upgrade",
            "te",
            "trailer",
            "proxy-authorization",
            "proxy-authenticate",
            "proxy-connection",
            "host",
            "content-length",
            "expect",
            "date",
            "http2-settings");

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(CONNECT_SECONDS))
            .executor(executor)
            .build();
    private final BodyRoom memory = new BodyRoom(MEMORY, Fronts.LARGEST_BODY);
    private final Meters.Count requests;

    Forwarding(Meters meters) {
        requests = meters.counter(
                "towtank_serving_requests_total",
                "Requests to InferenceServices, by the status that they were answered with",
                "service",
                "code");
    }

    WebResponse handle(RouteTable table, WebRequest request) throws IOException, InterruptedException {
        var answer = answer(table, request);
        requests.count(table.model(), Integer.toString(answer.status()));
        return answer;
    }

    private WebResponse answer(RouteTable table, WebRequest request) throws IOException, InterruptedException {
        var room = memory.take(request);
        if (room.isEmpty()) {
            return error(503, "Too many large requests at once. Try again later.")
                    .with("Retry-After", "1");
        }
        try (var _ = room.get()) {
            return forwarded(table, request, request.readBody());
        } catch (WebRequest.TooLarge e) {
            return error(
                    413,
                    "The request body is too large; at most " + Fronts.LARGEST_BODY
                            + " bytes are accepted. Send fewer instances at once.");
        }
    }

    private WebResponse forwarded(RouteTable table, WebRequest request, byte[] body) throws InterruptedException {
        var failed = new HashSet<Routes.Target>();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var way = table.choose(failed);
            if (way.isEmpty()) {
                break;
            }
            var target = way.get().target();
            try {
                var answer = client.send(
                        message(target, request, body, table.routes().timeout()),
                        HttpResponse.BodyHandlers.ofInputStream());
                table.count(way.get().revision(), answer.statusCode() >= 500);
                return response(answer).with(REVISION, way.get().revision());
            } catch (HttpTimeoutException e) {
                table.count(way.get().revision(), true);
                if (!(e instanceof java.net.http.HttpConnectTimeoutException)) {
                    return error(
                                    504,
                                    "Model with name " + table.model() + " did not answer within "
                                            + table.routes().timeout().toSeconds() + " s.")
                            .with(REVISION, way.get().revision());
                }
                failed.add(target);
            } catch (IOException e) {
                table.count(way.get().revision(), true);
                failed.add(target); // it is gone, or its connection was
            } catch (IllegalArgumentException e) {
                return error(400, "Unrecognized request format: the path or a header cannot be passed on");
            }
        }
        return error(503, "Model with name " + table.model() + " is not ready.").with("Retry-After", "1");
    }

    /// What a pod answers to rows by protocol v1, or a text that says why it does not.
    Json predict(Routes.Target target, String model, Json.Arr instances) throws InterruptedException {
        var address = URI.create("http://" + target.host() + ":" + target.port() + "/v1/models/"
                + URLEncoder.encode(model, StandardCharsets.UTF_8) + ":predict");
        var request = HttpRequest.newBuilder(address)
                .timeout(LONGEST_TEST)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(JsonText.bytes(Json.Obj.of("instances", instances))))
                .build();
        try {
            var answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            byte[] body;
            try (var in = answer.body()) {
                body = in.readNBytes(LARGEST_TEST);
            }
            var text = new String(body, StandardCharsets.UTF_8);
            return answer.statusCode() == 200
                    ? JsonText.parseObject(text).array("predictions")
                    : Json.of("it answers " + answer.statusCode() + ": "
                            + text.substring(0, Math.min(300, text.length())));
        } catch (IOException e) {
            return Json.of("it does not answer: " + e);
        } catch (JsonText.Malformed e) {
            return Json.of("its answer is no JSON object: " + e.getMessage());
        }
    }

    private static HttpRequest message(Routes.Target target, WebRequest request, byte[] body, Duration timeout) {
        var query = request.query().isEmpty() ? "" : "?" + request.query();
        var message = HttpRequest.newBuilder(
                        URI.create("http://" + target.host() + ":" + target.port() + request.path() + query))
                .timeout(timeout)
                .method(
                        request.method(),
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        request.headers().forEach((name, values) -> {
            if (!NOT_PASSED_ON.contains(name)) {
                values.forEach(value -> message.header(name, value));
            }
        });
        return message.build();
    }

    private static WebResponse response(HttpResponse<InputStream> answer) {
        var headers = new ArrayList<WebResponse.Header>();
        answer.headers().map().forEach((name, values) -> {
            if (!NOT_PASSED_ON.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                values.forEach(value -> headers.add(new WebResponse.Header(name, value)));
            }
        });
        long length = answer.headers().firstValueAsLong("content-length").orElse(-1);
        return new WebResponse(answer.statusCode(), List.copyOf(headers), length, out -> {
            try (var in = answer.body()) {
                in.transferTo(out);
            }
        });
    }

    private static WebResponse error(int status, String text) {
        return WebResponse.json(status, Json.Obj.of("error", Json.of(text)));
    }

    @Override
    public void close() {
        client.shutdownNow();
        executor.shutdownNow();
    }
}
