package dev.towtank.model.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import dev.towtank.model.template.TemplateSettings.MissingKey;
import dev.towtank.model.template.functions.Ambient;
import dev.towtank.model.template.functions.HelmFunctions;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Runs the tables beside this class: a template, its data, and what it writes or which error it ends with.
class TemplateCasesTest {
    private static final List<String> TABLES = List.of("language", "values", "errors", "printf", "sprig", "documents");

    static final Ambient AMBIENT = new Ambient(Instant.parse("2024-05-06T07:08:09Z"), ZoneOffset.UTC, new Random(1));

    static Stream<Arguments> cases() {
        return TABLES.stream()
                .flatMap(table -> table(table).stream()
                        .map(each -> Arguments.of(Named.of(table + ": " + each.string("template"), each))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void writesWhatGoWrites(Json.Obj each) {
        var functions = each.flag("core") ? Functions.NONE : HelmFunctions.chart(AMBIENT);
        var missingKey = each.has("missingKey")
                ? MissingKey.valueOf(each.string("missingKey").toUpperCase(Locale.ROOT))
                : MissingKey.ZERO;
        if (each.has("error")) {
            assertThatThrownBy(() -> render(each, functions, missingKey))
                    .isInstanceOf(TemplateError.class)
                    .hasMessage(each.string("error"));
        } else {
            assertThat(render(each, functions, missingKey)).isEqualTo(each.string("want"));
        }
    }

    private static String render(Json.Obj each, Functions functions, MissingKey missingKey) {
        return GoTemplate.parse("t", each.string("template"), functions)
                .execute(Values.of(each.get("data")), TemplateSettings.of(functions, missingKey));
    }

    private static List<Json.Obj> table(String name) {
        try (var in = Objects.requireNonNull(TemplateCasesTest.class.getResourceAsStream(name + ".yaml"))) {
            return ((Json.Arr) YamlText.parse(in.readAllBytes())).objects();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
