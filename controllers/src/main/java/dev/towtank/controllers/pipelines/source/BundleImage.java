package dev.towtank.controllers.pipelines.source;

import dev.towtank.controllers.pipelines.source.Resolver.Problem;
import dev.towtank.model.Json;

/// An image whose layers are definitions, wherever it lies.
interface BundleImage {

    int LARGEST_MANIFEST = 4 * 1024 * 1024;
    int LARGEST_LAYER = 2 * Resolver.LARGEST;

    /// The manifest of the one image, never a list of images.
    Manifest manifest() throws Problem, InterruptedException;

    /// What has this digest, as it is packed; it is checked.
    byte[] blob(String digest) throws Problem, InterruptedException;

    /// @param digest with its algorithm
    record Manifest(String digest, Json.Obj json) {}

    /// Manifests that list images, and which one of them is meant.
    static Json.Obj chosen(Json.Obj index) throws Problem {
        return index.objects("manifests").stream()
                .filter(each -> !each.object("platform").string("os").equals("unknown"))
                .findFirst()
                .orElseThrow(() -> new Problem("cannot retrieve the oci image: the index has no image"));
    }

    static boolean isIndex(Json.Obj manifest) {
        return manifest.has("manifests");
    }
}
