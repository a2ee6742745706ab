package dev.towtank.controllers.pipelines.runs;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Names that follow from other names, as Tekton makes them.
public final class ChildNames {

    private static final int LONGEST = 63;
    private static final int MD5_LENGTH = 32;
    private static final int HEAD = LONGEST - MD5_LENGTH;
    private static final int FNV_OFFSET = 0x811C9DC5;
    private static final int FNV_PRIME = 16777619;

    private ChildNames() {}

    /// The name of a child: short enough, and different for different parents.
    public static String of(String parent, String suffix) {
        if (parent.length() + suffix.length() <= LONGEST) {
            return parent + suffix;
        }
        if (suffix.length() >= HEAD) {
            var name = parent.substring(0, Math.min(HEAD, parent.length())) + digest("MD5", parent + suffix);
            return restricted(name + suffix.substring(0, LONGEST - name.length()));
        }
        var name = parent.substring(0, Math.min(HEAD - suffix.length(), parent.length())) + digest("MD5", parent);
        return name + suffix;
    }

    /// The name of the run of one combination of a matrix, whose number stays at its end however long the rest is.
    ///
    /// @param count how many combinations there are; a single one needs no number
    public static String ofCombination(String run, String task, int index, int count) {
        if (count == 1) {
            return of(run, "-" + task);
        }
        var number = "-" + index;
        var name = of(run, "-" + task + number);
        if (name.endsWith(number)) {
            return name;
        }
        var rest = of(run, "-" + task);
        int room = LONGEST - ("-" + count).length();
        return rest.substring(0, Math.min(room, rest.length())) + number;
    }

    /// Cut to the length of a label, ending with a letter or digit.
    public static String restricted(String name) {
        int end = Math.min(name.length(), LONGEST);
        while (end > 0 && !isAlphanumeric(name.charAt(end - 1))) {
            end--;
        }
        return name.substring(0, end);
    }

    private static boolean isAlphanumeric(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    /// A prefix and some digits of a hash of the name.
    public static String hashed(String prefix, String name, int digits) {
        int hash = FNV_OFFSET;
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xFF)) * FNV_PRIME;
        }
        var text = Integer.toHexString(hash);
        var suffix = text.length() > digits ? text.substring(0, digits) : text + "0".repeat(digits - text.length());
        return prefix + "-" + suffix;
    }

    /// The claim that a run makes of a template for one of its workspaces.
    public static String claim(String templateName, String workspace, String ownerUid) {
        return (templateName.isEmpty() ? "pvc" : templateName) + "-"
                + digest("SHA-256", workspace + ownerUid).substring(0, 10);
    }

    /// In hexadecimal digits.
    public static String digest(String algorithm, String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has " + algorithm, e);
        }
    }
}
