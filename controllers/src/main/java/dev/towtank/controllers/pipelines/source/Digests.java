package dev.towtank.controllers.pipelines.source;

import dev.towtank.controllers.pipelines.source.Resolver.Problem;
import dev.towtank.model.Sha256;
import java.util.HexFormat;
import java.util.regex.Pattern;

/// Names that follow from what they name.
final class Digests {

    private static final Pattern FORM = Pattern.compile("sha256:([0-9a-f]{64})");

    private Digests() {}

    static String of(byte[] bytes) {
        return "sha256:" + HexFormat.of().formatHex(Sha256.of(bytes));
    }

    /// The digits alone.
    static String checkedName(String digest) throws Problem {
        var form = FORM.matcher(digest);
        if (!form.matches()) {
            throw new Problem("unsupported digest: " + digest);
        }
        return form.group(1);
    }

    static byte[] checked(String digest, byte[] bytes) throws Problem {
        var actual = of(bytes);
        if (!actual.equals(digest)) {
            throw new Problem("digest mismatch, expected %s, got %s".formatted(digest, actual));
        }
        return bytes;
    }
}
