package dev.towtank.controllers.triggers.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.controllers.triggers.validation.TriggersBehaviour;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Triggers' own tables, case by case.
class UpstreamTablesTest {

    private static final String DENIED =
            "admission webhook \"validation.webhook.triggers.tekton.dev\" denied the request: validation failed: ";
    private static final Json FINE = YamlText.parse("{apiVersion: tekton.dev/v1beta1, kind: PipelineRun}");

    private static Json table(String name) {
        try (var stream = UpstreamTablesTest.class.getResourceAsStream("/triggers/" + name + ".yaml")) {
            return YamlText.parse(new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @TestFactory
    Stream<DynamicTest> admission() {
        return ((Json.Arr) table("admission"))
                .objects().stream()
                        .map(row -> DynamicTest.dynamicTest(
                                row.string("kind") + ": " + row.string("case"),
                                () -> assertThat(refusal(row))
                                        .isEqualTo(row.has("want") ? DENIED + row.string("want") : "")));
    }

    private static String refusal(Json.Obj row) {
        var metadata = Json.Obj.builder()
                .put("name", row.string("name").isEmpty() ? "name" : row.string("name"))
                .putNonEmpty("annotations", row.object("annotations"));
        var spec = JsonText.parse(JsonText.write(row.object("spec")).replace("\"TT\"", JsonText.write(FINE)));
        var object = Json.Obj.of("kind", Json.of(row.string("kind")), "metadata", metadata.build(), "spec", spec);
        return new TriggersBehaviour(row.string("kind"))
                .refusal(object, null)
                .map(StatusError::text)
                .orElse("");
    }

    private static Event event(Json.Obj row) {
        var headers = new HashMap<String, List<String>>();
        for (var header : row.object("headers")) {
            headers.put(header.getKey(), ((Json.Arr) header.getValue()).strings());
        }
        return new Event(
                "1234567",
                "https://example.com/testing?param=value",
                JsonText.write(row.object("body")),
                new Headers(headers),
                row.object("extensions"));
    }

    @TestFactory
    Stream<DynamicTest> bindings() {
        return ((Json.Obj) table("values"))
                .objects("bindings").stream()
                        .map(row -> DynamicTest.dynamicTest(row.string("case") + ": " + row.string("value"), () -> {
                            var binding = Json.Obj.of("name", Json.of("p"), "value", Json.of(row.string("value")));
                            var param = row.has("default")
                                    ? Json.Obj.of("name", Json.of("p"), "default", Json.of(row.string("default")))
                                    : Json.Obj.of("name", Json.of("p"));
                            var template = Json.Obj.of("params", Json.Arr.of(param));
                            if (row.has("want")) {
                                assertThat(Templates.params(List.of(binding), template, event(row)))
                                        .containsExactly(Map.entry("p", row.string("want")));
                            } else {
                                assertThatThrownBy(() -> Templates.params(List.of(binding), template, event(row)))
                                        .isInstanceOf(EventRefusal.class);
                            }
                        }));
    }

    @TestFactory
    Stream<DynamicTest> templates() {
        return ((Json.Obj) table("values"))
                .objects("templates").stream()
                        .map(row -> DynamicTest.dynamicTest(row.string("case"), () -> {
                            var template = Json.Obj.of(
                                    "resourcetemplates", Json.Arr.of(JsonText.parseObject(row.string("text"))));
                            assertThat(Templates.objects(template, row.stringMap("params"), "the-uid", row.flag("old")))
                                    .containsExactly(JsonText.parseObject(row.string("want")));
                        }));
    }

    @TestFactory
    Stream<DynamicTest> cel() {
        var table = (Json.Obj) table("cel");
        var event = event(table.with("headers", YamlText.parse("{X-Test-Header: [value]}")));
        Secrets secrets = (namespace, name, key) -> name.equals("test-secret") && key.equals("token")
                ? Optional.of("secrettoken".getBytes(StandardCharsets.UTF_8))
                : Optional.empty();
        var means = new Means(secrets, GitHub.NONE, Deviations.ALL, Instant.EPOCH);
        var tests = new ArrayList<DynamicTest>();
        for (var row : table.objects("cases")) {
            var overlay = Json.Obj.of("key", Json.of("k"), "expression", Json.of(row.string("text")));
            var params = Json.Obj.of("overlays", Json.Arr.of(overlay));
            tests.add(DynamicTest.dynamicTest(row.string("text"), () -> {
                if (row.has("fails")) {
                    assertThatThrownBy(() -> CoreInterceptors.process("cel", event, params, means))
                            .hasMessageContaining(row.string("fails"));
                } else {
                    assertThat(CoreInterceptors.process("cel", event, params, means)
                                    .get("k"))
                            .isEqualTo(row.get("want"));
                }
            }));
        }
        return tests.stream();
    }
}
