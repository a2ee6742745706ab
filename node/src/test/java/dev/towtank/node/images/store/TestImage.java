package dev.towtank.node.images.store;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An image that a test makes, with all its parts by their digests.
public final class TestImage {

    private final Map<Digest, byte[]> blobs = new LinkedHashMap<>();
    private final Digest manifest;

    private TestImage(byte[] manifest, Map<Digest, byte[]> parts) {
        this.manifest = Digest.of(manifest);
        blobs.putAll(parts);
        blobs.put(this.manifest, manifest);
    }

    /// @param config as in the `config` of an image's configuration
    public static TestImage of(String config, TestLayer... layers) throws IOException {
        return of(config, Platform.ofThisMachine().architecture(), layers);
    }

    public static TestImage of(String config, String architecture, TestLayer... layers) throws IOException {
        var parts = new LinkedHashMap<Digest, byte[]>();
        var described = new ArrayList<Json>();
        var diffs = new ArrayList<Json>();
        for (var layer : layers) {
            var plain = layer.plain();
            var packed = TestLayer.gzipped(plain);
            parts.put(Digest.of(packed), packed);
            described.add(descriptor("application/vnd.oci.image.layer.v1.tar+gzip", packed));
            diffs.add(Json.of(Digest.of(plain).toString()));
        }
        var configuration = bytes(Json.Obj.builder()
                .put("os", "linux")
                .put("architecture", architecture)
                .put("config", JsonText.parseObject(config))
                .put("rootfs", Json.Obj.of("diff_ids", new Json.Arr(diffs)).with("type", Json.of("layers")))
                .build());
        parts.put(Digest.of(configuration), configuration);
        var manifest = bytes(Json.Obj.builder()
                .put("schemaVersion", 2)
                .put("mediaType", "application/vnd.oci.image.manifest.v1+json")
                .put("config", descriptor("application/vnd.oci.image.config.v1+json", configuration))
                .put("layers", new Json.Arr(described))
                .build());
        return new TestImage(manifest, parts);
    }

    private static Json.Obj descriptor(String type, byte[] content) {
        return Json.Obj.builder()
                .put("mediaType", type)
                .put("digest", Digest.of(content).toString())
                .put("size", content.length)
                .build();
    }

    private static byte[] bytes(Json json) {
        return JsonText.write(json).getBytes(StandardCharsets.UTF_8);
    }

    public Digest manifest() {
        return manifest;
    }

    public Map<Digest, byte[]> blobs() {
        return blobs;
    }

    /// A list of several images, one for each platform.
    public static byte[] index(Map<String, TestImage> byArchitecture) {
        var entries = new ArrayList<Json>();
        byArchitecture.forEach((architecture, image) ->
                entries.add(descriptor("application/vnd.oci.image.manifest.v1+json", image.blobs.get(image.manifest))
                        .with("platform", Json.Obj.of("os", Json.of("linux"), "architecture", Json.of(architecture)))));
        return bytes(Json.Obj.builder()
                .put("schemaVersion", 2)
                .put("mediaType", "application/vnd.oci.image.index.v1+json")
                .put("manifests", new Json.Arr(entries))
                .build());
    }

    /// Writes it as an OCI layout.
    public Path layout(Path directory, String name) throws IOException {
        var parts = Files.createDirectories(directory.resolve("blobs/sha256"));
        for (var blob : blobs.entrySet()) {
            Files.write(parts.resolve(blob.getKey().hex()), blob.getValue());
        }
        Files.writeString(directory.resolve("oci-layout"), "{\"imageLayoutVersion\": \"1.0.0\"}");
        var entry = descriptor("application/vnd.oci.image.manifest.v1+json", blobs.get(manifest))
                .with("annotations", Json.Obj.of("org.opencontainers.image.ref.name", Json.of(name)));
        Files.write(
                directory.resolve("index.json"),
                bytes(Json.Obj.builder()
                        .put("schemaVersion", 2)
                        .put("manifests", Json.Arr.of(entry))
                        .build()));
        return directory;
    }

    /// Puts it into a store, as if it had come from somewhere.
    public StoredImage in(ImageStore store, String name) throws IOException {
        return store.add(new ImageStore.Draft(name, false), manifest.toString(), source(), Instant.EPOCH);
    }

    ImageSource source() {
        return new ImageSource() {
            @Override
            public byte[] manifest(String version) throws IOException {
                return blobs.get(Digest.parse(version));
            }

            @Override
            public InputStream blob(Digest digest, long size) {
                return new ByteArrayInputStream(blobs.get(digest));
            }
        };
    }

    static List<String> names(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
