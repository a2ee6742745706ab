package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The quick reader reads what the careful one reads, or leaves it alone.
class JsonScanTest {

    private static final String POD = """
            {"apiVersion":"v1", "kind":"Pod" ,"metadata":{"name":"a","labels":{},"uid":"é😀","generation":0},
             "spec":{"list":[ ],"more":[1,-20,{"x":null},["y",true,false]],"text":"a\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00"},
             "real":[0.5,-1e3,1.25E-2,2e+3],"k:{\\"uid\\":\\"1\\"}":123456789012345678}
            """;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Object carefully(byte[] text) {
        try {
            return JsonText.parseCarefully(text, 0, text.length, null);
        } catch (JsonText.Malformed e) {
            return "malformed";
        }
    }

    @Test
    void readsWhatMachinesWrite() {
        var text = bytes(POD);
        assertThat(JsonScan.parse(text, 0, text.length)).isNotNull().isEqualTo(carefully(text));
        assertThat(JsonText.parse(POD).toString()).isEqualTo(carefully(text).toString());
    }

    @Test
    void readsAPartOfAText() {
        var text = bytes("[[1],[2]]");
        assertThat(JsonScan.parse(text, 1, 3)).isEqualTo(JsonText.parse("[1]"));
        assertThat(JsonScan.parse(text, 1, 4)).isNull();
        assertThat(JsonScan.parse(text, 1, 2)).isNull();
    }

    @Test
    void neverReadsAnythingInAnotherWay() {
        var random = new Random(11);
        int read = 0;
        for (int i = 0; i < 60_000; i++) {
            var text = bytes(POD);
            for (int change = random.nextInt(3); change >= 0; change--) {
                text = damaged(text, random);
            }
            var found = JsonScan.parse(text, 0, text.length);
            if (found != null) {
                read++;
                assertThat(carefully(text))
                        .as(new String(text, StandardCharsets.ISO_8859_1))
                        .isEqualTo(found);
            }
        }
        assertThat(read).isGreaterThan(2_000);
    }

    private static byte[] damaged(byte[] text, Random random) {
        int at = random.nextInt(text.length);
        var changed = text.clone();
        switch (random.nextInt(3)) {
            case 0 -> changed[at] = (byte) random.nextInt(256);
            case 1 -> changed[at] = changed[random.nextInt(text.length)];
            default -> changed = Arrays.copyOf(changed, at + 1);
        }
        return changed;
    }

    @Test
    void leavesTheUnusualAlone() {
        for (var text : List.of(
                "",
                " ",
                "{",
                "[1,]",
                "{\"a\":1,}",
                "{\"a\":1,\"a\":2}",
                "01",
                "-",
                "1.",
                ".5",
                "1e",
                "1 2",
                "tru",
                "nul",
                "1234567890123456789",
                "1e999",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"a\nb\"",
                "{a:1}",
                "'a'",
                "NaN",
                "[".repeat(501) + "]".repeat(501))) {
            assertThat(JsonScan.parse(bytes(text), 0, bytes(text).length))
                    .as(text)
                    .isNull();
        }
        assertThat(JsonScan.parse(new byte[] {'"', (byte) 0xC3, '"'}, 0, 3)).isNull();
    }

    @Test
    void seesTwinsInLargeObjects() {
        var fields =
                IntStream.range(0, 1_000).mapToObj(i -> "\"f" + i + "\":" + i).collect(Collectors.joining(","));
        var large = bytes("{" + fields + "}");
        assertThat(JsonScan.parse(large, 0, large.length)).isNotNull().isEqualTo(carefully(large));
        var twins = bytes("{" + fields + ",\"f7\":0}");
        assertThat(JsonScan.parse(twins, 0, twins.length)).isNull();
        assertThat(JsonText.parseObject(twins).integer("f7")).isZero();
    }

    @Test
    void tellsOfTwinsAllTheSame() {
        var told = new ArrayList<String>();
        JsonText.parse(bytes("{\"a\":{\"b\":1,\"b\":2}}"), told::add);
        assertThat(told).containsExactly("a.b");
    }

    @Test
    @SuppressWarnings("ReferenceEquality") // whether it is the same string is the question
    void keepsNamesOnce() {
        var one = JsonText.parseObject("{\"someName\":1}").key(0);
        var other = JsonText.parseObject("{\"someName\":2}").key(0);
        assertThat(one == other).isTrue();
    }
}
