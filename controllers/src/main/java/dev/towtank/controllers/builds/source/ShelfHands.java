package dev.towtank.controllers.builds.source;

import dev.towtank.cluster.pods.ImageShelf;
import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.model.Json;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/// Puts names on the shelf of images, and takes them away.
public final class ShelfHands {

    private static final System.Logger LOG = System.getLogger(ShelfHands.class.getName());

    private ShelfHands() {}

    /// @param names what each stands for
    public static Json named(ImageShelf shelf, Map<String, String> names) throws IOException {
        var images = new HashMap<String, ImageShelf.Made>();
        var first = BuildKinds.REGISTRIES.getFirst();
        names.forEach((name, base) -> BuildKinds.REGISTRIES.forEach(
                registry -> images.put(registry + name.substring(first.length()), ImageShelf.Made.like(base))));
        shelf.put(images);
        return Json.Null.NULL;
    }

    /// The stream is gone, and its images with it.
    public static void cleared(ImageShelf shelf, String namespace, String stream) {
        try {
            shelf.remove(name -> BuildKinds.REGISTRIES.stream()
                    .map(registry -> registry + "/" + namespace + "/" + stream)
                    .anyMatch(place -> name.startsWith(place + ":") || name.startsWith(place + "@")));
        } catch (IOException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "images of the stream " + namespace + "/" + stream + " stay: " + e.getMessage());
        }
    }
}
