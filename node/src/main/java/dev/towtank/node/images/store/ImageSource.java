package dev.towtank.node.images.store;

import java.io.IOException;
import java.io.InputStream;

/// Where the parts of an image come from. Nothing that it gives is trusted.
public interface ImageSource {

    /// The manifest, or list of manifests, that a tag or digest names; at most [#LARGEST_MANIFEST] bytes.
    byte[] manifest(String version) throws IOException;

    /// @param size what it should have, at most
    InputStream blob(Digest digest, long size) throws IOException;

    int LARGEST_MANIFEST = 4 << 20;
}
