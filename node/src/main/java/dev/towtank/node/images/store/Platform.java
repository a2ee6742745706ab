package dev.towtank.node.images.store;

import dev.towtank.model.Json;
import java.io.IOException;

/// What this machine can run.
record Platform(String architecture) {

    static Platform ofThisMachine() {
        return new Platform(
                switch (System.getProperty("os.arch", "")) {
                    case "amd64", "x86_64" -> "amd64";
                    case "aarch64" -> "arm64";
                    case String other -> other;
                });
    }

    /// The digest of the manifest in a list that is for this machine.
    Digest choose(Json.Obj index) throws IOException {
        for (var each : index.objects("manifests")) {
            if (fits(each.string("platform", "os"), each.string("platform", "architecture"))) {
                return Digest.parse(each.string("digest"));
            }
        }
        var offered = index.objects("manifests").stream()
                .map(each -> each.string("platform", "os") + "/" + each.string("platform", "architecture"))
                .filter(name -> name.matches("[a-z0-9/]{3,40}") && !name.startsWith("unknown"))
                .distinct()
                .limit(20)
                .toList();
        throw new IOException("no match for platform in manifest: not found. This machine is linux/" + architecture
                + ", and the image is for " + offered);
    }

    /// For an image that is no list; an old one may say nothing.
    void check(Json.Obj config) throws IOException {
        var os = config.string("os");
        var its = config.string("architecture");
        if (!its.isEmpty() && !fits(os.isEmpty() ? "linux" : os, its)) {
            throw new IOException(
                    "the image is for %s/%s, and this machine is linux/%s".formatted(os, its, architecture));
        }
    }

    private boolean fits(String os, String its) {
        return os.equals("linux") && its.equals(architecture);
    }
}
