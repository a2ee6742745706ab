package dev.towtank.controllers.triggers.source;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.web.PemTls;
import dev.towtank.controllers.triggers.events.Destination;
import dev.towtank.controllers.triggers.events.Event;
import dev.towtank.controllers.triggers.events.EventRefusal;
import dev.towtank.controllers.triggers.events.EventRefusal.Code;
import dev.towtank.controllers.triggers.events.Headers;
import dev.towtank.model.BoundedMap;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/// Asks the interceptors that people run themselves, by HTTP.
final class InterceptorCalls implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int MOST_PEERS = 100;
    private static final int LARGEST_ANSWER = 4 << 20;
    private static final int LONGEST_COMPLAINT = 512;

    /// Those that are about the connection, not about the event.
    private static final Set<String> OF_CONNECTIONS =
            Set.of("connection", "content-length", "expect", "host", "upgrade", "transfer-encoding", "te");

    /// Of status codes that a webhook may refuse an event with.
    private static final Map<Integer, String> WORDS = Map.ofEntries(
            Map.entry(201, "Created"),
            Map.entry(202, "Accepted"),
            Map.entry(204, "No Content"),
            Map.entry(400, "Bad Request"),
            Map.entry(401, "Unauthorized"),
            Map.entry(403, "Forbidden"),
            Map.entry(404, "Not Found"),
            Map.entry(405, "Method Not Allowed"),
            Map.entry(406, "Not Acceptable"),
            Map.entry(409, "Conflict"),
            Map.entry(412, "Precondition Failed"),
            Map.entry(413, "Request Entity Too Large"),
            Map.entry(417, "Expectation Failed"),
            Map.entry(422, "Unprocessable Entity"),
            Map.entry(429, "Too Many Requests"),
            Map.entry(500, "Internal Server Error"),
            Map.entry(501, "Not Implemented"),
            Map.entry(502, "Bad Gateway"),
            Map.entry(503, "Service Unavailable"),
            Map.entry(504, "Gateway Timeout"));

    private final Cache services;
    private @Nullable HttpClient client;

    // Guarded by this object's monitor; the one that was not asked for longest goes first.
    private final Map<Peer, HttpClient> peers = BoundedMap.byUse(MOST_PEERS);

    InterceptorCalls(Cache services) {
        this.services = services;
    }

    Json.Obj ask(LogicalCluster cluster, Destination interceptor, Json.Obj request) throws EventRefusal {
        var call = HttpRequest.newBuilder(address(cluster, interceptor))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(JsonText.bytes(request)));
        var answer = sent(interceptor, call.build());
        if (answer.statusCode() != 200) {
            throw new EventRefusal(Code.UNAVAILABLE, "interceptor response was not 200: " + complaint(answer.body()));
        }
        try {
            return JsonText.parseObject(answer.body());
        } catch (JsonText.Malformed e) {
            throw new EventRefusal(Code.INTERNAL, "the answer of the interceptor is no JSON object: " + e.getMessage());
        }
    }

    Event pass(LogicalCluster cluster, Destination webhook, Event event, Json.Arr headers) throws EventRefusal {
        var sent = new TreeMap<String, List<String>>(event.headers().values());
        sent.put("Eventlistener-Request-Url", List.of(event.url()));
        for (var header : headers.objects()) {
            sent.put(
                    Headers.canonical(header.string("name")),
                    header.get("value") instanceof Json.Arr many ? many.strings() : List.of(header.string("value")));
        }
        var call = HttpRequest.newBuilder(address(cluster, webhook))
                .timeout(PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofString(event.body()));
        sent.forEach((name, values) -> {
            if (!OF_CONNECTIONS.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> call.header(name, value));
            }
        });
        var answer = sent(webhook, call.build());
        if (answer.statusCode() != 200) {
            throw new EventRefusal(
                    Code.FAILED_PRECONDITION,
                    "request rejected; status: " + status(answer.statusCode()) + "; message: "
                            + complaint(answer.body()));
        }
        return new Event(
                event.id(),
                event.url(),
                new String(answer.body(), StandardCharsets.UTF_8),
                new Headers(answer.headers().map()),
                event.extensions(),
                event.sent());
    }

    private URI address(LogicalCluster cluster, Destination destination) throws EventRefusal {
        try {
            return switch (destination) {
                case Destination.Address(var url, var _) -> URI.create(url);
                case Destination.Service service -> {
                    var ip = clusterIp(cluster, service);
                    var path = service.path().startsWith("/") ? service.path() : "/" + service.path();
                    yield URI.create((service.authority().isEmpty() ? "http://" : "https://") + ip + ":"
                            + service.port() + path);
                }
            };
        } catch (IllegalArgumentException e) {
            throw new EventRefusal(Code.FAILED_PRECONDITION, "the interceptor has no valid address");
        }
    }

    private String clusterIp(LogicalCluster cluster, Destination.Service service) throws EventRefusal {
        return services.get(new ObjectName(cluster, service.namespace(), service.name()))
                .map(found -> found.spec().string("clusterIP"))
                .filter(ip -> !ip.isEmpty() && !ip.equals("None"))
                .orElseThrow(() -> new EventRefusal(
                        Code.UNAVAILABLE,
                        "the Service " + service.namespace() + "/" + service.name()
                                + " of the interceptor does not exist, or has no address"));
    }

    private HttpResponse<byte[]> sent(Destination destination, HttpRequest request) throws EventRefusal {
        if (!List.of("http", "https").contains(String.valueOf(request.uri().getScheme()))) {
            throw new EventRefusal(Code.FAILED_PRECONDITION, "interceptors are called by http or https only");
        }
        try {
            return client(destination)
                    .send(
                            request,
                            HttpResponse.BodyHandlers.limiting(
                                    HttpResponse.BodyHandlers.ofByteArray(), LARGEST_ANSWER));
        } catch (IOException e) {
            throw new EventRefusal(
                    Code.UNAVAILABLE,
                    "no answer from the interceptor at " + request.uri().getHost() + ":"
                            + request.uri().getPort() + ": " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EventRefusal(Code.UNAVAILABLE, "the listener was closed while an interceptor was asked");
        }
    }

    private HttpClient client(Destination destination) throws IOException {
        return switch (destination) {
            case Destination.Address(var _, var authority) ->
                authority.isEmpty() ? shared() : secure(new Peer(authority, ""));
            case Destination.Service service ->
                service.authority().isEmpty()
                        ? shared()
                        : secure(new Peer(service.authority(), service.name() + "." + service.namespace() + ".svc"));
        };
    }

    /// @param name that its certificate has to be for; empty for that in its address
    private record Peer(String authority, String name) {}

    private synchronized HttpClient secure(Peer peer) throws IOException {
        var known = peers.get(peer);
        if (known != null) {
            return known;
        }
        var pem = pem(peer.authority);
        var client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PATIENCE)
                .sslContext(peer.name.isEmpty() ? PemTls.trusting(pem) : PemTls.trusting(pem, peer.name));
        if (!peer.name.isEmpty()) {
            var parameters = new SSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(peer.name)));
            client.sslParameters(parameters);
        }
        var made = client.build();
        peers.put(peer, made);
        return made;
    }

    private static String pem(String bundle) throws IOException {
        try {
            return new String(Base64.getMimeDecoder().decode(bundle), StandardCharsets.US_ASCII);
        } catch (IllegalArgumentException e) {
            throw new IOException("the caBundle is no base64", e);
        }
    }

    synchronized HttpClient shared() {
        var present = client;
        if (present == null) {
            present = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(PATIENCE)
                    .build();
            client = present;
        }
        return present;
    }

    /// As status lines have it, whose words the client does not give away.
    private static String status(int code) {
        var words = WORDS.get(code);
        return words == null ? String.valueOf(code) : code + " " + words;
    }

    private static String complaint(byte[] body) {
        var text = new String(body, StandardCharsets.UTF_8).strip();
        return text.length() > LONGEST_COMPLAINT ? text.substring(0, LONGEST_COMPLAINT) + "…" : text;
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.shutdownNow();
        }
        peers.values().forEach(HttpClient::shutdownNow);
    }
}
