package dev.towtank.controllers.registry.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistryServerTest {

    private static final byte[] LAYER = "a layer, more or less".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path home;

    private final Map<String, String> namespaces = new HashMap<>(Map.of("team", "1", "other", "2"));
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private String token = "team";
    private Uploads.Limits limits = new Uploads.Limits(3, 1000, 0);
    private RegistryServer server;

    /// The token is the namespace in which its owner may do all; "all" may read everywhere.
    private final RegistryRights rights = new RegistryRights() {
        @Override
        public Optional<Caller> caller(String header) {
            return header.isEmpty() ? Optional.empty() : Optional.of(new Caller(header, List.of()));
        }

        @Override
        public boolean mayPull(Caller caller, String namespace) {
            return caller.user().equals("all") || caller.user().equals(namespace);
        }

        @Override
        public boolean mayPush(Caller caller, String namespace) {
            return caller.user().equals(namespace);
        }
    };

    @BeforeEach
    void open() {
        server = new RegistryServer(
                new RegistryStore(home, name -> Optional.ofNullable(namespaces.get(name)), () -> now),
                limits,
                rights,
                () -> now);
    }

    private record Answer(int status, Map<String, String> headers, String text) {
        String location() {
            return headers.getOrDefault("Location", "");
        }
    }

    private Answer ask(String method, String target) throws Exception {
        return ask(method, target, new byte[0], Map.of());
    }

    private Answer ask(String method, String target, byte[] body, Map<String, String> headers) throws Exception {
        return ask(method, target, new ByteArrayInputStream(body), headers);
    }

    private Answer ask(String method, String target, InputStream body, Map<String, String> headers) throws Exception {
        int mark = target.indexOf('?');
        var sent = new HashMap<String, List<String>>();
        headers.forEach((name, value) -> sent.put(name, List.of(value)));
        if (!token.isEmpty()) {
            sent.put("authorization", List.of(token));
        }
        return read(server.handle(new WebRequest(
                method,
                mark < 0 ? target : target.substring(0, mark),
                mark < 0 ? "" : target.substring(mark + 1),
                sent,
                body,
                Optional.empty(),
                false)));
    }

    private static Answer read(WebResponse response) throws Exception {
        var out = new ByteArrayOutputStream();
        response.body().writeTo(out);
        var headers = new HashMap<String, String>();
        response.headers().forEach(header -> headers.put(header.name(), header.value()));
        return new Answer(response.status(), headers, out.toString(StandardCharsets.UTF_8));
    }

    private static String text(byte[] content) {
        return new String(content, StandardCharsets.UTF_8);
    }

    private static String digest(byte[] content) {
        return "sha256:" + HexFormat.of().formatHex(Sha256.begin().digest(content));
    }

    private void push(String repository, byte[] content) throws Exception {
        var begun = ask("POST", "/v2/" + repository + "/blobs/uploads/");
        assertThat(begun.status()).as(begun.text()).isEqualTo(202);
        assertThat(ask("PUT", begun.location() + "?digest=" + digest(content), content, Map.of())
                        .status())
                .isEqualTo(201);
    }

    private byte[] manifest(byte[] layer) {
        var part = Json.Obj.of("digest", Json.of(digest(layer)), "size", Json.of(layer.length));
        return JsonText.write(Json.Obj.of("schemaVersion", Json.of(2), "config", part, "layers", Json.Arr.of(part)))
                .getBytes(StandardCharsets.UTF_8);
    }

    private Answer tag(String repository, String tag, byte[] manifest) throws Exception {
        return ask(
                "PUT",
                "/v2/" + repository + "/manifests/" + tag,
                manifest,
                Map.of("content-type", "application/vnd.oci.image.manifest.v1+json"));
    }

    @Test
    void whatIsPushedInPiecesIsPulledWhole() throws Exception {
        var begun = ask("POST", "/v2/team/app/blobs/uploads/");
        var first = ask("PATCH", begun.location(), "a layer,".getBytes(StandardCharsets.UTF_8), Map.of());
        assertThat(first.status()).isEqualTo(202);
        assertThat(first.headers()).containsEntry("Range", "0-7");
        assertThat(ask("GET", begun.location()).headers()).containsEntry("Range", "0-7");
        assertThat(ask("PATCH", begun.location(), new byte[3], Map.of("content-range", "5-7"))
                        .status())
                .isEqualTo(416);
        var rest = " more or less".getBytes(StandardCharsets.UTF_8);
        assertThat(ask("PATCH", begun.location(), rest, Map.of("content-range", "8-20"))
                        .status())
                .isEqualTo(202);
        assertThat(ask("PUT", begun.location() + "?digest=" + digest(LAYER)).status())
                .isEqualTo(201);
        assertThat(tag("team/app", "v1", manifest(LAYER)).headers())
                .containsEntry("Docker-Content-Digest", digest(manifest(LAYER)));

        token = "all";
        assertThat(ask("GET", "/v2/team/app/blobs/" + digest(LAYER)).text()).isEqualTo(text(LAYER));
        var part = ask("GET", "/v2/team/app/blobs/" + digest(LAYER), new byte[0], Map.of("range", "bytes=2-6"));
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.text()).isEqualTo("layer");
        assertThat(ask("GET", "/v2/team/app/blobs/" + digest(LAYER), new byte[0], Map.of("range", "bytes=99-"))
                        .status())
                .isEqualTo(416);
        assertThat(ask("GET", "/v2/team/app/manifests/v1").text()).isEqualTo(text(manifest(LAYER)));
        assertThat(ask("HEAD", "/v2/team/app/manifests/" + digest(manifest(LAYER)))
                        .headers())
                .containsEntry("Content-Type", "application/vnd.oci.image.manifest.v1+json");
        assertThat(ask("GET", "/v2/team/app/tags/list").text()).isEqualTo("{\"name\":\"team/app\",\"tags\":[\"v1\"]}");
        assertThat(ask("GET", "/v2/_catalog").text()).isEqualTo("{\"repositories\":[\"team/app\"]}");
    }

    @Test
    void nobodyReadsOrWritesWhatIsAnothers() throws Exception {
        push("team/app", LAYER);
        tag("team/app", "v1", manifest(LAYER));
        token = "";
        assertThat(ask("GET", "/v2/").headers()).containsEntry("WWW-Authenticate", "Basic realm=\"towtank registry\"");
        token = "other";
        assertThat(ask("GET", "/v2/").status()).isEqualTo(200);
        for (var path : List.of("blobs/" + digest(LAYER), "manifests/v1", "tags/list")) {
            assertThat(ask("GET", "/v2/team/app/" + path).text())
                    .contains("DENIED")
                    .contains("may not pull from team");
        }
        assertThat(ask("POST", "/v2/team/app/blobs/uploads/").status()).isEqualTo(403);
        assertThat(ask("GET", "/v2/_catalog").text()).isEqualTo("{\"repositories\":[]}");
        // That the content is here says nothing to who has not brought it.
        assertThat(ask("HEAD", "/v2/other/app/blobs/" + digest(LAYER)).status()).isEqualTo(404);
        var mounted = ask("POST", "/v2/other/app/blobs/uploads/?mount=" + digest(LAYER) + "&from=team/app");
        assertThat(mounted.status()).isEqualTo(202);
        assertThat(tag("other/app", "v1", manifest(LAYER)).text()).contains("MANIFEST_BLOB_UNKNOWN");
    }

    @Test
    void oneRepositoryGivesToAnotherOfItsOwner() throws Exception {
        push("team/app", LAYER);

        assertThat(ask("POST", "/v2/team/tool/blobs/uploads/?mount=" + digest(LAYER) + "&from=team/app")
                        .status())
                .isEqualTo(201);
        assertThat(ask("GET", "/v2/team/tool/blobs/" + digest(LAYER)).text()).isEqualTo(text(LAYER));
    }

    @Test
    void liesAreNotKept() throws Exception {
        var begun = ask("POST", "/v2/team/app/blobs/uploads/");
        assertThat(ask("PUT", begun.location() + "?digest=" + digest(LAYER), new byte[5], Map.of())
                        .text())
                .contains("DIGEST_INVALID");
        assertThat(ask("GET", begun.location()).status()).isEqualTo(404);
        assertThat(ask(
                                "PUT",
                                "/v2/team/app/manifests/" + digest(LAYER),
                                "{}".getBytes(StandardCharsets.UTF_8),
                                Map.of())
                        .text())
                .contains("DIGEST_INVALID");
        assertThat(tag("team/app", "v1", "no json".getBytes(StandardCharsets.UTF_8))
                        .text())
                .contains("MANIFEST_INVALID");
        assertThat(tag("team/app", "v1", new byte[(4 << 20) + 1]).status()).isEqualTo(413);
        assertThat(tag("gone/app", "v1", "{}".getBytes(StandardCharsets.UTF_8)).status())
                .isEqualTo(403);
        try (var files = Files.list(home.resolve("uploads"))) {
            assertThat(files).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v2/app/manifests/v1",
                "/v2/../team/manifests/v1",
                "/v2/team/../../x/manifests/v1",
                "/v2/team//app/manifests/v1",
                "/v2/TEAM/app/manifests/v1",
                "/v2/team/app/manifests/..",
                "/v2/team/app/blobs/sha256:..",
                "/v2/team/app/blobs/uploads/../../blobs",
                "/v2/team%2fapp/blobs/uploads/x",
                "/v2/team/app/blobs/uploads/..",
                "/",
            })
    void namesLeadNowhereElse(String path) throws Exception {
        assertThat(ask("GET", path).status()).isBetween(400, 404);
    }

    @Test
    void whatIsTooMuchIsRefused() throws Exception {
        var begun = ask("POST", "/v2/team/app/blobs/uploads/");
        assertThat(ask("PATCH", begun.location(), new byte[2000], Map.of()).status())
                .isEqualTo(413);
        for (int i = 0; i < 3; i++) {
            assertThat(ask("POST", "/v2/team/app/blobs/uploads/").status()).isEqualTo(202);
        }
        assertThat(ask("POST", "/v2/team/app/blobs/uploads/").status()).isEqualTo(429);
        now = now.plus(Duration.ofHours(2));
        assertThat(ask("POST", "/v2/team/app/blobs/uploads/").status()).isEqualTo(202);
        limits = new Uploads.Limits(3, 1000, Long.MAX_VALUE);
        open();
        var full = ask("POST", "/v2/team/app/blobs/uploads/");
        assertThat(ask("PATCH", full.location(), new byte[5], Map.of()).text()).contains("no space left on device");
    }

    @Test
    void aPieceThatBreaksOffIsForgotten() throws Exception {
        var begun = ask("POST", "/v2/team/app/blobs/uploads/");
        var broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("reset by peer");
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                throw new IOException("reset by peer");
            }
        };
        try {
            ask("PATCH", begun.location(), broken, Map.of());
        } catch (IOException e) {
            assertThat(e).hasMessage("reset by peer");
        }

        assertThat(ask("GET", begun.location()).status()).isEqualTo(404);
    }

    @Test
    void imagesGoWithTheirNamespaceAndTheirLastTag() throws Exception {
        push("team/app", LAYER);
        tag("team/app", "v1", manifest(LAYER));
        push("other/app".replace("other", "team"), new byte[9]);
        namespaces.put("team", "another of the same name");
        assertThat(ask("GET", "/v2/team/app/manifests/v1").status()).isEqualTo(404);
        namespaces.put("team", "1");
        assertThat(ask("GET", "/v2/team/app/manifests/v1").status()).isEqualTo(200);

        assertThat(ask("DELETE", "/v2/team/app/manifests/" + digest(manifest(LAYER)))
                        .status())
                .isEqualTo(202);
        assertThat(ask("GET", "/v2/team/app/manifests/v1").status()).isEqualTo(404);
        now = Instant.now().plus(Duration.ofDays(2));
        server.sweep();
        try (var files = Files.list(home.resolve("blobs"))) {
            assertThat(files).isEmpty();
        }
        assertThat(server.isSwept()).isTrue();
    }

    @Test
    void sweepingLeavesWhatIsUsedOrNew() throws Exception {
        push("team/app", LAYER);
        tag("team/app", "v1", manifest(LAYER));
        now = Instant.now().plus(Duration.ofDays(2));
        server.sweep();
        assertThat(ask("GET", "/v2/team/app/blobs/" + digest(LAYER)).status()).isEqualTo(200);
        now = Instant.now();
        push("team/app", new byte[9]);
        server.sweep();
        assertThat(ask("GET", "/v2/team/app/blobs/" + digest(new byte[9])).status())
                .isEqualTo(200);
    }

    @Test
    void longListsComeInPages() throws Exception {
        push("team/app", LAYER);
        for (var name : List.of("a", "b", "c")) {
            tag("team/app", name, manifest(LAYER));
        }

        var first = ask("GET", "/v2/team/app/tags/list?n=2");
        assertThat(first.text()).contains("[\"a\",\"b\"]");
        assertThat(first.headers()).containsEntry("Link", "</v2/team/app/tags/list?n=2&last=b>; rel=\"next\"");
        var second = ask("GET", "/v2/team/app/tags/list?n=2&last=b");
        assertThat(second.text()).contains("[\"c\"]");
        assertThat(second.headers()).doesNotContainKey("Link");
    }
}
