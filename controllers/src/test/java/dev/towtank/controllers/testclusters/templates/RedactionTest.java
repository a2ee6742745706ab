package dev.towtank.controllers.testclusters.templates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.testclusters.api.Objects;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What tenants read of where they may not look.
class RedactionTest {

    private static String redacted(String text, String value) {
        return Redaction.of(text, List.of(Objects.secret(Objects.named("clusters", "any"), Map.of("key", value))));
    }

    @Test
    void valuesGoInPlainAndInBase64() {
        assertThat(redacted("got CANARY-1, that is Q0FOQVJZLTE=", "CANARY-1")).isEqualTo("got ***, that is ***");
    }

    @Test
    void whatStandsInAValueGoesToo() {
        assertThat(redacted(
                        "auth Q0FOQVJZLVBVTEw= was refused",
                        "{\"auths\":{\"quay.io\":{\"auth\":\"Q0FOQVJZLVBVTEw=\"}}}"))
                .isEqualTo("auth *** was refused");
    }

    @Test
    void shortWordsStay() {
        assertThat(redacted("the key is not there", "key")).isEqualTo("the key is not there");
    }
}
