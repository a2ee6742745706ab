package dev.towtank.controllers.pipelines.source;

import dev.towtank.controllers.pipelines.source.Resolver.Problem;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// An image in a directory, in the form that the Open Container Initiative gives it.
///
/// @param version a tag or a digest
record OciLayout(Path directory, String version) implements BundleImage {

    private static final String NAME = "org.opencontainers.image.ref.name";

    @Override
    public Manifest manifest() throws Problem {
        var index = json(read(directory.resolve("index.json"), LARGEST_MANIFEST));
        var entry = index.objects("manifests").stream()
                .filter(each -> each.string("digest").equals(version)
                        || each.string("annotations", NAME).equals(version))
                .findFirst()
                .orElseThrow(() -> new Problem("cannot retrieve the oci image: no image %s in %s"
                        .formatted(version, directory.getFileName())));
        var digest = entry.string("digest");
        var manifest = json(blob(digest));
        if (BundleImage.isIndex(manifest)) {
            digest = BundleImage.chosen(manifest).string("digest");
            manifest = json(blob(digest));
        }
        return new Manifest(digest, manifest);
    }

    private static Json.Obj json(byte[] text) throws Problem {
        try {
            return JsonText.parseObject(text);
        } catch (JsonText.Malformed e) {
            throw new Problem("could not parse image manifest: " + e.getMessage());
        }
    }

    @Override
    public byte[] blob(String digest) throws Problem {
        var hex = Digests.checkedName(digest);
        return Digests.checked(
                digest, read(directory.resolve("blobs").resolve("sha256").resolve(hex), LARGEST_LAYER));
    }

    private static byte[] read(Path file, int largest) throws Problem {
        try (var in = Files.newInputStream(file)) {
            var bytes = in.readNBytes(largest + 1);
            if (bytes.length > largest) {
                throw new Problem(file.getFileName() + " is larger than " + largest + " bytes");
            }
            return bytes;
        } catch (IOException e) {
            throw new Problem("cannot retrieve the oci image: there is no " + file.getFileName());
        }
    }
}
