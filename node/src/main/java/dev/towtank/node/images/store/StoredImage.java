package dev.towtank.node.images.store;

import dev.towtank.model.Json;
import java.nio.file.Path;

/// An image that is wholly here.
///
/// @param digest of its manifest
/// @param root the directory with a link to each layer, the lowest one `0`, and `top` to what lies over all of them
/// @param config the `config` of its configuration
/// @param size of its layers as they were packed
public record StoredImage(Digest digest, Path root, int layers, Json.Obj config, long size) {

    /// Beside the links in its root: see [FileOwners].
    static final String OWNERS = "owners";
}
