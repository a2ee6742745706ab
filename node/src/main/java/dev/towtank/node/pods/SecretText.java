package dev.towtank.node.pods;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// A value of a Secret as a program sees it.
final class SecretText {

    private SecretText() {}

    static String of(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }
}
