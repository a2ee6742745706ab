package dev.towtank.controllers.spray.source;

import dev.towtank.cluster.Meters;
import dev.towtank.cluster.web.BodyRoom;
import dev.towtank.cluster.web.WebHandler;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.spray.SprayedEvent;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Gives every event to all backends at once, and keeps what somebody could not take for later.
public final class SprayProxy implements WebHandler {

    private final Backends backends;
    private final Optional<SprayQueue> queue;
    private final Sender sender;
    private final Settings settings;
    private final Meters.Count inbound;
    private final BodyRoom room;

    /// @param secret with which forges sign; absent where nobody checks that
    /// @param token of those who may change the backends; absent where nobody may
    public record Settings(Optional<String> secret, Optional<String> token, long largestBody) {
        @Override
        public String toString() {
            return "up to " + largestBody + " bytes";
        }
    }

    public SprayProxy(Backends backends, Optional<SprayQueue> queue, Sender sender, Settings settings, Meters meters) {
        this.backends = backends;
        this.queue = queue;
        this.sender = sender;
        this.settings = settings;
        this.inbound = meters.counter("sprayproxy_http_inbound_requests_total", "Number of incoming requests.");
        meters.gauge(
                "sprayproxy_queue_events",
                "Number of events that wait to be sent again.",
                () -> queue.map(SprayQueue::size).orElse(0));
        this.room = new BodyRoom(4 * settings.largestBody(), settings.largestBody());
    }

    @Override
    public WebResponse handle(WebRequest request) throws IOException, InterruptedException {
        var path = request.path();
        boolean isEvent = path.equals("/") || path.equals("/proxy");
        return switch (request.method()) {
            case "GET" ->
                isEvent || path.equals("/healthz")
                        ? WebResponse.text(200, "healthy")
                        : path.equals("/backends") ? shown(request) : WebResponse.text(404, "404 page not found");
            case "POST" -> isEvent ? posted(request) : path.equals("/backends") ? changed(request) : notThere();
            case "DELETE" -> path.equals("/backends") ? changed(request) : notThere();
            default -> notThere();
        };
    }

    private static WebResponse notThere() {
        return WebResponse.text(404, "404 page not found");
    }

    private WebResponse posted(WebRequest request) throws IOException, InterruptedException {
        inbound.count();
        var taken = room.take(request);
        if (taken.isEmpty()) {
            return BodyRoom.full();
        }
        try (var _ = taken.get()) {
            byte[] body;
            try {
                body = request.readBody();
            } catch (WebRequest.TooLarge e) {
                return WebResponse.text(413, "request body too large");
            }
            if (settings.secret().isPresent()
                    && !Signature.isRight(request, body, settings.secret().get())) {
                return WebResponse.text(400, "bad request");
            }
            var path = request.path().equals("/proxy") ? "/" : request.path();
            return sprayed(new SprayedEvent(path, request.query(), request.headers(), body));
        }
    }

    /// All at once: the slowest decides how long a forge waits, not their sum.
    private WebResponse sprayed(SprayedEvent event) throws InterruptedException {
        var outcomes = new ConcurrentHashMap<String, Boolean>();
        var threads = new LinkedHashMap<String, Thread>();
        for (var name : backends.urls()) {
            threads.put(name, Thread.ofVirtual().name("spray " + name).start(() -> {
                if (delivered(name, event)) {
                    outcomes.put(name, true);
                }
            }));
        }
        for (var thread : threads.values()) {
            thread.join();
        }
        return outcomes.keySet().containsAll(threads.keySet())
                ? WebResponse.text(200, "proxied")
                : WebResponse.text(502, "failed to proxy");
    }

    /// @return whether it has it, has said that it does not want it, or will get it later
    private boolean delivered(String name, SprayedEvent event) {
        var url = backends.url(name);
        if (url.isEmpty()) {
            return true;
        }
        try {
            // Nothing overtakes what waits for the same backend.
            if (queue.isPresent() && queue.get().isWaitedFor(name)) {
                return queue.get().add(name, event, sender.now());
            }
            var outcome = sender.send(url.get(), event);
            backends.note(name, outcome, sender.now());
            if (!outcome.isWorthAnotherTry()) {
                return true;
            }
            return queue.isPresent()
                    ? queue.get().add(name, event, sender.now())
                    : outcome instanceof Backends.Outcome.Refused;
        } catch (IOException e) {
            // The disk is full: who sent it has to send it again.
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean isAllowed(WebRequest request) {
        var shown = request.header("authorization").replaceFirst("^Bearer ", "");
        return settings.token()
                .filter(token -> MessageDigest.isEqual(
                        token.getBytes(StandardCharsets.UTF_8), shown.getBytes(StandardCharsets.UTF_8)))
                .isPresent();
    }

    private WebResponse shown(WebRequest request) {
        if (settings.token().isEmpty()) {
            return notThere();
        }
        if (!isAllowed(request)) {
            return WebResponse.text(401, "unauthorized");
        }
        return request.header("accept").contains("json")
                ? results()
                : WebResponse.text(200, "Backend urls: " + String.join(", ", backends.urls()));
    }

    /// How it went with each.
    public WebResponse results() {
        return WebResponse.json(200, backends.json(queue.map(SprayQueue::counts).orElse(Map.of())));
    }

    private WebResponse changed(WebRequest request) throws IOException {
        if (settings.token().isEmpty()) {
            return notThere();
        }
        if (!isAllowed(request)) {
            return WebResponse.text(401, "unauthorized");
        }
        String url;
        try {
            url = JsonText.parseObject(request.readBody()).string("url");
            if (url.isEmpty()) {
                return WebResponse.text(400, "please provide a valid json body");
            }
            return request.method().equals("POST") ? registered(url) : unregistered(url);
        } catch (JsonText.Malformed e) {
            return WebResponse.text(400, "please provide a valid json body");
        } catch (IllegalArgumentException e) {
            return WebResponse.text(400, String.valueOf(e.getMessage()));
        }
    }

    private WebResponse registered(String url) {
        return backends.add(url)
                ? WebResponse.text(200, "registered the backend server")
                : WebResponse.text(302, "backend server already registered");
    }

    private WebResponse unregistered(String url) throws IOException {
        if (!backends.remove(url)) {
            return WebResponse.text(404, "backend server not found in the list");
        }
        if (queue.isPresent()) {
            queue.get().removeAll(url);
        }
        return WebResponse.text(200, "backend server unregistered");
    }
}
