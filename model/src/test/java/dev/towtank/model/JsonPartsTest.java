package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
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
}
