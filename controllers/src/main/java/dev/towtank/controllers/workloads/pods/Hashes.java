package dev.towtank.controllers.workloads.pods;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

/// Short texts that stand for longer things, in letters that form no words and are never mistaken for others.
public final class Hashes {

    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int BASIS = 0x811C9DC5;
    private static final int PRIME = 0x01000193;
    private static final int SUFFIX = 5;

    private Hashes() {}

    /// Of a pod template or any other tree; the order of fields does not matter.
    ///
    /// @param collisions how often the hash met something else of the same hash
    public static String of(Json value, long collisions) {
        var text = JsonText.write(sorted(value)) + (collisions > 0 ? "#" + collisions : "");
        return letters(Integer.toUnsignedString(fnv(text)));
    }

    private static String letters(String digits) {
        var encoded = new StringBuilder();
        for (int i = 0; i < digits.length(); i++) {
            encoded.append(LETTERS.charAt(digits.charAt(i) % LETTERS.length()));
        }
        return encoded.toString();
    }

    private static Json sorted(Json value) {
        return switch (value) {
            case Json.Obj object -> {
                var fields = new TreeMap<String, Json>();
                object.forEach((key, field) -> fields.put(key, sorted(field)));
                yield Json.Obj.copyOf(fields);
            }
            case Json.Arr list -> list.map(Hashes::sorted);
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> value;
        };
    }

    private static int fnv(String text) {
        int hash = BASIS;
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (each & 0xFF)) * PRIME;
        }
        return hash;
    }

    /// Five letters, as the server itself puts behind a `generateName`.
    static String suffix(String seed) {
        long hash = Integer.toUnsignedLong(fnv(seed)) * 0x9E3779B97F4A7C15L;
        hash ^= hash >>> 31;
        var letters = new StringBuilder();
        for (int i = 0; i < SUFFIX; i++) {
            letters.append(LETTERS.charAt((int) Math.floorMod(hash, (long) LETTERS.length())));
            hash = Math.floorDiv(hash, (long) LETTERS.length());
        }
        return letters.toString();
    }
}
