package dev.towtank.controllers.pipelines.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Each document in the files is an object, and what is said about it; `old` makes it an update.
class AdmissionTest {

    private static final List<String> FILES = List.of(
            "tasks",
            "steps",
            "params",
            "pipelines",
            "pipeline-variables",
            "taskruns",
            "pipelineruns",
            "others",
            "beta");

    @TestFactory
    Stream<DynamicTest> saysWhatTektonSays() {
        return FILES.stream()
                .flatMap(file -> cases(file)
                        .map(each -> DynamicTest.dynamicTest(file + ": " + each.string("case"), () -> check(each))));
    }

    private static void check(Json.Obj each) {
        var settings = settings(each);
        var object = Admission.defaults(complete(each), settings);
        var old = each.has("old")
                ? Optional.of(Admission.defaults(complete(each.object("old")), settings))
                : Optional.<Json.Obj>empty();
        assertThat(text(Admission.review(object, old, settings))).isEqualTo(withoutTrailingBlanks(each.string("says")));
        assertThat(Admission.defaults(object, settings)).isEqualTo(object);
    }

    private static String text(Admission.Review review) {
        return review.refusal()
                .map(StatusError::text)
                .map(text -> text.replace(
                        "admission webhook \"validation.webhook.pipeline.tekton.dev\" denied the request: validation failed: ",
                        ""))
                .map(AdmissionTest::withoutTrailingBlanks)
                .orElse("");
    }

    private static String withoutTrailingBlanks(String text) {
        return text.lines().map(String::stripTrailing).collect(Collectors.joining("\n"));
    }

    private static Settings settings(Json.Obj each) {
        return Settings.read(each.stringMap("defaults"), each.stringMap("flags"));
    }

    private static Json.Obj complete(Json.Obj each) {
        var object = Json.Obj.builder()
                .put("apiVersion", each.string("apiVersion").isEmpty() ? "tekton.dev/v1" : each.string("apiVersion"))
                .put("kind", each.string("kind"))
                .put("metadata", each.has("metadata") ? each.object("metadata") : Json.Obj.of("name", Json.of("x")));
        for (var field : List.of("spec", "status")) {
            if (each.has(field)) {
                object.put(field, each.object(field));
            }
        }
        return object.build();
    }

    private static Stream<Json.Obj> cases(String file) {
        try (var stream = AdmissionTest.class.getResourceAsStream("/tekton-admission/" + file + ".yaml")) {
            assertThat(stream).as(file).isNotNull();
            var text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            return YamlText.parseAll(text).stream().map(Json.Obj.class::cast);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void refusesAsTheWebhookDoes() {
        var refusal = Admission.lint((Json.Obj) YamlText.parse("""
                                apiVersion: tekton.dev/v1
                                kind: TaskRun
                                metadata: {generateName: run-}
                                spec: {}
                                """), Settings.INITIAL)
                .refusal()
                .orElseThrow();
        assertThat(refusal.code()).isEqualTo(400);
        assertThat(refusal.text())
                .isEqualTo("admission webhook \"validation.webhook.pipeline.tekton.dev\" denied the request: "
                        + "validation failed: expected exactly one, got neither: spec.taskRef, spec.taskSpec");
    }

    @Test
    void takesLongHostileTextsInShortTime() {
        var script = "$(params.".repeat(100_000);
        var task = (Json.Obj) YamlText.parse("""
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: x}
                spec: {steps: [{image: i}]}
                """);
        var hostile = task.with(
                "spec",
                Json.Obj.of("steps", Json.Arr.of(Json.Obj.of("image", Json.of("i"), "script", Json.of(script)))));
        assertThat(Admission.lint(hostile, Settings.INITIAL).isFine()).isTrue();
    }
}
