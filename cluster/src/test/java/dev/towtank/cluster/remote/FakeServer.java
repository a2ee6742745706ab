package dev.towtank.cluster.remote;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Watch;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.patch.Patch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;

/// A fake cluster behind HTTP, as much of the API as a [RemoteCluster] uses. Lists come in pages, items without type.
final class FakeServer implements AutoCloseable {

    private static final int PAGE = 2;

    private final FakeCluster cluster = new FakeCluster(new FakeTimers());
    private final HttpServer server;
    private final List<Kind<?>> kinds;
    final ConcurrentLinkedQueue<String> requests = new ConcurrentLinkedQueue<>();

    /// Answers that the next requests get instead of the real ones.
    final ConcurrentLinkedQueue<Canned> canned = new ConcurrentLinkedQueue<>();

    record Canned(int code, String body, Map<String, String> headers) {}

    FakeServer(List<Kind<?>> kinds) throws IOException {
        this.kinds = kinds;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    String kubeconfig() {
        return """
                apiVersion: v1
                kind: Config
                current-context: fake
                clusters:
                - name: fake
                  cluster: {server: "http://localhost:%d"}
                users:
                - name: me
                  user: {token: very-secret}
                contexts:
                - name: fake
                  context: {cluster: fake, user: me}
                - name: other
                  context: {cluster: fake, user: nobody}
                """.formatted(server.getAddress().getPort());
    }

    FakeCluster cluster() {
        return cluster;
    }

    @Override
    public void close() {
        cluster.endWatches();
        server.stop(0);
    }

    private record Call(Kind<?> kind, String namespace, String name, String part, Map<String, String> query) {
        Cluster.WriteOptions options() {
            return new Cluster.WriteOptions(
                    part,
                    query.getOrDefault("fieldManager", ""),
                    query.containsKey("dryRun"),
                    query.containsKey("force"),
                    query.getOrDefault("fieldValidation", "").equals("Strict"));
        }

        ObjectName object() {
            return ObjectName.of(namespace, name);
        }

        Selection selection() {
            var place = namespace.isEmpty()
                    ? Selection.in(LogicalCluster.DEFAULT)
                    : Selection.in(LogicalCluster.DEFAULT, namespace);
            return place.labelled(query.getOrDefault("labelSelector", ""))
                    .where(query.getOrDefault("fieldSelector", ""));
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                + exchange.getRequestHeaders().getFirst("Authorization"));
        try (exchange) {
            respond(exchange);
        }
    }

    private void respond(HttpExchange exchange) throws IOException {
        try {
            var instead = canned.poll();
            if (instead != null) {
                instead.headers.forEach(exchange.getResponseHeaders()::set);
                answer(exchange, instead.code, instead.body);
                return;
            }
            var call = parse(exchange);
            if (call.query.containsKey("watch")) {
                watch(exchange, call);
            } else {
                answer(exchange, 200, JsonText.write(answer(exchange, call)));
            }
        } catch (StatusError e) {
            answer(exchange, e.code(), JsonText.write(e.toJson()));
        }
    }

    private static void answer(HttpExchange exchange, int code, String body) throws IOException {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private Call parse(HttpExchange exchange) {
        var query = new TreeMap<String, String>();
        var raw = exchange.getRequestURI().getRawQuery();
        for (var pair : raw == null ? new String[0] : raw.split("&")) {
            var parts = pair.split("=", 2);
            query.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        var path = new ArrayList<>(
                List.of(exchange.getRequestURI().getPath().substring(1).split("/")));
        var version =
                path.removeFirst().equals("api") ? path.removeFirst() : path.removeFirst() + "/" + path.removeFirst();
        var namespace = "";
        if (path.size() > 2 && path.getFirst().equals("namespaces")) {
            path.removeFirst();
            namespace = path.removeFirst();
        }
        var plural = path.removeFirst();
        var kind = kinds.stream()
                .filter(each ->
                        each.plural().equals(plural) && each.apiVersion().equals(version))
                .findFirst()
                .orElseThrow(() -> new StatusError(
                        StatusError.Reason.NOT_FOUND, "the server could not find the requested resource"));
        var name = path.isEmpty() ? "" : path.removeFirst();
        return new Call(kind, namespace, name, path.isEmpty() ? "" : path.removeFirst(), query);
    }

    private Json.Obj answer(HttpExchange exchange, Call call) throws IOException {
        var body = exchange.getRequestBody().readAllBytes();
        return switch (exchange.getRequestMethod()) {
            case "GET" ->
                call.name.isEmpty()
                        ? list(call)
                        : cluster.get(call.kind, call.object())
                                .orElseThrow(() -> StatusError.notFound(call.kind.resource(), call.name))
                                .json();
            case "POST" ->
                cluster.create(call.kind, Resource.of(JsonText.parseObject(body)), call.options())
                        .json();
            case "PUT" ->
                cluster.update(call.kind, Resource.of(JsonText.parseObject(body)), call.options())
                        .json();
            case "PATCH" -> {
                var type = exchange.getRequestHeaders().getFirst("Content-Type").replaceAll(";.*", "");
                var patch = Patch.of(type, JsonText.parse(body)).orElseThrow();
                yield cluster.patch(call.kind, call.object(), patch, call.options())
                        .json();
            }
            case "DELETE" -> {
                cluster.delete(call.kind, call.object(), deleteOptions(JsonText.parseObject(body)));
                yield JsonText.parseObject("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\"}");
            }
            default -> throw StatusError.methodNotSupported(call.kind.resource(), exchange.getRequestMethod());
        };
    }

    private static Cluster.DeleteOptions deleteOptions(Json.Obj json) {
        return new Cluster.DeleteOptions(
                Optional.of(json.string("preconditions", "uid")).filter(uid -> !uid.isEmpty()),
                Optional.of(json.string("preconditions", "resourceVersion")).filter(version -> !version.isEmpty()),
                Optional.empty(),
                Optional.empty());
    }

    private Json.Obj list(Call call) {
        var listing = cluster.list(call.kind, call.selection());
        int from = Integer.parseInt(call.query.getOrDefault("continue", "0"));
        int to = call.query.containsKey("limit")
                ? Math.min(from + PAGE, listing.items().size())
                : listing.items().size();
        var items = listing.items().subList(from, to).stream()
                .<Json>map(item -> item.json().without("apiVersion").without("kind"))
                .toList();
        var metadata = Json.Obj.builder().put("resourceVersion", listing.resourceVersion());
        if (to < listing.items().size()) {
            metadata.put("continue", Integer.toString(to));
        }
        return Json.Obj.of(
                "kind", Json.of(call.kind.kind() + "List"), "metadata", metadata.build(), "items", new Json.Arr(items));
    }

    private void watch(HttpExchange exchange, Call call) throws IOException {
        try (var watch = cluster.watch(call.kind, call.selection(), call.query.get("resourceVersion"))) {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            while (true) {
                for (var event : watch.next(Duration.ofMillis(500))) {
                    exchange.getResponseBody().write(JsonText.bytes(json(event)));
                    exchange.getResponseBody().write('\n');
                }
                exchange.getResponseBody().flush();
            }
        } catch (Watch.Ended | InterruptedException e) {
            // the answer ends
        }
    }

    private static Json.Obj json(Watch.Event event) {
        return switch (event) {
            case Watch.Added(var object) -> Json.Obj.of("type", Json.of("ADDED"), "object", object.json());
            case Watch.Modified(var object) -> Json.Obj.of("type", Json.of("MODIFIED"), "object", object.json());
            case Watch.Deleted(var object) -> Json.Obj.of("type", Json.of("DELETED"), "object", object.json());
            case Watch.Bookmark(var at) ->
                Json.Obj.of(
                        "type",
                        Json.of("BOOKMARK"),
                        "object",
                        Json.Obj.of("metadata", Json.Obj.of("resourceVersion", Json.of(at))));
        };
    }
}
