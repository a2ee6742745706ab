package dev.towtank.controllers.pipelinesascode.source;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// A forge that has one repository, answers from a table, and remembers what it is told.
final class PretendForge implements AutoCloseable {

    private static final String DIRECTORY = "d1rec70ry";

    private final HttpServer server;
    private final Map<String, String> files = new TreeMap<>();
    /// By path, what a GET of it is answered with.
    final Map<String, String> answers = new ConcurrentHashMap<>();
    /// By method and path, the status with which it is refused.
    final Map<String, Integer> refused = new ConcurrentHashMap<>();

    final List<String> told = new CopyOnWriteArrayList<>();
    final List<String> asked = new CopyOnWriteArrayList<>();

    PretendForge() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    PretendForge with(String path, String text) {
        files.put(path, text);
        return this;
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        var method = exchange.getRequestMethod();
        var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        var authorization = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                .orElse(exchange.getRequestHeaders().getFirst("PRIVATE-TOKEN"));
        var refusal = refused.get(method + " " + path);
        if (refusal != null) {
            send(exchange, refusal, "{\"message\": \"no, said the forge\"}");
            return;
        }
        if (!method.equals("GET")) {
            told.add(method + " " + path + " " + body + " " + authorization);
            // What a GET is answered with may be a list.
            var known = answers.getOrDefault(path, "[");
            send(exchange, 201, known.startsWith("{") ? known : "{\"id\": 41}");
            return;
        }
        asked.add(exchange.getRequestURI().getPath()
                + Optional.ofNullable(exchange.getRequestURI().getQuery())
                        .map(query -> "?" + query)
                        .orElse("")
                + " "
                + authorization
                + " "
                + exchange.getRequestHeaders().getFirst("User-Agent"));
        var known = answers.get(path);
        if (known != null) {
            send(exchange, 200, known);
        } else if (path.endsWith("/git/trees/" + DIRECTORY)) {
            send(exchange, 200, tree());
        } else if (path.contains("/git/trees/")) {
            send(exchange, 200, top());
        } else if (path.endsWith("/repository/tree")) {
            send(exchange, 200, gitLabTree());
        } else if (path.contains("/repository/files/") && path.endsWith("/raw")) {
            var name = path.replaceFirst(".*/repository/files/(.*)/raw", "$1");
            send(exchange, files.containsKey(name) ? 200 : 404, files.getOrDefault(name, ""));
        } else if (path.contains("/git/blobs/")) {
            var name = new String(
                    Base64.getUrlDecoder().decode(path.substring(path.lastIndexOf('/') + 1)), StandardCharsets.UTF_8);
            send(exchange, 200, content(name));
        } else if (path.contains("/contents/") && files.containsKey(path.replaceFirst(".*/contents/", ""))) {
            send(exchange, 200, content(path.replaceFirst(".*/contents/", "")));
        } else {
            send(exchange, 404, "{}");
        }
    }

    private String content(String name) {
        var bytes = files.getOrDefault(name, "").getBytes(StandardCharsets.UTF_8);
        return "{\"content\":\"" + Base64.getEncoder().encodeToString(bytes) + "\"}";
    }

    /// What is beside `.tekton` comes first, as it does in large repositories.
    private String top() {
        var tekton = files.keySet().stream().anyMatch(path -> path.startsWith(".tekton/"))
                ? ",{\"type\":\"tree\",\"path\":\".tekton\",\"sha\":\"" + DIRECTORY + "\"}"
                : "";
        return "{\"truncated\":false,\"tree\":[{\"type\":\"blob\",\"path\":\"README.md\",\"sha\":\"0\"}" + tekton
                + "]}";
    }

    private String tree() {
        return "{\"tree\":[" + entries("sha", ".tekton/") + "]}";
    }

    private String gitLabTree() {
        return "[" + entries("id", "") + "]";
    }

    private String entries(String identity, String prefix) {
        return String.join(
                ",",
                files.keySet().stream()
                        .filter(path -> path.startsWith(".tekton/"))
                        .map(path -> "{\"type\":\"blob\",\"path\":\"" + path.substring(prefix.length()) + "\",\""
                                + identity + "\":\""
                                + Base64.getUrlEncoder()
                                        .withoutPadding()
                                        .encodeToString(path.getBytes(StandardCharsets.UTF_8))
                                + "\"}")
                        .toList());
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        var bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
