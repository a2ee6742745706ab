package dev.towtank.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RenderCommandTest {

    private final Terminal terminal = new Terminal();

    @TempDir
    Path temp;

    @BeforeEach
    void useADirectoryOfItsOwn() {
        terminal.environment.put("HOME", temp.resolve("home").toString());
    }

    private void file(String name, String text) throws IOException {
        var file = temp.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void chart() throws IOException {
        file("chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
        file("chart/values.yaml", "size: small\n");
        file("chart/templates/a.yaml", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: {{ .Release.Name }}, namespace: {{ .Release.Namespace }}}
                data: {size: {{ .Values.size }}, old: {{ .Capabilities.APIVersions.Has "policy/v1beta1" | quote }}}
                """);
        file("chart/templates/hook.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: check, annotations: {helm.sh/hook: test}}
                """);
        file("chart/crds/c.yaml", "apiVersion: v1\nkind: CustomResourceDefinition\nmetadata: {name: c}\n");
    }

    @Test
    void chartsWithTheirHooksAndDefinitions() throws IOException {
        chart();
        file("more.yaml", "size: large\n");
        var place = temp.resolve("chart").toString();

        assertThat(terminal.run("render", place, "-o", "names", "--name", "x")).isZero();
        assertThat(terminal.out()).isEqualTo("customresourcedefinition/c\nconfigmap/x\npod/check\n");
        assertThat(terminal.run("render", place, "-f", temp.resolve("more.yaml").toString(), "--namespace", "ns"))
                .isZero();
        assertThat(terminal.out())
                .contains("# Source: web/templates/a.yaml\napiVersion: v1\n")
                .contains("  namespace: ns\n", "  size: large\n  old: \"true\"\n");
        assertThat(terminal.run("render", place, "--set", "size=huge", "-o", "json"))
                .isZero();
        assertThat(terminal.out()).contains("\"size\": \"huge\"");
    }

    @Test
    void kustomizationsReadWhatIsInTheirRepository() throws IOException {
        Files.createDirectories(temp.resolve("repository/.git"));
        file("repository/base/kustomization.yaml", "resources: [a.yaml]\n");
        file("repository/base/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
        file("repository/over/kustomization.yaml", "resources: [../base]\nnamePrefix: my-\n");
        file("outside/kustomization.yaml", "resources: []\n");

        assertThat(terminal.run("render", temp.resolve("repository/over").toString(), "-o", "names"))
                .isZero();
        assertThat(terminal.out()).isEqualTo("configmap/my-a\n");
        file("repository/over/kustomization.yaml", "resources: [../../outside]\n");
        assertThat(terminal.run("render", temp.resolve("repository/over").toString()))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("leads out of the repository");
        assertThat(terminal.run("render", temp.resolve("repository/over").toString(), "--set", "a=b"))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("is no chart: values and --version are for charts alone");
    }

    @Test
    void plainFoldersAndFiles() throws IOException {
        file("plain/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n");
        file(
                "plain/below/b.json",
                "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\":"
                        + " [{\"apiVersion\": \"v1\", \"kind\": \"Secret\", \"metadata\": {\"name\": \"b\"}}]}");
        file("bad/c.yaml", "a: 1\n");
        Files.createDirectories(temp.resolve("none"));

        assertThat(terminal.run("render", temp.resolve("plain").toString(), "-o", "names"))
                .isZero();
        assertThat(terminal.out()).isEqualTo("configmap/a\n");
        assertThat(terminal.run("render", temp.resolve("plain").toString(), "-R", "-o", "names"))
                .isZero();
        assertThat(terminal.out()).isEqualTo("configmap/a\nsecret/b\n");
        assertThat(terminal.run("render", temp.resolve("bad").toString())).isEqualTo(1);
        assertThat(terminal.err()).contains("c.yaml holds something without apiVersion and kind");
        assertThat(terminal.run("render", temp.resolve("none").toString())).isEqualTo(1);
        assertThat(terminal.err()).contains("neither a Chart.yaml nor a kustomization.yaml");
        assertThat(terminal.run("render", temp.resolve("gone").toString())).isEqualTo(1);
        assertThat(terminal.err()).contains("there is no such file or folder");
    }

    @Test
    void saysWhereAndWhy() throws IOException {
        chart();
        file("chart/templates/bad.yaml", "a: {{ required \"size is needed\" .Values.no }}\n");

        assertThat(terminal.run("render", temp.resolve("chart").toString())).isEqualTo(1);
        assertThat(terminal.err()).contains("execution error at (web/templates/bad.yaml:1:6): size is needed");
        assertThat(terminal.run("render", "oci://127.0.0.1:1/a", "--username", "me"))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("--username needs --password-file");
        assertThat(terminal.run("render", "http://me:geheim@127.0.0.1:1/a.tgz")).isEqualTo(1);
        assertThat(terminal.err()).contains("cannot reach 127.0.0.1").doesNotContain("geheim");
    }

    /// What a chart may do to whoever reads it, and what is said then.
    @ParameterizedTest
    @CsvSource(delimiterString = "=>", textBlock = """
            {{ range until 100000000 }}{{ end }} => a.yaml:1:
            {{ range until 9999 }}{{ range until 9999 }}{{ end }}{{ end }} => the render takes more than 20000000 steps
            {{ $x := "0123" }}{{ range until 40 }}{{ $x = print $x $x }}{{ end }} => a value would be larger than
            {{ repeat 100000000 "x" }} => a value would be larger than
            {{ range until 9000 }}{{ repeat 9000 "x" }}{{ end }} => the output is larger than 33554432 bytes
            {{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }} => a.yaml:1:
            {{ tpl .Values.again . }} => exceeded maximum template depth
            [1, 2] => a.yaml
            {{ .Values.a.b.c }} => a.yaml:1:10: executing "web/templates/a.yaml" at <.Values.a.b.c>: nil pointer evaluating
            {{ index .Values.size "k" }} => at <index .Values.size "k">: error calling index
            {{ .Files.Get "../../secret" | required "nothing" }} => nothing
            """)
    void badTemplatesAreToldWithTheirPlace(String template, String told) throws IOException {
        chart();
        file("secret", "geheim");
        file("chart/values.yaml", "size: small\nagain: '{{ tpl .Values.again . }}'\n");
        file("chart/templates/a.yaml", template);

        assertThat(terminal.run("render", temp.resolve("chart").toString())).isEqualTo(1);
        assertThat(terminal.err()).contains(told).contains("a.yaml").doesNotContain("geheim");
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", textBlock = """
            chart/values.yaml => [1] => values.yaml
            chart/values.yaml => a: [ => values.yaml
            chart/values.schema.json => {"required": ["colour"]} => missing property 'colour'
            chart/values.schema.json => {"properties": {"size": {"type": "integer"}}} => at '/size': got string, want integer
            """)
    void badFilesOfChartsAreNamed(String name, String text, String told) throws IOException {
        chart();
        file(name, text);

        assertThat(terminal.run("render", temp.resolve("chart").toString())).isEqualTo(1);
        assertThat(terminal.err()).contains(told);
    }

    @Test
    void aChartThatNeedsItselfIsNoChain() throws IOException {
        chart();
        file("chart/Chart.yaml", """
                apiVersion: v2
                name: web
                version: 1.0.0
                dependencies: [{name: web, version: 1.0.0, repository: 'file://.'}]
                """);
        Files.createDirectories(temp.resolve("chart/charts"));
        Files.createSymbolicLink(temp.resolve("chart/charts/web"), temp.resolve("chart"));

        assertThat(terminal.run("render", temp.resolve("chart").toString())).isEqualTo(1);
        assertThat(terminal.err()).contains("web");
    }

    @Test
    void applicationsOfTheRepositoryTheyLieIn() throws IOException {
        chart();
        Files.move(
                temp.resolve("chart"),
                Files.createDirectories(temp.resolve("repository")).resolve("chart"));
        file("repository/.git/config", "[remote \"origin\"]\n  url = https://git.example/o/r.git\n");
        file("repository/values/prod.yaml", "size: productive\n");
        file("repository/app.yaml", """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: shop}
                spec:
                  destination: {namespace: shops, server: https://kubernetes.default.svc}
                  sources:
                  - {repoURL: https://git.example/o/r, ref: values}
                  - repoURL: https://git.example/o/r
                    path: chart
                    helm: {valueFiles: [$values/values/prod.yaml], parameters: [{name: more, value: x}]}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: beside}
                """);

        assertThat(terminal.run("render", temp.resolve("repository/app.yaml").toString()))
                .isZero();
        assertThat(terminal.out()).contains("name: shop", "namespace: shops", "size: productive", "name: beside");
        file(
                "repository/app.yaml",
                Files.readString(temp.resolve("repository/app.yaml")).replace("path: chart", "path: gone"));
        assertThat(terminal.run("render", temp.resolve("repository/app.yaml").toString()))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("Application shop: gone: app path does not exist");
    }
}
