package dev.towtank.apiserver.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Content;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.kinds.core.ConfigMaps;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ItemTypesTest {

    private static final Kind<Json.Obj> WIDGETS = Kind.namespaced("example.com", "v1", "Widget", "widgets");

    private static String item(Kind<?> kind, String json) {
        var bytes = ItemTypes.of(kind).behindTheBrace(Content.of(JsonText.parseObject(json)));
        return "{" + StandardCharsets.UTF_8.decode(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"data\":{\"kind\":\"a\"}}",
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"data\":{\"kind\":\"a\"}}",
                "{\"data\":{\"kind\":\"a\"},\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"}"
            })
    void areNotRepeatedForBuiltInKinds(String json) {
        assertThat(item(ConfigMaps.KIND, json)).isEqualTo("{\"data\":{\"kind\":\"a\"}}");
    }

    @Test
    void areRepeatedForCustomKinds() {
        var json = "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"spec\":{}}";

        assertThat(item(WIDGETS, json)).isEqualTo(json);
        assertThat(ItemTypes.of(WIDGETS).areHidden()).isFalse();
    }
}
