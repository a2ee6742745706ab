package dev.towtank.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// Digests by SHA-256, which every Java has.
public final class Sha256 {

    // To copy it is a tenth of the work of looking up who provides it, which a request should not do.
    private static final MessageDigest EMPTY = empty();

    private Sha256() {}

    private static MessageDigest empty() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /// For what comes in pieces.
    public static MessageDigest begin() {
        try {
            return (MessageDigest) EMPTY.clone();
        } catch (CloneNotSupportedException e) {
            return empty();
        }
    }

    public static byte[] of(byte[] bytes) {
        return begin().digest(bytes);
    }

    public static byte[] of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }
}
