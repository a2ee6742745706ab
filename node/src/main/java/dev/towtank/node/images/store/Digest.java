package dev.towtank.node.images.store;

import dev.towtank.model.Sha256;
import java.io.IOException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/// A name that follows from what it names.
///
/// @param hex its 64 digits, of SHA-256, which all images use
public record Digest(String hex) {

    private static final Pattern FORM = Pattern.compile("sha256:([0-9a-f]{64})");

    public static Digest parse(String text) throws IOException {
        var form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IOException("the image has a digest that cannot be read: "
                    + text.substring(0, Math.min(100, text.length())).replaceAll("\\p{Cntrl}", "?"));
        }
        return new Digest(form.group(1));
    }

    public static Digest of(byte[] bytes) {
        return new Digest(HexFormat.of().formatHex(Sha256.of(bytes)));
    }

    /// @param what for the message
    byte[] checked(byte[] bytes, String what) throws IOException {
        var actual = of(bytes);
        if (!actual.equals(this)) {
            throw new IOException("failed commit on ref \"%s-sha256:%s\": unexpected digest %s, expected %s"
                    .formatted(what, hex, actual, this));
        }
        return bytes;
    }

    @Override
    public String toString() {
        return "sha256:" + hex;
    }
}
