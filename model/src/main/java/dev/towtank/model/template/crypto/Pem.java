package dev.towtank.model.template.crypto;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Blocks of base64 with a line before and after that say what they are.
public final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----\\s*\\n([^-]*?)-----END \\1-----", Pattern.DOTALL);

    private Pem() {}

    /// @param type such as `CERTIFICATE`
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Block(String type, byte[] content) {}

    /// The blocks of a text; what is between them does not count.
    public static List<Block> read(String text) {
        var blocks = new ArrayList<Block>();
        var matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            decoded(body(matcher.group(2))).ifPresent(content -> blocks.add(new Block(matcher.group(1), content)));
        }
        return blocks;
    }

    // As Go does: what is no base64 is no block.
    private static Optional<byte[]> decoded(String text) {
        try {
            return Optional.of(Base64.getMimeDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    // Headers stand before an empty line.
    private static String body(String inside) {
        int colon = inside.indexOf(':');
        int empty = inside.indexOf("\n\n");
        return colon >= 0 && empty >= 0 ? inside.substring(empty) : inside;
    }

    public static String write(String type, byte[] content) {
        var lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return "-----BEGIN " + type + "-----\n" + lines + (lines.isEmpty() ? "" : "\n") + "-----END " + type
                + "-----\n";
    }
}
