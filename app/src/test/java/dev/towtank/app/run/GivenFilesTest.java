package dev.towtank.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.run.input.Document;
import dev.towtank.app.run.input.KnownKinds;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GivenFilesTest {
    private static final GivenFiles EARLIER = new GivenFiles(
            "build-x1",
            "team-a",
            Stream.of("""
                    apiVersion: tekton.dev/v1
                    kind: Task
                    metadata: {name: compile, namespace: team-a}
                    spec: {steps: [{name: a, image: busybox, envFrom: [{configMapRef: {name: settings}}]}]}
                    """, """
                    apiVersion: tekton.dev/v1
                    kind: TaskRun
                    metadata: {name: build-x1, namespace: team-a}
                    spec: {taskRef: {name: compile}, serviceAccountName: builder}
                    """)
                    .map(text -> Document.remembered(Path.of("run.yaml"), json(text)))
                    .toList());

    private static Json.Obj json(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    private static List<Document> merged(String... yaml) {
        var given = Stream.of(yaml)
                .map(text -> new Document("fixed.yaml", 3, json(text)))
                .toList();
        return EARLIER.merged(given, KnownKinds.with(given, List::of));
    }

    @Test
    void aTaskWithoutANamespaceReplacesThatOfTheRun() {
        var merged = merged("""
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: compile}
                spec: {steps: [{name: repaired, image: busybox}]}
                """);

        assertThat(merged).hasSize(2);
        assertThat(merged.getFirst().json().string("metadata", "namespace")).isEqualTo("team-a");
        assertThat(merged.getFirst().json().objects("spec", "steps").getFirst().string("name"))
                .isEqualTo("repaired");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}",
                "{apiVersion: v1, kind: ServiceAccount, metadata: {name: builder}}",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: feature-flags, namespace: tekton-pipelines}}",
                "{apiVersion: v1, kind: Service, metadata: {name: database}}"
            })
    void whatTheRunLackedIsAdded(String yaml) {
        assertThat(merged(yaml)).hasSize(3);
    }

    @Test
    void whatIsReplacedMayNameMore() {
        assertThat(
                        merged(
                                """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: compile}
                spec: {steps: [{name: a, ref: {name: greet}}]}
                """,
                                "{apiVersion: tekton.dev/v1, kind: StepAction, metadata: {name: greet}, spec: {image: busybox}}"))
                .hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"name: compyle", "name: compile, namespace: default", "name: compile-2"})
    void aFileOfNoUseIsRefused(String metadata) {
        assertThatThrownBy(() -> merged("{apiVersion: tekton.dev/v1, kind: Task, metadata: {" + metadata + "}}"))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("fixed.yaml:3: build-x1 uses nothing of this file")
                .hasMessageContaining(
                        "or take the name and namespace of what it is to replace: compile in namespace team-a");
    }

    @Test
    void anUnusedFileIsRefusedWhoseKindTheRunDoesNotKnow() {
        assertThatThrownBy(() -> merged("{apiVersion: v1, kind: Secret, metadata: {name: login}}"))
                .hasMessage("fixed.yaml:3: build-x1 uses nothing of this file: it was made of no Secret login in"
                        + " namespace team-a, and nothing of it names one. Leave the file out.");
    }
}
