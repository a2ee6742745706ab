package dev.towtank.controllers.secrets;

import dev.towtank.model.Resource;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.NavigableMap;
import java.util.StringJoiner;
import java.util.TreeMap;

/// The hashes by which External Secrets knows what it wrote. They are of what Go prints for a value, so that a Secret
/// that came from another installation is known here too.
final class Hashes {

    private Hashes() {}

    static String ofText(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA3-224").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static String ofData(NavigableMap<String, byte[]> data) {
        var all = new StringJoiner(" ", "map[", "]");
        data.forEach((key, value) -> {
            var bytes = new StringJoiner(" ", "[", "]");
            for (byte each : value) {
                bytes.add(Integer.toString(each & 0xff));
            }
            all.add(key + ":" + bytes);
        });
        return ofText(all.toString());
    }

    /// Changes with the spec, the labels and the annotations.
    static String version(Resource object) {
        return object.generation() + "-"
                + ofText("{annotations:" + printed(object.annotations()) + " labels:" + printed(object.labels()) + "}");
    }

    private static String printed(Map<String, String> values) {
        var all = new StringJoiner(" ", "map[", "]");
        new TreeMap<>(values).forEach((key, value) -> all.add(key + ":" + value));
        return all.toString();
    }
}
