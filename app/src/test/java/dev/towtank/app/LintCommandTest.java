package dev.towtank.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LintCommandTest {

    private static final String STORE = """
            apiVersion: external-secrets.io/v1beta1 # a comment
            kind: ExternalSecret
            metadata: {name: keys}
            """;

    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: p}
            spec: {containers: [{name: a, image: busybox}]}
            """;

    private final Terminal terminal = new Terminal();

    @TempDir
    Path temp;

    @BeforeEach
    void useADirectoryOfItsOwn() {
        terminal.environment.put("XDG_STATE_HOME", temp.resolve("state").toString());
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(temp.resolve(name), text).toString();
    }

    @Test
    void errorsFailAndWarningsOnlyWhenStrict() throws IOException {
        var warning = file("pod.yaml", POD);

        assertThat(terminal.run("lint", file("store.yaml", STORE))).isEqualTo(1);
        assertThat(terminal.run("lint", warning)).isZero();
        assertThat(terminal.run("lint", "--strict", warning)).isEqualTo(1);
        assertThat(terminal.run("lint", "--strict", "--disable", "image-latest", warning))
                .isZero();
    }

    @Test
    void repairsFiles() throws IOException {
        var store = file("store.yaml", STORE);

        assertThat(terminal.run("lint", "--fix", store)).isZero();
        assertThat(Files.readString(Path.of(store))).isEqualTo(STORE.replace("v1beta1", "v1"));
        assertThat(terminal.err()).isEqualTo("repaired " + store + " (1)\n");
        assertThat(terminal.out()).contains("nothing to complain about");
    }

    @Test
    void wrongCallsAreExplained() {
        assertThat(terminal.run("lint")).isEqualTo(2);
        assertThat(terminal.err()).contains("towtank: name the files or directories to look at");
        assertThat(terminal.run("lint", temp.resolve("gone.yaml").toString())).isEqualTo(2);
        assertThat(terminal.err()).contains("gone.yaml: there is no such file or directory");
        assertThat(terminal.run("lint", temp.toString())).isEqualTo(2);
        assertThat(terminal.err()).contains("there are no files with YAML below");
        assertThat(terminal.run("lint", "--target", "argo=1", ".")).isEqualTo(2);
        assertThat(terminal.err()).contains("'argo=1' is no target; write one of tekton=1.9");
        assertThat(terminal.run("lint", "--disable", "nothing", ".")).isEqualTo(2);
        assertThat(terminal.err()).contains("there is no rule 'nothing'; --rules lists them");
    }

    @Test
    void listsAllRules() {
        assertThat(terminal.run("lint", "--rules")).isZero();
        assertThat(terminal.out()).contains("wait-condition            error    A wait for a condition");
    }

    @Test
    void hasNoColoursInAPipe() throws IOException {
        terminal.environment.put("TERM", "xterm");

        terminal.run("lint", file("store.yaml", STORE));

        assertThat(terminal.out()).contains("unserved-version").doesNotContain("\033[");
    }

    @Test
    void speaksToMachines() throws IOException {
        var store = file("store.yaml", STORE);

        terminal.run("lint", "-o", "json", store);
        assertThat(terminal.out()).startsWith("{\"summary\":{\"files\":1,");
        terminal.run("lint", "-o", "sarif", store);
        assertThat(terminal.out()).contains("\"version\":\"2.1.0\"");
        terminal.run("lint", "-o", "junit", store);
        assertThat(terminal.out()).startsWith("<?xml");
    }

    @Test
    void chartsAreRenderedAndTheirTemplatesTold() throws IOException {
        var chart = Files.createDirectories(temp.resolve("web/templates")).getParent();
        Files.createDirectories(chart.resolve("ci"));
        Files.writeString(chart.resolve("Chart.yaml"), "apiVersion: v2\nname: web\nversion: 1.0.0\n");
        Files.writeString(chart.resolve("values.yaml"), "replicas: 1\n");
        Files.writeString(chart.resolve("ci/many-values.yaml"), "replicas: many\n");
        Files.writeString(chart.resolve("templates/_all.tpl"), "{{ define \"labels\" }}\napp: web\n{{ end }}\n");
        Files.writeString(chart.resolve("templates/app.yaml"), """
                {{- /* says nothing */}}
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: {{ .Release.Name }}
                  labels:
                    {{- include "labels" . | nindent 4 }}
                spec:
                  {{- if .Values.replicas }}
                  replicas: {{ .Values.replicas }}
                  {{- end }}
                  selektor: {}
                """);

        assertThat(terminal.run("lint", chart.toString())).isEqualTo(1);
        assertThat(terminal.out())
                .contains("web/templates/app.yaml\n")
                .contains("  10:1    error    spec.replicas must be a whole number")
                .contains("  12:3    error    unknown field \"spec.selektor\"")
                .doesNotContain("helm-template");
        Files.writeString(chart.resolve("templates/bad.yaml"), "a: 1\nb: {{ required \"b is needed\" .Values.b }}\n");
        assertThat(terminal.run("lint", chart.toString())).isEqualTo(1);
        assertThat(terminal.out()).contains("web/templates/bad.yaml\n  2:1", "b is needed", "unrenderable");
    }

    @Test
    void kustomizationsAreBuilt() throws IOException {
        var folder = Files.createDirectories(temp.resolve("over"));
        Files.writeString(folder.resolve("kustomization.yaml"), "resources: [pod.yaml, gone.yaml]\n");
        Files.writeString(folder.resolve("pod.yaml"), POD.replace("busybox", "busybox:1"));

        assertThat(terminal.run("lint", folder.toString())).isEqualTo(1);
        assertThat(terminal.out()).contains("kustomization.yaml\n  1:1", "gone.yaml", "unrenderable");
        Files.writeString(folder.resolve("kustomization.yaml"), "resources: [pod.yaml]\nnamePrefix: UPPER-\n");
        assertThat(terminal.run("lint", folder.toString())).isEqualTo(1);
        assertThat(terminal.out()).contains("kustomization.yaml\n  1:1", "UPPER-p");
        Files.writeString(folder.resolve("kustomization.yaml"), "resources: [pod.yaml]\n");
        assertThat(terminal.run("lint", folder.toString())).isZero();
    }
}
