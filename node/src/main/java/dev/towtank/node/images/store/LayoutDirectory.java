package dev.towtank.node.images.store;

import dev.towtank.model.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// Images in a directory, in the form that the Open Container Initiative gives it.
public final class LayoutDirectory implements ImageSource {

    private static final String TAG = "org.opencontainers.image.ref.name";
    private static final String WHOLE_NAME = "io.containerd.image.name";

    private final Path directory;

    /// @throws IOException it is none
    public LayoutDirectory(Path directory) throws IOException {
        this.directory = directory.toRealPath();
        if (!Files.isRegularFile(directory.resolve("index.json"))) {
            throw new IOException(directory + " has no index.json: it is no OCI layout");
        }
    }

    /// The images in it: their names as far as it tells, and their digests.
    public Map<String, Digest> images() throws IOException {
        var images = new LinkedHashMap<String, Digest>();
        for (var entry : ImageStore.json(read(directory.resolve("index.json"))).objects("manifests")) {
            images.put(name(entry, images.size()), Digest.parse(entry.string("digest")));
        }
        return images;
    }

    private static String name(Json.Obj entry, int number) {
        var whole = entry.string("annotations", WHOLE_NAME);
        var tag = entry.string("annotations", TAG);
        return !whole.isEmpty() ? whole : !tag.isEmpty() ? tag : "#" + number;
    }

    @Override
    public byte[] manifest(String version) throws IOException {
        return read(file(Digest.parse(version)));
    }

    @Override
    public InputStream blob(Digest digest, long size) throws IOException {
        return Files.newInputStream(file(digest));
    }

    private Path file(Digest digest) throws IOException {
        return inside(directory, "blobs/sha256/" + digest.hex());
    }

    /// Whoever made it may have put links into it.
    static Path inside(Path directory, String path) throws IOException {
        var file = directory.resolve(path);
        if (!Files.exists(file)) {
            throw new IOException("it has no " + path);
        }
        var real = file.toRealPath();
        if (!real.startsWith(directory) || !Files.isRegularFile(real)) {
            throw new IOException("its " + path + " is no file in it");
        }
        return real;
    }

    static byte[] read(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            var bytes = in.readNBytes(LARGEST_MANIFEST + 1);
            if (bytes.length > LARGEST_MANIFEST) {
                throw new IOException(file.getFileName() + " is larger than " + LARGEST_MANIFEST + " bytes");
            }
            return bytes;
        }
    }
}
