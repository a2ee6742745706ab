package dev.towtank.node.images.store;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// What `docker save` writes, unpacked: a list of images, each with names, a configuration and layers that are not
/// compressed. It has no manifest, so one is made.
final class DockerArchive implements ImageSource {

    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*");

    private final Path directory;
    private final Map<Digest, byte[]> manifests = new HashMap<>();
    private final Map<Digest, Path> blobs = new HashMap<>();
    private final Map<String, Digest> images = new LinkedHashMap<>();

    DockerArchive(Path unpacked) throws IOException {
        this.directory = unpacked.toRealPath();
        var list = list(LayoutDirectory.read(LayoutDirectory.inside(directory, "manifest.json")));
        for (var image : list) {
            var manifest = manifest(image);
            var digest = Digest.of(manifest);
            manifests.put(digest, manifest);
            var names = image.array("RepoTags").strings();
            (names.isEmpty() ? List.of("#" + images.size()) : names).forEach(name -> images.put(name, digest));
        }
    }

    private static List<Json.Obj> list(byte[] bytes) throws IOException {
        try {
            var all = new ArrayList<Json.Obj>();
            if (JsonText.parse(new String(bytes, StandardCharsets.UTF_8)) instanceof Json.Arr array) {
                array.forEach(each -> {
                    if (each instanceof Json.Obj image) {
                        all.add(image);
                    }
                });
            }
            return all;
        } catch (JsonText.Malformed e) {
            throw new IOException("its manifest.json is no JSON: " + e.getMessage());
        }
    }

    private byte[] manifest(Json.Obj image) throws IOException {
        var layers = new ArrayList<Json>();
        for (var path : image.array("Layers").strings()) {
            layers.add(descriptor(path, "application/vnd.oci.image.layer.v1.tar"));
        }
        var manifest = Json.Obj.builder()
                .put("schemaVersion", 2)
                .put("config", descriptor(image.string("Config"), "application/vnd.oci.image.config.v1+json"))
                .put("layers", new Json.Arr(layers))
                .build();
        return JsonText.write(manifest).getBytes(StandardCharsets.UTF_8);
    }

    private Json.Obj descriptor(String path, String type) throws IOException {
        if (!PATH.matcher(path).matches()) {
            throw new IOException("its manifest.json names a file that cannot be in it");
        }
        var file = LayoutDirectory.inside(directory, path);
        var sum = Sha256.begin();
        try (var in = Files.newInputStream(file)) {
            var buffer = new byte[1 << 16];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                sum.update(buffer, 0, count);
            }
        }
        var digest = new Digest(HexFormat.of().formatHex(sum.digest()));
        blobs.put(digest, file);
        return Json.Obj.builder()
                .put("mediaType", type)
                .put("digest", digest.toString())
                .put("size", Files.size(file))
                .build();
    }

    Map<String, Digest> images() {
        return Map.copyOf(images);
    }

    @Override
    public byte[] manifest(String version) throws IOException {
        var found = manifests.get(Digest.parse(version));
        if (found == null) {
            throw new IOException("it has no image " + version);
        }
        return found;
    }

    @Override
    public InputStream blob(Digest digest, long size) throws IOException {
        var file = blobs.get(digest);
        if (file == null) {
            throw new IOException("it has no part " + digest);
        }
        return Files.newInputStream(file);
    }
}
