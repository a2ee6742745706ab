package dev.towtank.controllers.pipelines.source;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// Serves what it is given, by path and query, and notes who asked for what.
final class FakeServer implements AutoCloseable {

    /// What was asked for, with the credentials that came along.
    final List<String> requests = new CopyOnWriteArrayList<>();

    private final HttpServer server;
    private final Map<String, byte[]> pages = new ConcurrentHashMap<>();
    private final Map<String, String> moved = new ConcurrentHashMap<>();
    private volatile String challenge = "";

    FakeServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            var path = exchange.getRequestURI().toString();
            var headers = exchange.getRequestHeaders();
            var who = headers.containsKey("PRIVATE-TOKEN")
                    ? headers.getFirst("PRIVATE-TOKEN")
                    : headers.getFirst("Authorization");
            requests.add(path + (who == null ? "" : " as " + who));
            var body = pages.getOrDefault(path, new byte[0]);
            int status = pages.containsKey(path) ? 200 : 404;
            if (moved.containsKey(path)) {
                exchange.getResponseHeaders().add("Location", moved.get(path));
                status = 307;
            } else if (!challenge.isEmpty() && who == null && path.startsWith("/v2/")) {
                exchange.getResponseHeaders().add("WWW-Authenticate", challenge);
                status = 401;
            }
            exchange.sendResponseHeaders(status, status == 200 && body.length > 0 ? body.length : -1);
            if (status == 200) {
                exchange.getResponseBody().write(body);
            }
            exchange.close();
        });
        server.start();
    }

    FakeServer with(String path, String text) {
        return with(path, text.getBytes(StandardCharsets.UTF_8));
    }

    FakeServer with(String path, byte[] body) {
        pages.put(path, body);
        return this;
    }

    FakeServer moving(String path, String elsewhere) {
        moved.put(path, elsewhere);
        return this;
    }

    FakeServer asking(String how) {
        challenge = how;
        return this;
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
