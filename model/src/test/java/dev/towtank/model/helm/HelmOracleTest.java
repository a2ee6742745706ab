package dev.towtank.model.helm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import dev.towtank.model.template.Bounds;
import dev.towtank.model.template.functions.Ambient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Real Helm renders the charts of `charts.yaml` and `oracle.yaml` as well; whatever it says is right, errors included.
///
/// Its library leaves hooks and definitions out and cannot be told APIs, so hooks are called by another name here, and
/// charts that ask for APIs stay with [HelmTest]. So does what never ends.
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class HelmOracleTest {

    @TempDir
    Path temp;

    static Stream<Arguments> cases() {
        return Stream.of("charts.yaml", "oracle.yaml")
                .flatMap(HelmTest::table)
                .filter(each -> !each.has("apis") && !each.string("error").contains(" steps"))
                .map(each -> Arguments.of(Named.of(each.string("name"), each)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void saysWhatHelmSays(Json.Obj each) throws IOException {
        var files = new TreeMap<String, byte[]>();
        each.stringMap("files")
                .forEach((path, text) -> files.put(
                        path, text.replace("helm.sh/hook", "called/hook").getBytes(StandardCharsets.UTF_8)));
        var values = new TreeMap<String, @Nullable Object>();
        if (each.has("values")) {
            ValueFiles.override(values, "values", each.string("values").getBytes(StandardCharsets.UTF_8));
        }
        each.array("set").strings().forEach(set -> SetValues.set(set, values));

        assertThat(ours(files, values)).isEqualTo(helms(files, values));
    }

    /// @param error empty where there is none
    record Said(List<Json> objects, String error) {}

    private static Said ours(Map<String, byte[]> files, Map<String, @Nullable Object> values) {
        try {
            var rendered = Helm.render(
                    Chart.of(files),
                    values,
                    new Helm.Options(
                            Release.install("rel", "ns"),
                            Capabilities.of("v1.34.0"),
                            new Ambient(Instant.parse("2024-05-06T07:08:09Z"), ZoneOffset.UTC, new Random(1)),
                            Bounds.DEFAULT));
            return new Said(
                    rendered.objects().stream()
                            .<Json>map(Rendered.Entry::object)
                            .toList(),
                    "");
        } catch (HelmError e) {
            return new Said(List.of(), told(e.text()));
        }
    }

    private Said helms(Map<String, byte[]> files, Map<String, @Nullable Object> values) throws IOException {
        var chart = temp.resolve("chart");
        for (var file : files.entrySet()) {
            var path = chart.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
        var given = Files.writeString(temp.resolve("given.yaml"), YamlText.write(ValueTables.json(values)));
        String text;
        try {
            text = new com.marcnuri.helm.Helm(chart)
                    .template()
                    .withName("rel")
                    .withNamespace("ns")
                    .withKubeVersion("v1.34.0")
                    .withValuesFile(given)
                    .skipCrds()
                    .call();
        } catch (IllegalStateException e) {
            return new Said(List.of(), told(String.valueOf(e.getMessage())));
        }
        var objects = new ArrayList<Json>();
        for (var document : (text == null ? "" : text).split("(?m)^---\\s*$", -1)) {
            if (YamlText.parse(document.getBytes(StandardCharsets.UTF_8), _ -> {}) instanceof Json.Obj object) {
                objects.add(object);
            }
        }
        return new Said(objects, "");
    }

    private static String told(String error) {
        return error.replace("Use --debug flag to render out invalid YAML", "").strip();
    }
}
