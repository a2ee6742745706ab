package dev.towtank.model.template.crypto;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Passwords for a site that follow from one that somebody knows, by the algorithm "Master Password".
public final class Passwords {
    private static final byte[] SCOPE = "com.lyndir.masterpassword".getBytes(StandardCharsets.US_ASCII);

    private static final Map<String, List<String>> SHAPES = Map.of(
            "maximum", List.of("anoxxxxxxxxxxxxxxxxx", "axxxxxxxxxxxxxxxxxno"),
            "long",
                    List.of(
                            "CvcvnoCvcvCvcv",
                            "CvcvCvcvnoCvcv",
                            "CvcvCvcvCvcvno",
                            "CvccnoCvcvCvcv",
                            "CvccCvcvnoCvcv",
                            "CvccCvcvCvcvno",
                            "CvcvnoCvccCvcv",
                            "CvcvCvccnoCvcv",
                            "CvcvCvccCvcvno",
                            "CvcvnoCvcvCvcc",
                            "CvcvCvcvnoCvcc",
                            "CvcvCvcvCvccno",
                            "CvccnoCvccCvcv",
                            "CvccCvccnoCvcv",
                            "CvccCvccCvcvno",
                            "CvcvnoCvccCvcc",
                            "CvcvCvccnoCvcc",
                            "CvcvCvccCvccno",
                            "CvccnoCvcvCvcc",
                            "CvccCvcvnoCvcc",
                            "CvccCvcvCvccno"),
            "medium", List.of("CvcnoCvc", "CvcCvcno"),
            "short", List.of("Cvcn"),
            "basic", List.of("aaanaaan", "aannaaan", "aaannaaa"),
            "pin", List.of("nnnn"));

    private static final String ALL = "AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz";

    private Passwords() {}

    /// Null where there is no such type of password.
    public static @Nullable String derive(long counter, String type, String password, String user, String site) {
        var shapes = SHAPES.get(type);
        if (shapes == null) {
            return null;
        }
        var key = Scrypt.key(bytes(password), scoped(user, new byte[0]), 32768, 8, 2, 64);
        var seed = Scrypt.hmac(key, scoped(site, number(counter)));
        var shape = shapes.get((seed[0] & 0xFF) % shapes.size());
        var out = new StringBuilder();
        for (int i = 0; i < shape.length(); i++) {
            var letters = letters(shape.charAt(i));
            out.append(letters.charAt((seed[i + 1] & 0xFF) % letters.length()));
        }
        return out.toString();
    }

    private static byte[] scoped(String name, byte[] more) {
        var out = new ByteArrayOutputStream();
        out.writeBytes(SCOPE);
        out.writeBytes(number(bytes(name).length));
        out.writeBytes(bytes(name));
        out.writeBytes(more);
        return out.toByteArray();
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(4).putInt((int) value).array();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String letters(char kind) {
        return switch (kind) {
            case 'C' -> "BCDFGHJKLMNPQRSTVWXYZ";
            case 'v' -> "aeiou";
            case 'c' -> "bcdfghjklmnpqrstvwxyz";
            case 'a' -> ALL;
            case 'n' -> "0123456789";
            case 'o' -> "@&%?,=[]_:-+*$#!'^~;()/.";
            default -> ALL + "0123456789!@#$%^&*()";
        };
    }
}
