package dev.towtank.controllers.secrets.reading;

import dev.towtank.model.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Values that are made instead of read.
public final class Generator {

    /// Those that there are; others are refused by their names.
    public static final List<String> KINDS = List.of("Fake", "Password", "UUID", "Webhook");

    private static final String LOWER = "abcdefghijklmnopqrstuvwxyz";
    private static final String UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String DIGITS = "0123456789";
    private static final String SYMBOLS = "~!@#$%^&*()_+`-={}|[]\\:\"<>?,./";
    private static final int USUAL_LENGTH = 24;
    private static final int LONGEST = 65_536;

    private Generator() {}

    public static NavigableMap<String, byte[]> fake(Json.Obj spec) {
        var values = new TreeMap<String, byte[]>();
        spec.stringMap("data").forEach((key, value) -> values.put(key, value.getBytes(StandardCharsets.UTF_8)));
        return values;
    }

    public static NavigableMap<String, byte[]> uuid(RandomGenerator random) {
        var bytes = new byte[16];
        random.nextBytes(bytes);
        bytes[6] = (byte) ((bytes[6] & 0x0f) | 0x40);
        bytes[8] = (byte) ((bytes[8] & 0x3f) | 0x80);
        var hex = HexFormat.of().formatHex(bytes);
        var text = UUID.fromString(hex.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5"));
        return new TreeMap<>(Map.of("uuid", text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /// @throws ReadProblem it cannot be made as asked
    public static NavigableMap<String, byte[]> passwords(Json.Obj spec, RandomGenerator random) {
        var keys = spec.array("secretKeys").strings();
        if (keys.contains("") || new HashSet<>(keys).size() < keys.size()) {
            throw ReadProblem.of("secretKeys must be non-empty and unique");
        }
        var values = new TreeMap<String, byte[]>();
        for (var key : keys.isEmpty() ? List.of("password") : keys) {
            values.put(key, encoded(password(spec, random), spec.string("encoding")));
        }
        return values;
    }

    private static String password(Json.Obj spec, RandomGenerator random) {
        int length = (int) spec.integerOr(0, "length");
        if (length <= 0) {
            length = USUAL_LENGTH;
        }
        if (length > LONGEST) {
            throw ReadProblem.of("length of " + length + " is more than the " + LONGEST + " that are allowed here");
        }
        int digits = (int) spec.integerOr(length / 4, "digits");
        int symbols = (int) spec.integerOr(length / 4, "symbols");
        int letters = length - digits - symbols;
        if (letters < 0 || digits < 0 || symbols < 0) {
            throw ReadProblem.of("number of digits and symbols must be less than total length");
        }
        boolean mayRepeat = spec.flag("allowRepeat");
        var signs = spec.has("symbolCharacters") ? spec.string("symbolCharacters") : SYMBOLS;
        var all = new ArrayList<Integer>();
        all.addAll(drawn(spec.flag("noUpper") ? LOWER : LOWER + UPPER, letters, mayRepeat, "letters", random));
        all.addAll(drawn(DIGITS, digits, mayRepeat, "digits", random));
        all.addAll(drawn(signs, symbols, mayRepeat, "symbols", random));
        shuffle(all, random);
        var text = new StringBuilder();
        all.forEach(text::appendCodePoint);
        return text.toString();
    }

    private static List<Integer> drawn(String from, int count, boolean mayRepeat, String what, RandomGenerator random) {
        var left = new ArrayList<>(from.codePoints().boxed().distinct().toList());
        if ((count > 0 && left.isEmpty()) || (!mayRepeat && count > left.size())) {
            throw ReadProblem.of("number of " + what + " exceeds available " + what + " and repeats are not allowed");
        }
        return IntStream.range(0, count)
                .mapToObj(_ -> {
                    int place = random.nextInt(left.size());
                    return mayRepeat ? left.get(place) : left.remove(/* index */ place);
                })
                .toList();
    }

    private static void shuffle(List<Integer> all, RandomGenerator random) {
        for (int i = all.size() - 1; i > 0; i--) {
            Collections.swap(all, i, random.nextInt(i + 1));
        }
    }

    private static byte[] encoded(String password, String encoding) {
        var bytes = password.getBytes(StandardCharsets.UTF_8);
        return switch (encoding) {
            case "base64" -> Base64.getEncoder().encode(bytes);
            case "base64url" -> Base64.getUrlEncoder().encode(bytes);
            case "hex" -> HexFormat.of().formatHex(bytes).getBytes(StandardCharsets.US_ASCII);
            case "base32" ->
                NameExpressions.filled("{{ .text | b32enc }}", Map.of("text", password), "base32: ")
                        .getBytes(StandardCharsets.US_ASCII);
            default -> bytes;
        };
    }
}
