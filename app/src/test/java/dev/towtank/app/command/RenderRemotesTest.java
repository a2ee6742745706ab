package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.towtank.model.Sha256;
import dev.towtank.model.template.crypto.Certificates;
import dev.towtank.model.template.crypto.PrivateKeys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A chart repository and a registry, whose certificate is signed by an authority that no machine knows.
final class RenderRemotesTest {

    private static final String ME =
            "Basic " + Base64.getEncoder().encodeToString("me:geheim".getBytes(StandardCharsets.UTF_8));

    private final Terminal terminal = new Terminal();
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    @TempDir
    Path temp;

    private HttpsServer server;
    private String host;

    @BeforeEach
    void start() throws Exception {
        terminal.environment.put("HOME", temp.resolve("home").toString());
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(certified()));
        server.createContext("/", this::answer);
        server.start();
        host = "127.0.0.1:" + server.getAddress().getPort();
        var archive = archive();
        var digest = "sha256:" + HexFormat.of().formatHex(Sha256.of(archive));
        files.put("/charts/index.yaml", bytes("entries: {web: [{version: 1.0.0, urls: [web-1.0.0.tgz]}]}\n"));
        files.put("/charts/web-1.0.0.tgz", archive);
        files.put("/v2/oci/web/tags/list", bytes("{\"tags\": [\"1.0.0\"]}"));
        files.put("/v2/oci/web/manifests/1.0.0", bytes("""
                {"layers": [{"mediaType": "application/vnd.cncf.helm.chart.content.v1.tar+gzip", "digest": "%s"}]}
                """.formatted(digest)));
        files.put("/v2/oci/web/blobs/" + digest, archive);
    }

    /// One authority, and a certificate of it for the server; the file has the authority alone.
    private SSLContext certified() throws Exception {
        var chance = new SecureRandom();
        var authorityKeys = PrivateKeys.p256(chance);
        var since = Instant.now().minusSeconds(60);
        var authority = Certificates.issue(
                new Certificates.Subject("authority", List.of(), List.of(), true),
                authorityKeys,
                new Certificates.Signer(null, authorityKeys),
                since,
                Duration.ofHours(1),
                chance);
        var keys = PrivateKeys.p256(chance);
        var own = Certificates.issue(
                new Certificates.Subject("server", List.of(new byte[] {127, 0, 0, 1}), List.of(), false),
                keys,
                new Certificates.Signer(Certificates.read(authority), authorityKeys),
                since,
                Duration.ofHours(1),
                chance);
        Files.writeString(temp.resolve("authority.pem"), authority);
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("server", keys.getPrivate(), new char[0], new Certificate[] {Certificates.read(own)});
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, new char[0]);
        var context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, chance);
        return context;
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        var who = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        asked.add(exchange.getRequestMethod() + " " + path + " " + who);
        if (path.equals("/token")) {
            var form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            boolean isGood = exchange.getRequestMethod().equals("POST")
                    ? form.contains("grant_type=refresh_token") && form.contains("refresh_token=me%2Bgeheim")
                    : who.equals(ME);
            reply(exchange, isGood ? 200 : 401, bytes("{\"access_token\": \"given\"}"));
        } else if (path.startsWith("/v2/") && !who.equals("Bearer given") && !who.equals("Bearer own")) {
            exchange.getResponseHeaders()
                    .add("WWW-Authenticate", "Bearer realm=\"https://" + host + "/token\",service=\"s\"");
            reply(exchange, 401, new byte[0]);
        } else {
            var body = files.get(path);
            reply(exchange, body == null ? 404 : 200, body == null ? new byte[0] : body);
        }
    }

    private static void reply(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] archive() throws IOException {
        var out = new ByteArrayOutputStream();
        try (var packed = new GZIPOutputStream(out)) {
            entry(packed, "web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
            entry(
                    packed,
                    "web/templates/a.yaml",
                    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\n");
            packed.write(new byte[1024]);
        }
        return out.toByteArray();
    }

    private static void entry(GZIPOutputStream out, String path, String text) throws IOException {
        var content = bytes(text);
        var header = new byte[512];
        System.arraycopy(bytes(path), 0, header, 0, path.length());
        var size = "%011o".formatted(content.length);
        System.arraycopy(bytes(size), 0, header, 124, size.length());
        header[156] = '0';
        System.arraycopy(bytes("ustar"), 0, header, 257, 5);
        out.write(header);
        out.write(content);
        out.write(new byte[(512 - content.length % 512) % 512]);
    }

    private int render(String... arguments) {
        var all = new java.util.ArrayList<>(List.of("render", "--name", "x", "-o", "names"));
        all.addAll(List.of(arguments));
        return terminal.run(all.toArray(String[]::new));
    }

    private String authority() {
        return temp.resolve("authority.pem").toString();
    }

    @Test
    void aRepositoryWithAnAuthorityOfItsOwn() throws IOException {
        assertThat(render("web", "--repo", "https://" + host + "/charts")).isEqualTo(1);
        assertThat(terminal.err()).contains("no safe connection to 127.0.0.1", "--ca-file");
        assertThat(render("web", "--repo", "https://" + host + "/charts", "--ca-file", authority()))
                .as(terminal.err())
                .isZero();
        assertThat(terminal.out()).isEqualTo("configmap/x\n");
        assertThat(render("https://" + host + "/charts/web-1.0.0.tgz", "--ca-file", authority()))
                .isZero();
        Files.writeString(temp.resolve("none.pem"), "nothing");
        assertThat(render(
                        "web",
                        "--repo",
                        "https://" + host + "/charts",
                        "--ca-file",
                        temp.resolve("none.pem").toString()))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("--ca-file").contains("none.pem");
    }

    @Test
    void aRegistryWithAnAuthorityOfItsOwnAndAPassword() throws IOException {
        Files.writeString(temp.resolve("password"), "geheim\n");

        assertThat(render(
                        "oci://" + host + "/oci/web",
                        "--ca-file",
                        authority(),
                        "--username",
                        "me",
                        "--password-file",
                        temp.resolve("password").toString()))
                .as(terminal.err())
                .isZero();
        assertThat(terminal.out()).isEqualTo("configmap/x\n");
        assertThat(asked).contains("GET /token " + ME, "GET /v2/oci/web/manifests/1.0.0 Bearer given");
    }

    @Test
    void tokensInPlaceOfPasswords() throws IOException {
        docker("{\"identitytoken\": \"me+geheim\"}");
        assertThat(render("oci://" + host + "/oci/web", "--ca-file", authority()))
                .as(terminal.err())
                .isZero();
        assertThat(asked).contains("POST /token null", "GET /v2/oci/web/manifests/1.0.0 Bearer given");
        docker("{\"registrytoken\": \"own\"}");
        assertThat(render("oci://" + host + "/oci/web", "--ca-file", authority()))
                .isZero();
        assertThat(asked).contains("GET /v2/oci/web/tags/list Bearer own");
        docker("{\"identitytoken\": \"falsch\"}");
        assertThat(render("oci://" + host + "/oci/web", "--ca-file", authority()))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("/token : 401").doesNotContain("falsch");
    }

    private void docker(String login) throws IOException {
        Files.createDirectories(temp.resolve("home/.docker"));
        Files.writeString(temp.resolve("home/.docker/config.json"), "{\"auths\": {\"" + host + "\": " + login + "}}");
    }
}
