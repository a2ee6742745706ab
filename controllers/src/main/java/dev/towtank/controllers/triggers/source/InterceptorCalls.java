package dev.towtank.controllers.triggers.source;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.web.PemTls;
import dev.towtank.controllers.triggers.events.Destination;
import dev.towtank.controllers.triggers.events.Event;
import dev.towtank.controllers.triggers.events.Headers;
import dev.towtank.controllers.triggers.events.Refusal;
import dev.towtank.controllers.triggers.events.Refusal.Code;
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
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Asks the interceptors that people run themselves, by HTTP.
final class InterceptorCalls implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int LARGEST_ANSWER = 4 << 20;
    private static final int LONGEST_COMPLAINT = 512;

    /// Those that are about the connection, not about the event.
    private static final Set<String> OF_CONNECTIONS =
            Set.of("connection", "content-length", "expect", "host", "upgrade", "transfer-encoding", "te");

    private final Cache services;
    private @Nullable HttpClient client;

    InterceptorCalls(Cache services) {
        this.services = services;
    }

    Json.Obj ask(LogicalCluster cluster, Destination interceptor, Json.Obj request) throws Refusal {
        var call = HttpRequest.newBuilder(address(cluster, interceptor))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(JsonText.bytes(request)));
        var answer = sent(interceptor, call.build());
        if (answer.statusCode() != 200) {
            throw new Refusal(Code.UNAVAILABLE, "interceptor response was not 200: " + complaint(answer.body()));
        }
        try {
            return JsonText.parseObject(answer.body());
        } catch (JsonText.Malformed e) {
            throw new Refusal(Code.INTERNAL, "the answer of the interceptor is no JSON object: " + e.getMessage());
        }
    }

    Event pass(LogicalCluster cluster, Destination webhook, Event event, Json.Arr headers) throws Refusal {
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
            throw new Refusal(
                    Code.FAILED_PRECONDITION,
                    "request rejected; status: " + answer.statusCode() + "; message: " + complaint(answer.body()));
        }
        return new Event(
                event.id(),
                event.url(),
                new String(answer.body(), StandardCharsets.UTF_8),
                new Headers(answer.headers().map()),
                event.extensions());
    }

    private URI address(LogicalCluster cluster, Destination destination) throws Refusal {
        try {
            return switch (destination) {
                case Destination.Address(var url, var _) -> URI.create(url);
                case Destination.Service service -> {
                    var ip = clusterIp(cluster, service);
                    var path = service.path().startsWith("/") ? service.path() : "/" + service.path();
                    yield URI.create("http://" + ip + ":" + service.port() + path);
                }
            };
        } catch (IllegalArgumentException e) {
            throw new Refusal(Code.FAILED_PRECONDITION, "the interceptor has no valid address");
        }
    }

    private String clusterIp(LogicalCluster cluster, Destination.Service service) throws Refusal {
        return services.get(new ObjectName(cluster, service.namespace(), service.name()))
                .map(found -> found.spec().string("clusterIP"))
                .filter(ip -> !ip.isEmpty() && !ip.equals("None"))
                .orElseThrow(() -> new Refusal(
                        Code.UNAVAILABLE,
                        "the Service " + service.namespace() + "/" + service.name()
                                + " of the interceptor does not exist, or has no address"));
    }

    private HttpResponse<byte[]> sent(Destination destination, HttpRequest request) throws Refusal {
        if (!List.of("http", "https").contains(String.valueOf(request.uri().getScheme()))) {
            throw new Refusal(Code.FAILED_PRECONDITION, "interceptors are called by http or https only");
        }
        try {
            return client(destination)
                    .send(
                            request,
                            HttpResponse.BodyHandlers.limiting(
                                    HttpResponse.BodyHandlers.ofByteArray(), LARGEST_ANSWER));
        } catch (IOException e) {
            throw new Refusal(
                    Code.UNAVAILABLE,
                    "no answer from the interceptor at " + request.uri().getHost() + ":"
                            + request.uri().getPort() + ": " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refusal(Code.UNAVAILABLE, "the listener was closed while an interceptor was asked");
        }
    }

    private HttpClient client(Destination destination) throws IOException {
        if (destination instanceof Destination.Address(var _, var authority) && !authority.isEmpty()) {
            var pem = new String(Base64.getMimeDecoder().decode(authority), StandardCharsets.US_ASCII);
            return HttpClient.newBuilder()
                    .connectTimeout(PATIENCE)
                    .sslContext(PemTls.trusting(pem))
                    .build();
        }
        return shared();
    }

    private synchronized HttpClient shared() {
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

    private static String complaint(byte[] body) {
        var text = new String(body, StandardCharsets.UTF_8).strip();
        return text.length() > LONGEST_COMPLAINT ? text.substring(0, LONGEST_COMPLAINT) + "…" : text;
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.shutdownNow();
        }
    }
}
