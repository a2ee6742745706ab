package dev.towtank.model.lua;

import java.nio.charset.StandardCharsets;

/// Lua's strings are bytes. A [String] with one character for each byte is as small, compares alike and needs no class
/// of its own; only what enters and leaves a script is converted.
final class Bytes {

    private Bytes() {}

    static String of(String text) {
        return isPlain(text) ? text : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /// What is not UTF-8 becomes the replacement character, as in Go's JSON.
    static String text(String bytes) {
        return isPlain(bytes) ? bytes : new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }
}
