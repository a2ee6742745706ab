package dev.towtank.system;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// Repositories of a directory over http, behind a password: git's own server program, asked by this one.
final class GitServer implements AutoCloseable {

    private static final String PROGRAM = "/usr/lib/git-core/git-http-backend";

    private final HttpServer server;
    private final Path directory;
    private final String login;
    private final AtomicInteger refused = new AtomicInteger();

    private GitServer(HttpServer server, Path directory, String login) {
        this.server = server;
        this.directory = directory;
        this.login = login;
    }

    static GitServer start(Path directory, String user, String password) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var login = Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
        var git = new GitServer(server, directory, "Basic " + login);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", git::answer);
        server.start();
        return git;
    }

    String address(String repository) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + repository;
    }

    /// How often somebody came with a wrong password.
    int refusals() {
        return refused.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var shown = exchange.getRequestHeaders().getFirst("Authorization");
            if (!login.equals(shown)) {
                if (shown != null) {
                    refused.incrementAndGet();
                }
                exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"git\"");
                exchange.sendResponseHeaders(401, -1);
                return;
            }
            answered(exchange);
        }
    }

    private void answered(HttpExchange exchange) throws IOException {
        var builder = new ProcessBuilder(PROGRAM).redirectError(ProcessBuilder.Redirect.DISCARD);
        var variables = builder.environment();
        variables.put("GIT_PROJECT_ROOT", directory.toString());
        variables.put("GIT_HTTP_EXPORT_ALL", "1");
        variables.put("GIT_CONFIG_COUNT", "1");
        variables.put("GIT_CONFIG_KEY_0", "safe.directory");
        variables.put("GIT_CONFIG_VALUE_0", "*");
        variables.put("REQUEST_METHOD", exchange.getRequestMethod());
        variables.put("PATH_INFO", exchange.getRequestURI().getPath());
        var query = exchange.getRequestURI().getQuery();
        variables.put("QUERY_STRING", query == null ? "" : query);
        var type = exchange.getRequestHeaders().getFirst("Content-Type");
        variables.put("CONTENT_TYPE", type == null ? "" : type);
        var encoding = exchange.getRequestHeaders().getFirst("Content-Encoding");
        variables.put("HTTP_CONTENT_ENCODING", encoding == null ? "" : encoding);
        var protocol = exchange.getRequestHeaders().getFirst("Git-Protocol");
        variables.put("GIT_PROTOCOL", protocol == null ? "" : protocol);
        var process = builder.start();
        try (var in = process.getOutputStream()) {
            exchange.getRequestBody().transferTo(in);
        }
        var said = new ByteArrayOutputStream();
        process.getInputStream().transferTo(said);
        send(exchange, said.toByteArray());
    }

    /// Headers, an empty line, and the body, as programs behind a web server write them.
    private static void send(HttpExchange exchange, byte[] said) throws IOException {
        var text = new String(said, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        int status = 200;
        for (var line : text.substring(0, Math.max(0, end)).split("\r\n", -1)) {
            var parts = line.split(": ", 2);
            if (parts[0].equals("Status")) {
                status = Integer.parseInt(parts[1].substring(0, 3));
            } else if (parts.length == 2) {
                exchange.getResponseHeaders().add(parts[0], parts[1]);
            }
        }
        int body = said.length - end - 4;
        exchange.sendResponseHeaders(status, body == 0 ? -1 : body);
        exchange.getResponseBody().write(said, end + 4, body);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
