package dev.towtank.node.images.store;

import dev.towtank.node.linux.FileTree;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Takes images from files: a directory in the form of an OCI layout, or an archive that `docker save`, `podman save`
/// or
/// `skopeo copy` wrote.
public final class ImageImport {

    private final ImageStore store;
    private final Path partial;
    private final UnpackLimits limits;

    /// @param partial a directory for what is unpacked on the way
    public ImageImport(ImageStore store, Path partial, UnpackLimits limits) {
        this.store = store;
        this.partial = partial;
        this.limits = limits;
    }

    /// @param names the name that an image gets here, by the one it has there
    /// @return those that are here now
    public List<ImageStore.Named> run(Path from, UnaryOperator<String> names, Instant now) throws IOException {
        if (Files.isDirectory(from)) {
            return layout(new LayoutDirectory(from), names, now);
        }
        Files.createDirectories(partial);
        var unpacked = Files.createTempDirectory(partial, "import");
        try {
            try (var in = decompressed(from)) {
                var _ = LayerUnpacking.run(in, unpacked, limits);
            }
            if (Files.exists(unpacked.resolve("index.json"))) {
                return layout(new LayoutDirectory(unpacked), names, now);
            }
            var archive = new DockerArchive(unpacked);
            return all(archive, archive.images(), names, now);
        } finally {
            FileTree.delete(unpacked);
        }
    }

    private List<ImageStore.Named> layout(LayoutDirectory layout, UnaryOperator<String> names, Instant now)
            throws IOException {
        return all(layout, layout.images(), names, now);
    }

    private List<ImageStore.Named> all(
            ImageSource source, Map<String, Digest> images, UnaryOperator<String> names, Instant now)
            throws IOException {
        if (images.isEmpty()) {
            throw new IOException("there is no image in it");
        }
        var here = new ArrayList<ImageStore.Named>();
        for (var image : images.entrySet()) {
            var name = names.apply(image.getKey());
            var stored =
                    store.add(new ImageStore.Draft(name, true), image.getValue().toString(), source, now);
            here.add(new ImageStore.Named(name, true, stored.digest(), stored.size(), now));
        }
        return here;
    }

    /// An archive, whether it is packed or not.
    public static InputStream decompressed(Path archive) throws IOException {
        var in = new BufferedInputStream(Files.newInputStream(archive), 1 << 16);
        return Packing.of(in).unpacked(in);
    }
}
