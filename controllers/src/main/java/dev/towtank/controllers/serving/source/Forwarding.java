package dev.towtank.controllers.serving.source;

import dev.towtank.cluster.Meters;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.cluster.web.BodyRoom;
import dev.towtank.cluster.web.HttpAnswer;
import dev.towtank.cluster.web.HttpCalls;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.serving.api.Routes;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/// Passes a request on to a pod, and its answer back. To ask a model twice does no harm, so a request whose pod went
/// away
/// before it answered goes to another one.
final class Forwarding implements AutoCloseable {

    /// Which revision answered.
    static final String REVISION = "X-Serving-Revision";

    private static final int ATTEMPTS = 4;
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

    private final HttpCalls calls = HttpCalls.plain();
    private final BodyRoom memory = new BodyRoom(MEMORY, Fronts.LARGEST_BODY);
    private final Meters.Count requests;

    private final PodAccess pods;

    Forwarding(Meters meters, PodAccess pods) {
        this.pods = pods;
        requests = meters.counter(
                "towtank_serving_requests_total",
                "Requests to InferenceServices, by the status that they were answered with",
                "service",
                "code");
    }

    WebResponse handle(RouteTable table, WebRequest request) throws IOException {
        var answer = answer(table, request);
        requests.count(table.model(), Integer.toString(answer.status()));
        return answer;
    }

    private WebResponse answer(RouteTable table, WebRequest request) throws IOException {
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

    private WebResponse forwarded(RouteTable table, WebRequest request, byte[] body) {
        var failed = new HashSet<Routes.Target>();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var way = table.choose(failed);
            if (way.isEmpty()) {
                break;
            }
            var target = way.get().target();
            var revision = way.get().revision();
            try {
                var authority = pods.authority(target.host(), target.port());
                var answer = calls.send(
                        message(authority, request, body), table.routes().timeout());
                table.count(revision, answer.status() >= 500);
                return response(answer).with(REVISION, revision);
            } catch (HttpCalls.Late e) {
                table.count(revision, true);
                return error(
                                504,
                                "Model with name " + table.model() + " did not answer within "
                                        + table.routes().timeout().toSeconds() + " s.")
                        .with(REVISION, revision);
            } catch (IOException e) {
                table.count(revision, true);
                failed.add(target); // it is gone, or its connection was
            } catch (IllegalArgumentException e) {
                return error(400, "Unrecognized request format: the path or a header cannot be passed on");
            }
        }
        return error(503, "Model with name " + table.model() + " is not ready.").with("Retry-After", "1");
    }

    /// What a pod answers to rows by protocol v1, or a text that says why it does not.
    Json predict(Routes.Target target, String model, Json.Arr instances) {
        var authority = pods.authority(target.host(), target.port());
        var path = "/v1/models/" + URLEncoder.encode(model, StandardCharsets.UTF_8) + ":predict";
        var body = JsonText.bytes(Json.Obj.of("instances", instances));
        var message = new HttpCalls.Message(authority, "POST", path)
                .header("Content-Type", "application/json")
                .body(body)
                .repeatable();
        try {
            var answer = calls.send(message, LONGEST_TEST);
            var out = new Bounded();
            answer.body().writeTo(out);
            var text = out.toString(StandardCharsets.UTF_8);
            return answer.status() == 200
                    ? JsonText.parseObject(text).array("predictions")
                    : Json.of("it answers " + answer.status() + ": " + text.substring(0, Math.min(300, text.length())));
        } catch (IOException e) {
            return Json.of("it does not answer: " + e);
        } catch (JsonText.Malformed e) {
            return Json.of("its answer is no JSON object: " + e.getMessage());
        }
    }

    /// As much as an answer to a test may have.
    private static final class Bounded extends ByteArrayOutputStream {
        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            if (count + length > LARGEST_TEST) {
                throw new JsonText.Malformed("it has more than " + LARGEST_TEST + " bytes");
            }
            super.write(bytes, offset, length);
        }
    }

    private static HttpCalls.Message message(String authority, WebRequest request, byte[] body) {
        var target = request.path() + (request.query().isEmpty() ? "" : "?" + request.query());
        var message = new HttpCalls.Message(authority, request.method(), target)
                .body(body)
                .repeatable();
        request.headers().forEach((name, values) -> {
            if (!NOT_PASSED_ON.contains(name)) {
                values.forEach(value -> message.header(name, value));
            }
        });
        return message;
    }

    private static WebResponse response(HttpAnswer answer) {
        var headers = answer.headers().stream()
                .filter(header -> !NOT_PASSED_ON.contains(header.name().toLowerCase(Locale.ROOT)))
                .toList();
        return new WebResponse(answer.status(), headers, answer.length(), answer.body()::writeTo);
    }

    private static WebResponse error(int status, String text) {
        return WebResponse.json(status, Json.Obj.of("error", Json.of(text)));
    }

    @Override
    public void close() {
        calls.close();
    }
}
