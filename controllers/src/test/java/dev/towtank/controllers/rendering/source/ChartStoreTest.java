package dev.towtank.controllers.rendering.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.towtank.model.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Against a small server of charts that wants to know who asks.
class ChartStoreTest {
    private static final String ME =
            "Basic " + Base64.getEncoder().encodeToString("me:geheim".getBytes(StandardCharsets.UTF_8));

    @TempDir
    Path temp;

    private HttpServer server;
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        var who = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        asked.add(path + " " + (who.equals("null") ? "nobody" : who.equals(ME) ? "me" : who));
        var body = files.get(path);
        var mark = "\"" + (body == null ? 0 : body.length) + "\"";
        if (path.startsWith("/private/") && !who.equals(ME)) {
            reply(exchange, 401, new byte[0]);
        } else if (path.startsWith("/v2/") && !who.equals("Bearer token")) {
            exchange.getResponseHeaders()
                    .add("WWW-Authenticate", "Bearer realm=\"" + base("http") + "/token\",service=\"s\"");
            reply(exchange, 401, new byte[0]);
        } else if (path.equals("/moved.tgz")) {
            exchange.getResponseHeaders()
                    .add("Location", base("http").replace("127.0.0.1", "localhost") + "/private/web-1.2.0.tgz");
            reply(exchange, 302, new byte[0]);
        } else if (body == null) {
            reply(exchange, 404, new byte[0]);
        } else if (mark.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
            reply(exchange, 304, new byte[0]);
        } else {
            if (path.endsWith("index.yaml")) {
                exchange.getResponseHeaders().add("ETag", mark);
            }
            reply(exchange, 200, body);
        }
    }

    private static void reply(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private String base(String scheme) {
        return scheme + "://127.0.0.1:" + server.getAddress().getPort();
    }

    private ChartStore store() {
        return new ChartStore(temp.resolve("cache"), _ -> Optional.of(new Login("me", "geheim")));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void repository(String digest) throws IOException {
        var archive = archive("web", "1.2.0");
        files.put("/private/web-1.2.0.tgz", archive);
        files.put("/private/index.yaml", bytes("""
                apiVersion: v1
                entries:
                  web:
                  - {version: 2.0.0-rc.1, urls: [web-2.0.0-rc.1.tgz]}
                  - {version: 1.2.0, urls: [web-1.2.0.tgz], digest: "%s"}
                  - {version: 1.1.0, urls: [web-1.1.0.tgz]}
                  empty: []
                """.formatted(
                        digest.isEmpty() ? HexFormat.of().formatHex(Sha256.of(archive)) : digest)));
    }

    @Test
    void chartsOfRepositoriesAreKept() throws IOException {
        repository("");
        var store = store();

        assertThat(store.version(base("http") + "/private/", "web", "")).isEqualTo("1.2.0");
        assertThat(store.version(base("http") + "/private", "web", "~1.1")).isEqualTo("1.1.0");
        assertThat(store.version(base("http") + "/private", "web", "2.0.0-rc.1"))
                .isEqualTo("2.0.0-rc.1");
        assertThat(store.files(base("http") + "/private", "web", "^1")).containsOnlyKeys("Chart.yaml");
        assertThat(store().files(base("http") + "/private", "web", "1.2.0")).containsOnlyKeys("Chart.yaml");
        assertThat(asked.stream().filter("/private/web-1.2.0.tgz me"::equals)).hasSize(1);
        try (var kept = Files.walk(temp.resolve("cache"))) {
            assertThat(kept.map(each -> each.getFileName().toString()))
                    .allMatch(name -> name.equals("cache") || name.matches("[0-9a-f]{64}\\.(tgz|index|etag)"));
        }
    }

    @Test
    void aPasswordGoesToNobodyElseAndDoesNotShow() throws IOException {
        repository("");
        var foreign = base("http").replace("127.0.0.1", "localhost");
        files.put(
                "/private/index.yaml",
                bytes("entries: {web: [{version: 1.0.0, urls: ['" + foreign + "/elsewhere.tgz']}]}\n"));

        assertThatThrownBy(() -> store().files(base("http") + "/private", "web", ""))
                .hasMessageContaining("/elsewhere.tgz : 404")
                .message()
                .doesNotContain("geheim");
        assertThat(asked).contains("/elsewhere.tgz nobody");
        assertThatThrownBy(() -> store().archive(base("http") + "/moved.tgz")).hasMessageContaining(" : 401");
        assertThat(asked).contains("/private/web-1.2.0.tgz nobody");
        assertThat(new Login("me", "geheim").toString())
                .doesNotContain("geheim")
                .doesNotContain("me");
    }

    @Test
    void namesInAddressesAreUsedAndNotShown() throws IOException {
        repository("");
        var store = new ChartStore(temp.resolve("cache"), _ -> Optional.empty());
        var address = base("http").replace("://", "://me:geheim@") + "/private";

        assertThat(store.version(address, "web", "")).isEqualTo("1.2.0");
        assertThatThrownBy(() -> store.version(address.replace("geheim", "falsch"), "web", ""))
                .hasMessageContaining("401: it wants a name and password")
                .message()
                .doesNotContain("falsch");
        assertThatThrownBy(() -> store.version("ftp://me:geheim@x/y", "web", ""))
                .hasMessageContaining("is https://…, http://… or oci://…")
                .message()
                .doesNotContain("geheim");
    }

    @Test
    void saysWhatIsMissingOrWrong() throws IOException {
        repository("0000");
        var place = base("http") + "/private";

        assertThatThrownBy(() -> store().files(place, "web", "1.2.0"))
                .hasMessage("chart \"web\" version \"1.2.0\" is not what the index says: its digest is another");
        assertThatThrownBy(() -> store().files(place, "gone", "")).hasMessageContaining("chart \"gone\" not found in");
        assertThatThrownBy(() -> store().files(place, "web", "9.x"))
                .hasMessageContaining("chart \"web\" matching version \"9.x\" not found in");
        files.put("/private/index.yaml", bytes("- a\n"));
        assertThatThrownBy(() -> store().files(place, "web", "")).hasMessageContaining("is no index of charts");
        assertThatThrownBy(() -> store().files("http://127.0.0.1:1/x", "web", ""))
                .hasMessageContaining("cannot reach 127.0.0.1");
    }

    @Test
    void chartsOfRegistries() throws IOException {
        var archive = archive("web", "1.2.0+a");
        var digest = "sha256:" + HexFormat.of().formatHex(Sha256.of(archive));
        files.put("/token", bytes("{\"token\": \"token\"}"));
        files.put("/v2/charts/web/tags/list", bytes("{\"tags\": [\"1.0.0\", \"1.2.0_a\", \"latest\"]}"));
        files.put("/v2/charts/web/manifests/1.2.0_a", bytes("""
                {"layers": [{"mediaType": "application/vnd.cncf.helm.chart.content.v1.tar+gzip", "digest": "%s"}]}
                """.formatted(digest)));
        files.put("/v2/charts/web/manifests/1.0.0", bytes("{\"layers\": []}"));
        files.put("/v2/charts/web/blobs/" + digest, archive);
        var place = base("oci") + "/charts";

        assertThat(store().version(place, "web", ">1.0")).isEqualTo("1.2.0+a");
        assertThat(store().files(place, "web", "")).containsOnlyKeys("Chart.yaml");
        assertThat(store().files(place + "/web", "", "1.2.0+a")).containsOnlyKeys("Chart.yaml");
        assertThat(asked).contains("/token me").doesNotContain("/v2/charts/web/tags/list me");
        assertThatThrownBy(() -> store().files(place, "web", "1.0.0")).hasMessageContaining("is no chart");
        files.put("/v2/charts/web/blobs/" + digest, bytes("other"));
        assertThatThrownBy(
                        () -> new ChartStore(temp.resolve("new"), _ -> Optional.empty()).files(place, "web", "1.2.0+a"))
                .hasMessageContaining("is not what its digest says");
        assertThatThrownBy(() -> store().files("oci://x/../y", "web", "")).hasMessageContaining("is oci://host/path");
    }

    /// An archive as `helm package` writes it.
    static byte[] archive(String name, String version) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var packed = new GZIPOutputStream(out)) {
            var content = bytes("apiVersion: v2\nname: " + name + "\nversion: " + version + "\n");
            var header = new byte[512];
            put(header, 0, name + "/Chart.yaml");
            put(header, 124, "%011o".formatted(content.length));
            header[156] = '0';
            put(header, 257, "ustar");
            packed.write(header);
            packed.write(content);
            packed.write(new byte[(512 - content.length % 512) % 512 + 1024]);
        }
        return out.toByteArray();
    }

    private static void put(byte[] header, int at, String text) {
        System.arraycopy(bytes(text), 0, header, at, text.length());
    }
}
