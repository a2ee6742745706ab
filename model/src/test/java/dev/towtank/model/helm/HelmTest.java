package dev.towtank.model.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import dev.towtank.model.template.Bounds;
import dev.towtank.model.template.functions.Ambient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Runs `charts.yaml`: the files of a chart, values, and the objects that come out, or the error.
class HelmTest {

    static Stream<Arguments> cases() {
        return table("charts.yaml").map(each -> Arguments.of(Named.of(each.string("name"), each)));
    }

    static Stream<Json.Obj> table(String name) {
        try (var in = Objects.requireNonNull(HelmTest.class.getResourceAsStream(name))) {
            return ((Json.Arr) YamlText.parse(in.readAllBytes())).objects().stream();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void rendersAsHelmDoes(Json.Obj each) {
        if (each.has("error")) {
            assertThatThrownBy(() -> render(each)).isInstanceOf(HelmError.class).hasMessage(each.string("error"));
            return;
        }
        var rendered = render(each);
        assertThat(objects(rendered.objects())).isEqualTo(each.array("want").items());
        assertThat(objects(rendered.hooks())).isEqualTo(each.array("hooks").items());
        assertThat(objects(rendered.crds())).isEqualTo(each.array("crds").items());
    }

    private static List<Json> objects(List<Rendered.Entry> entries) {
        return entries.stream().<Json>map(Rendered.Entry::object).toList();
    }

    private static Rendered render(Json.Obj each) {
        var files = new TreeMap<String, byte[]>();
        each.stringMap("files").forEach((path, text) -> files.put(path, text.getBytes(StandardCharsets.UTF_8)));
        var values = new TreeMap<String, @Nullable Object>();
        if (each.has("values")) {
            ValueFiles.override(values, "values", each.string("values").getBytes(StandardCharsets.UTF_8));
        }
        each.array("set").strings().forEach(set -> SetValues.set(set, values));
        var ambient = new Ambient(Instant.parse("2024-05-06T07:08:09Z"), ZoneOffset.UTC, new Random(1));
        return Helm.render(
                Chart.of(files),
                values,
                new Helm.Options(
                        Release.install("rel", "ns"),
                        new Capabilities(KubeVersion.of("v1.34.0"), List.of("v1", "apps/v1"))
                                .with(each.array("apis").strings()),
                        ambient,
                        new Bounds(200_000, 1 << 20, 100)));
    }
}
