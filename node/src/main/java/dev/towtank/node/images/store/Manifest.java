package dev.towtank.node.images.store;

import dev.towtank.model.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// What an image is made of, in the forms of the Open Container Initiative and of Docker.
///
/// @param configSize in bytes
/// @param layers the lowest one first
record Manifest(Digest config, long configSize, List<Layer> layers) {

    private static final int LARGEST_CONFIG = 8 << 20;
    private static final int MOST_LAYERS = 200;
    private static final long LARGEST_LAYER = 64L << 30;

    Manifest {
        layers = List.copyOf(layers);
    }

    /// @param size in bytes, as it is packed
    record Layer(Digest digest, long size, Packing packing) {}

    static Manifest read(byte[] bytes) throws IOException {
        var json = ImageStore.json(bytes);
        if (json.integer("schemaVersion") != 2 || !json.has("config")) {
            throw new IOException("the manifest is of a form that is not read: "
                    + json.string("mediaType").replaceAll("[^A-Za-z0-9.+/_-]", "?")
                    + ", schema version " + json.integer("schemaVersion"));
        }
        var layers = new ArrayList<Layer>();
        for (var layer : json.objects("layers")) {
            layers.add(layer(layer));
        }
        if (layers.size() > MOST_LAYERS) {
            throw new IOException("the image has " + layers.size() + " layers, and more than " + MOST_LAYERS
                    + " cannot be put over each other");
        }
        long configSize = json.object("config").integer("size");
        if (configSize < 0 || configSize > LARGEST_CONFIG) {
            throw new IOException("the image has a configuration of " + configSize + " bytes");
        }
        return new Manifest(Digest.parse(json.string("config", "digest")), configSize, layers);
    }

    private static Layer layer(Json.Obj layer) throws IOException {
        var type = layer.string("mediaType").replaceAll("[^A-Za-z0-9.+/_-]", "?");
        long size = layer.integer("size");
        if (size < 0 || size > LARGEST_LAYER) {
            throw new IOException("the image has a layer of " + size + " bytes");
        }
        if (layer.has("urls") && type.contains("foreign")) {
            throw new IOException("the image has a layer that its registry does not hold: " + type);
        }
        var packing = switch (type.substring(type.lastIndexOf('.') + 1)) {
            case "tar" -> Packing.NONE;
            case "tar+gzip", "gzip" -> Packing.GZIP; // …diff.tar.gzip
            case "tar+zstd", "zstd" -> Packing.ZSTD;
            default -> throw new IOException("the image has a layer of a type that is not read: " + type);
        };
        return new Layer(Digest.parse(layer.string("digest")), size, packing);
    }

    long size() {
        return layers.stream().mapToLong(Layer::size).sum();
    }

    /// The digests of the layers as they are unpacked.
    List<Digest> diffs(Json.Obj config) throws IOException {
        var diffs = new ArrayList<Digest>();
        for (var text : config.array("rootfs", "diff_ids").strings()) {
            diffs.add(Digest.parse(text));
        }
        if (diffs.size() != layers.size()) {
            throw new IOException(
                    "the image has " + layers.size() + " layers, and its configuration knows " + diffs.size());
        }
        return diffs;
    }
}
