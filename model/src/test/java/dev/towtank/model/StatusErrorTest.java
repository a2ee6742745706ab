package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// A refusal must not send back what was too much already.
class StatusErrorTest {

    private static final String LONG = "x".repeat(3_000_000);

    private static String answer(FieldError.Collector errors) {
        return JsonText.write(
                StatusError.invalid("", "ConfigMap", "a", errors.errors()).toJson());
    }

    @Test
    void aLongMessageIsCut() {
        var error = StatusError.badRequest("no such thing: " + LONG);

        assertThat(error.text())
                .startsWith("no such thing: xxx")
                .endsWith("xxx...")
                .hasSizeLessThan(33_000);
    }

    @Test
    void aShortMessageIsNot() {
        assertThat(StatusError.badRequest("no such thing").text()).isEqualTo("no such thing");
    }

    @Test
    void aLongValueIsShownByItsBeginning() {
        var errors = new FieldError.Collector();
        errors.invalid(Path.of("data"), LONG, "too long");
        errors.invalid(Path.of("data"), Json.Arr.of(Json.of(LONG)), "too long");
        errors.forbidden(Path.of("data"), LONG);

        assertThat(answer(errors)).contains("\"field\":\"data\"").hasSizeLessThan(40_000);
    }

    @Test
    void aLongKeyIsShownByItsBeginningHoweverMuchIsWrongBelowIt() {
        var errors = new FieldError.Collector();
        for (int i = 0; i < 200; i++) {
            errors.required(Path.of("data").key(LONG).index(i), "");
        }

        assertThat(answer(errors)).contains("data[xxx").hasSizeLessThan(1_000_000);
    }

    @Test
    void aMillionErrorsAreAThousand() {
        var errors = new FieldError.Collector();
        for (int i = 0; i < 1_000_000; i++) {
            errors.required(Path.of("items").index(i), "");
        }

        assertThat(errors.errors()).hasSize(1000);
        assertThat(errors.errors().getFirst().message()).isEqualTo("items[0]: Required value");
        assertThat(answer(errors)).hasSizeLessThan(200_000);
    }

    @Test
    void aShortKeyIsShownWhole() {
        var errors = List.of(new FieldError(FieldError.Type.REQUIRED, "data[" + "k".repeat(300) + "]", null, ""));

        assertThat(errors.getFirst().message()).isEqualTo("data[" + "k".repeat(300) + "]: Required value");
    }
}
