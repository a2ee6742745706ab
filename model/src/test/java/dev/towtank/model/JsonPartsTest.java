package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Reading a part of a text.
class JsonPartsTest {

    private static final byte[] TEXT =
            "{\"a\":{\"b\":[1,{\"c\":2}],\"c\":{}},\"b\":\"x\",\"c\":[true]}".getBytes(StandardCharsets.UTF_8);

    @Test
    void readsOneField() {
        assertThat(JsonText.field(TEXT, "b")).contains(Json.of("x"));
        assertThat(JsonText.field(TEXT, "c")).contains(Json.Arr.of(Json.of(true)));
        assertThat(JsonText.field(TEXT, "d")).isEmpty();
    }

    @Test
    void looksAtTheTopOnly() {
        var nested = "{\"a\":{\"b\":1}}".getBytes(StandardCharsets.UTF_8);
        assertThat(JsonText.field(nested, "b")).isEmpty();
    }

    @Test
    void doesNotReadOn() {
        var broken = "{\"a\":1,\"b\":".getBytes(StandardCharsets.UTF_8);
        assertThat(JsonText.field(broken, "a")).contains(Json.of(1));
        assertThatExceptionOfType(JsonText.Malformed.class).isThrownBy(() -> JsonText.field(broken, "c"));
    }

    @Test
    void passesOverAFieldWhereverItIs() {
        assertThat(JsonText.parseWithout(TEXT, "c"))
                .isEqualTo(JsonText.parseObject("{\"a\":{\"b\":[1,{}]},\"b\":\"x\"}"));
    }

    @Test
    void passesOverWhatLooksLikeAnEndAndIsNone() {
        var text = """
                { "a" : { "x": "}]\\"" , "c":[ "\\\\", "{" ] } ,
                  "c" : "c", "d": "\\"c\\":1", "e": -1.5e3 }""".getBytes(StandardCharsets.UTF_8);

        assertThat(JsonText.field(text, "d")).contains(Json.of("\"c\":1"));
        assertThat(JsonText.field(text, "e")).contains(JsonText.parse("-1.5e3"));
        assertThat(JsonText.parseWithout(text, "c"))
                .isEqualTo(JsonText.parseObject("{\"a\":{\"x\":\"}]\\\"\"},\"d\":\"\\\"c\\\":1\",\"e\":-1.5e3}"));
    }

    @Test
    void readsTheSameAsWhoReadsAll() {
        var random = new Random(3);
        for (int i = 0; i < 2_000; i++) {
            var whole = object(random, 4);
            var text = JsonText.bytes(whole);
            for (var name : NAMES) {
                assertThat(JsonText.field(text, name)).isEqualTo(Optional.ofNullable(whole.get(name)));
                assertThat(JsonText.parseWithout(text, name)).isEqualTo(without(whole, name));
            }
        }
    }

    @Test
    void endsOnTextThatIsCutOff() {
        for (int length = 0; length < TEXT.length; length++) {
            var cut = Arrays.copyOf(TEXT, length);
            assertThatExceptionOfType(JsonText.Malformed.class).isThrownBy(() -> JsonText.parseWithout(cut, "c"));
        }
    }

    private static final List<String> NAMES = List.of("schema", "a", "{", "\u00e9", "");

    private static Json.Obj object(Random random, int depth) {
        var object = Json.Obj.builder();
        for (var name : NAMES) {
            if (random.nextBoolean()) {
                object.put(name, value(random, depth - 1));
            }
        }
        return object.build();
    }

    private static Json value(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 7 : 5)) {
            case 0 -> Json.of(random.nextInt());
            case 1 -> Json.of(random.nextBoolean());
            case 2 -> new Json.Real(random.nextDouble());
            case 3 -> Json.of("\"schema\":{\\");
            case 4 -> Json.of("}],\u00e9\n");
            case 5 -> Json.Arr.of(value(random, depth - 1), value(random, depth - 1));
            default -> object(random, depth);
        };
    }

    private static Json without(Json json, String name) {
        return switch (json) {
            case Json.Obj object -> {
                var kept = Json.Obj.builder();
                object.without(name).forEach((key, value) -> kept.put(key, without(value, name)));
                yield kept.build();
            }
            case Json.Arr array ->
                new Json.Arr(
                        array.items().stream().map(each -> without(each, name)).toList());
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> json;
        };
    }
}
