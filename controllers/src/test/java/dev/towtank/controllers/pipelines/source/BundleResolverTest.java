package dev.towtank.controllers.pipelines.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.controllers.git.source.Rewrites;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundleResolverTest {

    private static final String TASK = "kind: Task\nmetadata: {name: a}\n";

    private final BundleResolver resolver = new BundleResolver();
    private final FakeServer registry;
    private final byte[] layer = gzip(tar(TASK));
    private final String manifest = manifest(Digests.of(layer), "task", "a");
    private final String digest = Digests.of(manifest.getBytes(StandardCharsets.UTF_8));

    BundleResolverTest() throws IOException {
        registry = new FakeServer()
                .with("/v2/tasks/all/manifests/v1", manifest)
                .with("/v2/tasks/all/manifests/" + digest, manifest)
                .with("/v2/tasks/all/blobs/" + Digests.of(layer), layer);
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private static String manifest(String blob, String kind, String name) {
        return """
                {"schemaVersion": 2, "layers": [{"digest": "%s", "annotations": {"dev.tekton.image.kind": "%s",
                 "dev.tekton.image.name": "%s", "dev.tekton.image.apiVersion": "v1"}}]}""".formatted(blob, kind, name);
    }

    private static byte[] tar(String text) {
        var content = text.getBytes(StandardCharsets.UTF_8);
        var archive = new byte[512 + (content.length + 511) / 512 * 512 + 1024];
        put(archive, 0, "a.yaml");
        put(archive, 124, "%011o".formatted(content.length));
        put(archive, 148, "        ");
        int sum = 0;
        for (int i = 0; i < 512; i++) {
            sum += archive[i] & 0xFF;
        }
        put(archive, 148, "%06o\0 ".formatted(sum));
        System.arraycopy(content, 0, archive, 512, content.length);
        return archive;
    }

    private static void put(byte[] archive, int at, String text) {
        System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, archive, at, text.length());
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var packed = new GZIPOutputStream(out)) {
            packed.write(bytes);
        }
        return out.toByteArray();
    }

    private Resolver.Answer resolve(Map<String, String> params, Rewrites rewrites) throws Exception {
        return resolver.resolve(Questions.of(params, resolver.installed().settings(), rewrites));
    }

    private Map<String, String> params(String host, String version) {
        return Map.of("bundle", host + ":" + registry.port() + "/tasks/all" + version, "name", "a");
    }

    @Test
    void readsALayerOfAnImageInARegistry() throws Exception {
        var answer = resolve(params("127.0.0.1", ":v1"), Rewrites.NONE);

        assertThat(answer.text()).isEqualTo(TASK);
        assertThat(answer.source().string("uri")).isEqualTo("127.0.0.1:" + registry.port() + "/tasks/all");
        assertThat("sha256:" + answer.source().string("digest", "sha256")).isEqualTo(digest);
        assertThat(answer.source().string("entryPoint")).isEqualTo("a");
        assertThat(answer.annotations()).containsEntry("resolution.tekton.dev/dev.tekton.image.kind", "task");
    }

    @Test
    void readsALayerThatIsJustTheText() throws Exception {
        var raw = TASK.getBytes(StandardCharsets.UTF_8);
        registry.with("/v2/tasks/all/manifests/raw", manifest(Digests.of(raw), "task", "a"))
                .with("/v2/tasks/all/blobs/" + Digests.of(raw), raw);

        assertThat(resolve(params("127.0.0.1", ":raw"), Rewrites.NONE).text()).isEqualTo(TASK);
    }

    @Test
    void goesByTheDigestAndKnowsThatItNeverChanges() throws Exception {
        var params = params("127.0.0.1", "@" + digest);

        assertThat(resolve(params, Rewrites.NONE).text()).isEqualTo(TASK);
        assertThat(resolver.isImmutable(Questions.of(params, Map.of(), Rewrites.NONE)))
                .isTrue();
        assertThat(resolver.isImmutable(Questions.of(params("x", ":v1"), Map.of(), Rewrites.NONE)))
                .isFalse();
    }

    @Test
    void tellsARegistryThatAsksWhoItIs() throws Exception {
        registry.asking("Basic realm=\"here\"");
        var settings = resolver.installed().settings();
        var port = ":" + registry.port();
        var credentials = new Resolver.Credentials() {
            @Override
            public String secret(String namespace, String name, String key) {
                return "";
            }

            @Override
            public Map<String, String> secret(String name) {
                return Map.of();
            }

            @Override
            public java.util.List<dev.towtank.model.Json.Obj> registries(
                    String account, java.util.Optional<String> secret) {
                return java.util.List.of(dev.towtank.model.JsonText.parseObject(
                        "{\"http://127.0.0.1" + port + "/v2/\": {\"username\": \"me\", \"password\": \"pass\"}}"));
            }
        };
        var question = new Resolver.Question(
                params("127.0.0.1", ":v1"), settings, credentials, Rewrites.NONE, java.time.Duration.ofSeconds(20));

        assertThat(resolver.resolve(question).text()).isEqualTo(TASK);
        assertThat(registry.requests).contains("/v2/tasks/all/manifests/v1 as Basic bWU6cGFzcw==");

        registry.asking("Bearer realm=\"" + registry.url() + "/token\",service=\"here\"")
                .with("/token?service=here&scope=repository%3Atasks%2Fall%3Apull", "{\"token\": \"t0ken\"}");
        assertThat(resolver.resolve(question).text()).isEqualTo(TASK);
        assertThat(registry.requests).contains("/v2/tasks/all/manifests/v1 as Bearer t0ken");
    }

    @Test
    void doesNotTellOtherServersTheSecret() throws Exception {
        try (var elsewhere = new FakeServer().with("/blob", layer)) {
            registry.asking("Basic realm=\"here\"")
                    .moving(
                            "/v2/tasks/all/blobs/" + Digests.of(layer),
                            "http://localhost:" + elsewhere.port() + "/blob");
            var params = new HashMap<>(params("localhost", ":v1"));
            var rewrites = new Rewrites(Map.of("example.com/", "127.0.0.1:" + registry.port() + "/"));
            params.put("bundle", "example.com/tasks/all:v1");

            assertThatThrownBy(() -> resolve(params, rewrites)).hasMessageContaining("wants credentials");
            assertThat(elsewhere.requests).isEmpty();
            registry.asking("");
            assertThat(resolve(params, rewrites).text()).isEqualTo(TASK);
            assertThat(elsewhere.requests).containsExactly("/blob");
        }
    }

    @Test
    void readsAnImageInADirectory(@TempDir Path directory) throws Exception {
        var image = directory.resolve("tasks/all");
        var blobs = image.resolve("blobs/sha256");
        Files.createDirectories(blobs);
        Files.write(blobs.resolve(Digests.checkedName(Digests.of(layer))), layer);
        Files.writeString(blobs.resolve(Digests.checkedName(digest)), manifest);
        Files.writeString(image.resolve("index.json"), """
                {"manifests": [{"digest": "%s", "annotations": {"org.opencontainers.image.ref.name": "v1"}}]}""".formatted(digest));
        var rewrites = new Rewrites(Map.of("ghcr.io/", "oci:" + directory + "/"));

        assertThat(resolve(Map.of("bundle", "ghcr.io/tasks/all:v1", "name", "a"), rewrites)
                        .text())
                .isEqualTo(TASK);
        assertThatThrownBy(() -> resolve(Map.of("bundle", "ghcr.io/tasks/all:v2", "name", "a"), rewrites))
                .hasMessage("cannot retrieve the oci image: no image v2 in all");
    }

    @Test
    void saysWhatIsWrongWithABundle() {
        registry.with("/v2/tasks/all/manifests/plural", manifest("sha256:0", "tasks", "a"))
                .with("/v2/tasks/all/manifests/bare", "{\"layers\": [{\"digest\": \"sha256:0\"}]}")
                .with("/v2/tasks/all/manifests/wrong", manifest("sha256:" + "0".repeat(64), "task", "a"))
                .with("/v2/tasks/all/blobs/sha256:" + "0".repeat(64), "other")
                .with("/v2/tasks/all/manifests/many", "{\"layers\": [" + "{},".repeat(20) + "{}]}");
        var name = "127.0.0.1:" + registry.port() + "/tasks/all:";

        refused(
                "plural",
                "invalid tekton bundle " + name + "plural, error: the layer 0 the annotation"
                        + " dev.tekton.image.kind must be lowercased and singular, found tasks");
        refused(
                "bare",
                "invalid tekton bundle " + name + "bare, error: the layer 0 does not contain a"
                        + " dev.tekton.image.apiVersion annotation");
        refused(
                "many",
                "invalid tekton bundle " + name + "many, error: contained more than the maximum 20 allow" + " objects");
        assertThatThrownBy(() -> resolve(params("127.0.0.1", ":wrong"), Rewrites.NONE))
                .hasMessageStartingWith("digest mismatch, expected sha256:0000");
        assertThatThrownBy(() -> resolve(params("127.0.0.1", ":none"), Rewrites.NONE))
                .hasMessage("cannot retrieve the oci image: GET " + registry.url()
                        + "/v2/tasks/all/manifests/none: unexpected status code 404");
        var other = new HashMap<>(params("127.0.0.1", ":v1"));
        other.put("name", "b");
        assertThatThrownBy(() -> resolve(other, Rewrites.NONE))
                .hasMessage("could not find object in image with kind: task and name: b");
        assertThatThrownBy(() -> resolve(Map.of("bundle", "UPPER/case"), Rewrites.NONE))
                .hasMessage("invalid bundle reference: could not parse reference: UPPER/case");
        assertThatThrownBy(() -> resolve(Map.of("name", "a"), Rewrites.NONE))
                .hasMessage("parameter \"bundle\" required");
    }

    private void refused(String version, String message) {
        assertThatThrownBy(() -> resolve(params("127.0.0.1", ":" + version), Rewrites.NONE))
                .hasMessage(message);
    }
}
