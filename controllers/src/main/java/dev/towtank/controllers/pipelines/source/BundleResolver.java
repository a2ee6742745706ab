package dev.towtank.controllers.pipelines.source;

import dev.towtank.model.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/// Fetches a definition out of a bundle: an image with one definition in each layer.
public final class BundleResolver implements Resolver {

    private static final String ANNOTATION = "dev.tekton.image.";
    private static final String KIND = ANNOTATION + "kind";
    private static final String NAME = ANNOTATION + "name";
    private static final String API_VERSION = ANNOTATION + "apiVersion";
    private static final int MOST_OBJECTS = 20;
    private static final int TAR_BLOCK = 512;
    private static final int TAR_SIZE = 124;
    private static final int TAR_SIZE_DIGITS = 11;
    private static final int TAR_CHECKSUM = 148;

    private record Wanted(BundleReference bundle, String text, String name, String kind, String serviceAccount) {}

    @Override
    public Installed installed() {
        return new Installed(
                "bundleresolver",
                "bundleresolver-config",
                Map.of("backoff-steps", "2", "default-service-account", "default", "default-kind", "task"));
    }

    @Override
    public boolean isImmutable(Question question) {
        return question.params().getOrDefault("bundle", "").matches(".*@sha256:[0-9a-f]{64}");
    }

    @Override
    public Answer resolve(Question question) throws Problem, InterruptedException {
        var wanted = wanted(question);
        var image = image(question, wanted);
        var manifest = manifest(image);
        var layers = manifest.json().objects("layers");
        checkLayers(wanted, layers);
        for (var layer : layers) {
            var notes = layer.object("annotations");
            if (notes.string(KIND).equalsIgnoreCase(wanted.kind())
                    && notes.string(NAME).equals(wanted.name())) {
                var text = text(image.blob(layer.string("digest")));
                return answer(wanted, manifest, notes, text);
            }
        }
        throw new Problem(
                "could not find object in image with kind: %s and name: %s".formatted(wanted.kind(), wanted.name()));
    }

    private static Wanted wanted(Question question) throws Problem {
        var account = question.optional("serviceAccount")
                .or(() -> question.setting("default-service-account"))
                .orElseThrow(() -> Problem.invalid(
                        "default Service Account was not set during installation of the bundle resolver"));
        var bundle = given(question, "bundle");
        var reference = BundleReference.parse(bundle);
        var name = given(question, "name");
        var kind = question.optional("kind")
                .or(() -> question.setting("default-kind"))
                .orElseThrow(() -> Problem.invalid(
                        "default resource Kind was not set during installation of the bundle resolver"));
        return new Wanted(reference, bundle, name, kind, account);
    }

    private static String given(Question question, String name) throws Problem {
        return question.optional(name).orElseThrow(() -> Problem.invalid("parameter \"" + name + "\" required"));
    }

    private static BundleImage image(Question question, Wanted wanted) throws Problem {
        var reference = wanted.bundle();
        var place = question.rewrites().of(reference.name());
        if (place.startsWith("oci:")) {
            return new OciLayout(Path.of(place.replaceFirst("^oci:(//)?", "")), reference.version());
        }
        var actual = place.equals(reference.name())
                ? reference
                : BundleReference.parse(place + (reference.isByDigest() ? "@" : ":") + reference.version());
        var auths = question.credentials().registries(wanted.serviceAccount(), question.optional("secret"));
        return new RegistryImage(actual, auths, question.limit("fetch-timeout"));
    }

    private static BundleImage.Manifest manifest(BundleImage image) throws Problem, InterruptedException {
        try {
            return image.manifest();
        } catch (Problem e) {
            throw e.text().startsWith("cannot retrieve") ? e : e.during("cannot retrieve the oci image");
        }
    }

    private static void checkLayers(Wanted wanted, List<Json.Obj> layers) throws Problem {
        var problem = layers.size() > MOST_OBJECTS
                ? Optional.of("contained more than the maximum %d allow objects".formatted(MOST_OBJECTS))
                : problem(layers);
        if (problem.isPresent()) {
            throw new Problem("invalid tekton bundle %s, error: %s".formatted(wanted.text(), problem.get()));
        }
    }

    private static Optional<String> problem(List<Json.Obj> layers) {
        for (int i = 0; i < layers.size(); i++) {
            var notes = layers.get(i).object("annotations");
            for (var name : List.of(API_VERSION, NAME, KIND)) {
                if (!notes.has(name)) {
                    return Optional.of("the layer %d does not contain a %s annotation".formatted(i, name));
                }
            }
            var kind = notes.string(KIND);
            if (!kind.toLowerCase(Locale.ROOT).replaceFirst("s$", "").equals(kind)) {
                return Optional.of("the layer %d the annotation %s must be lowercased and singular, found %s"
                        .formatted(i, KIND, kind));
            }
        }
        return Optional.empty();
    }

    private static Answer answer(Wanted wanted, BundleImage.Manifest manifest, Json.Obj notes, String text) {
        var digest = manifest.digest().split(":", 2);
        var source = Json.Obj.builder()
                .put("uri", wanted.bundle().name())
                .put("digest", Json.Obj.of(digest[0], Json.of(digest[1])))
                .put("entryPoint", wanted.name())
                .build();
        var group = "resolution.tekton.dev/";
        return new Answer(
                text,
                source,
                Map.of(
                        group + KIND, notes.string(KIND),
                        group + NAME, notes.string(NAME),
                        group + API_VERSION, notes.string(API_VERSION)));
    }

    /// A layer is packed, or not; and it is an archive with one file, or that file itself.
    private static String text(byte[] layer) throws Problem {
        var plain = unpacked(layer);
        var file = isTar(plain) ? firstFile(plain) : plain;
        if (file.length > LARGEST) {
            throw new Problem("the definition is larger than " + LARGEST + " bytes");
        }
        return new String(file, StandardCharsets.UTF_8);
    }

    private static byte[] unpacked(byte[] layer) throws Problem {
        if (layer.length < 2 || layer[0] != (byte) 0x1f || layer[1] != (byte) 0x8b) {
            return layer;
        }
        try (var in = new GZIPInputStream(new ByteArrayInputStream(layer))) {
            // Whatever is behind the first file does not count, and a bomb must not go off.
            return in.readNBytes(BundleImage.LARGEST_LAYER);
        } catch (IOException e) {
            throw new Problem("failed to read image layer: " + e.getMessage());
        }
    }

    /// By the sum that every archive has over its first block, in which the sum itself counts as spaces.
    private static boolean isTar(byte[] bytes) {
        if (bytes.length < TAR_BLOCK) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < TAR_BLOCK; i++) {
            sum += i >= TAR_CHECKSUM && i < TAR_CHECKSUM + 8 ? ' ' : bytes[i] & 0xFF;
        }
        return octal(bytes, TAR_CHECKSUM, 6) == sum;
    }

    private static byte[] firstFile(byte[] archive) throws Problem {
        long size = octal(archive, TAR_SIZE, TAR_SIZE_DIGITS);
        if (size < 0 || size > archive.length - TAR_BLOCK) {
            throw new Problem("failed to read tar bundle: unexpected EOF");
        }
        return Arrays.copyOfRange(archive, TAR_BLOCK, (int) (TAR_BLOCK + size));
    }

    private static long octal(byte[] bytes, int from, int length) {
        var text = new String(bytes, from, length, StandardCharsets.US_ASCII)
                .replace("\0", "")
                .strip();
        return text.matches("[0-7]+") ? Long.parseLong(text, 8) : -1;
    }
}
