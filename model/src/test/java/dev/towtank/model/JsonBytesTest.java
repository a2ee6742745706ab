package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Trees as the bytes that are stored and served.
class JsonBytesTest {

    @Test
    void writesWhatItReads() {
        var random = new Random(5);
        for (int i = 0; i < 3_000; i++) {
            var tree = value(random, 4);
            assertThat(JsonText.parse(JsonText.bytes(tree))).isEqualTo(tree);
        }
    }

    @Test
    void writesTheSameAsTheWriterOfTexts() {
        var random = new Random(6);
        for (int i = 0; i < 3_000; i++) {
            var tree = value(random, 4);
            assertThat(text(tree)).isEqualTo(withPairsEscaped(JsonText.write(tree)));
        }
    }

    @Test
    void escapesWhatMustBeAndNothingElse() {
        assertThat(text(Json.of("a\"b\\c/\b\t\n\f\r\0\u001f\u007fäλ€")))
                .isEqualTo("\"a\\\"b\\\\c/\\b\\t\\n\\f\\r\\u0000\\u001F\u007fäλ€\"");
        assertThat(text(Json.of("😀"))).isEqualTo("\"\\uD83D\\uDE00\"");
    }

    @Test
    void writesNumbersAsGoDoes() {
        var numbers = Json.Arr.of(
                Json.of(Long.MIN_VALUE),
                new Json.Real(3),
                new Json.Real(-0.0),
                new Json.Real(0.5),
                new Json.Real(1e20));
        assertThat(text(numbers)).isEqualTo("[-9223372036854775808,3,0,0.5,1.0E20]");
    }

    @Test
    void growsWithWhatItWrites() {
        var large = Json.of("x".repeat(5_000) + "\n".repeat(5_000) + "€".repeat(5_000));
        assertThat(JsonText.parse(JsonText.bytes(large))).isEqualTo(large);
    }

    @Test
    void leavesAHoleForTheRevision() {
        var object = JsonText.parseObject(
                "{\"kind\":\"A\",\"metadata\":{\"resourceVersion\":\"7\",\"name\":\"n\"},\"spec\":{}}");
        var halves = JsonText.halves(object);
        var expected = "{\"kind\":\"A\",\"metadata\":{\"name\":\"n\",\"resourceVersion\":\"12\"},\"spec\":{}}";
        assertThat(new String(halves.join(12), StandardCharsets.UTF_8)).isEqualTo(expected);
        assertThat(halves.length()).isEqualTo(expected.length() - 2);
        var bare = JsonText.halves(JsonText.parseObject("{\"metadata\":{}}"));
        assertThat(new String(bare.join(3), StandardCharsets.UTF_8))
                .isEqualTo("{\"metadata\":{\"resourceVersion\":\"3\"}}");
        assertThatIllegalArgumentException().isThrownBy(() -> JsonText.halves(Json.Obj.EMPTY));
    }

    /// What is stored and served has no pairs: a character beyond the first plane is two escapes.
    private static String withPairsEscaped(String text) {
        var escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            escaped.append(Character.isSurrogate(c) ? "\\u%04X".formatted((int) c) : String.valueOf(c));
        }
        return escaped.toString();
    }

    private static String text(Json json) {
        return new String(JsonText.bytes(json), StandardCharsets.UTF_8);
    }

    private static Json value(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 7)) {
            case 0 -> Json.Null.NULL;
            case 1 -> Json.of(random.nextBoolean());
            case 2 -> Json.of(random.nextLong());
            case 3 -> new Json.Real(random.nextInt(1_000) + 0.25);
            case 4 -> Json.of(string(random));
            case 5 -> {
                var items = new ArrayList<Json>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    items.add(value(random, depth - 1));
                }
                yield new Json.Arr(items);
            }
            default -> {
                var builder = Json.Obj.builder();
                for (int i = random.nextInt(4); i > 0; i--) {
                    builder.put(string(random), value(random, depth - 1));
                }
                yield builder.build();
            }
        };
    }

    private static String string(Random random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            switch (random.nextInt(4)) {
                case 0 -> text.append((char) random.nextInt(0x80));
                case 1 -> text.append((char) random.nextInt(0x80, 0xD800));
                case 2 -> text.appendCodePoint(random.nextInt(0x1_0000, 0x11_0000));
                default -> text.append((char) ('a' + random.nextInt(26)));
            }
        }
        return text.toString();
    }
}
