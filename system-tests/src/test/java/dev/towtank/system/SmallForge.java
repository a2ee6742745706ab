package dev.towtank.system;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// As much of a Gitea or GitHub as Pipelines-as-Code asks for: a tree of files, and what it is told about commits.
final class SmallForge implements AutoCloseable {

    private static final String DIRECTORY = "d1rec70ry";

    private final HttpServer server;
    private final Map<String, String> files;
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    private SmallForge(HttpServer server, Map<String, String> files) {
        this.server = server;
        this.files = new TreeMap<>(files);
    }

    static SmallForge start(Map<String, String> files) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var forge = new SmallForge(server, files);
        server.createContext("/", forge::answer);
        server.start();
        return forge;
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /// The next thing that is told and contains a text.
    String awaitTold(String text) throws InterruptedException {
        for (var next = told.poll(120, TimeUnit.SECONDS); next != null; next = told.poll(120, TimeUnit.SECONDS)) {
            if (next.contains(text)) {
                return next;
            }
        }
        throw new AssertionError("the forge was not told of " + text);
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (!exchange.getRequestMethod().equals("GET")) {
            told.add(exchange.getRequestMethod() + " " + path + " " + body);
            send(exchange, 201, "{\"id\":5,\"token\":\"t0ken\",\"expires_at\":\"2099-01-01T00:00:00Z\"}");
        } else if (!List.of("token t0ken").equals(exchange.getRequestHeaders().get("Authorization"))) {
            send(exchange, 401, "{}");
        } else if (path.endsWith("/git/trees/" + DIRECTORY)) {
            send(exchange, 200, tree());
        } else if (path.contains("/git/trees/")) {
            send(exchange, 200, "{\"tree\":[{\"type\":\"tree\",\"path\":\".tekton\",\"sha\":\"" + DIRECTORY + "\"}]}");
        } else if (path.endsWith("/branches/main")) {
            send(exchange, 200, "{\"commit\":{\"sha\":\"0ffbea7\",\"id\":\"0ffbea7\",\"message\":\"the newest\"}}");
        } else if (path.endsWith("/repos/team/app")) {
            send(exchange, 200, "{\"default_branch\":\"main\"}");
        } else if (path.endsWith("/repos/team/app/pulls/7")) {
            send(exchange, 200, pullRequest());
        } else if (path.contains("/git/blobs/")) {
            var name = new String(
                    Base64.getUrlDecoder().decode(path.substring(path.lastIndexOf('/') + 1)), StandardCharsets.UTF_8);
            var content = Base64.getEncoder().encodeToString(files.get(name).getBytes(StandardCharsets.UTF_8));
            send(exchange, 200, "{\"encoding\":\"base64\",\"content\":\"" + content + "\"}");
        } else if (path.endsWith("/collaborators/alice")) {
            exchange.sendResponseHeaders(204, -1);
        } else {
            send(exchange, 404, "{}");
        }
        exchange.close();
    }

    private String pullRequest() {
        return """
                {"number":7,"title":"t","state":"open","user":{"login":"alice"},
                 "head":{"sha":"feed1","ref":"new","repo":{"html_url":"%1$s/team/app"}},
                 "base":{"ref":"main","repo":{"html_url":"%1$s/team/app"}}}""".formatted(address());
    }

    private String tree() {
        var entries = files.keySet().stream()
                .filter(path -> path.startsWith(".tekton/"))
                .map(path -> "{\"type\":\"blob\",\"path\":\"" + path.substring(".tekton/".length()) + "\",\"sha\":\""
                        + Base64.getUrlEncoder().withoutPadding().encodeToString(path.getBytes(StandardCharsets.UTF_8))
                        + "\"}")
                .toList();
        return "{\"tree\":[" + String.join(",", entries) + "]}";
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        var bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
