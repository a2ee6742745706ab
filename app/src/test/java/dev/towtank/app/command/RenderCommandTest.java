package dev.towtank.app.command;

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
    void aRemoteBaseThatDoesNotAnswerIsNamed() throws IOException {
        file("remote/kustomization.yaml", "resources: ['https://me:geheim@127.0.0.1:1/o/r.git?ref=main']\n");

        assertThat(terminal.run("render", temp.resolve("remote").toString())).isEqualTo(1);
        assertThat(terminal.err())
                .contains("kustomization.yaml: remote resource")
                .contains("cannot reach 127.0.0.1")
                .doesNotContain("geheim");
        assertThat(terminal.run("render", temp.resolve("remote").toString(), "-f", "gone.yaml"))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("Cannot read gone.yaml: there is no such file.");
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
            chart/values.yaml => [1] => cannot load values.yaml: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array
            chart/values.yaml => text => cannot load values.yaml: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string
            chart/values.yaml => a: [ => cannot load values.yaml: error converting YAML to JSON: yaml: line 1
            chart/Chart.yaml => [1] => cannot load Chart.yaml
            chart/Chart.yaml => {name: web, version: [1]} => cannot unmarshal array into Go struct field Metadata.version of type string
            chart/Chart.yaml => {version: 1.0.0} => chart.metadata.name is required
            chart/charts/b/Chart.yaml => {name: b} => error unpacking subchart b in web: validation: chart.metadata.version is required
            chart/charts/b.tgz => no archive => error unpacking subchart b.tgz in web: chart archive cannot be read
            chart/values.schema.json => [1] => values.schema.json cannot be read: expected a JSON object
            chart/values.schema.json => {"type": => values.schema.json cannot be read
            chart/templates/b.yaml => {kind: A, kind: => YAML parse error on web/templates/b.yaml
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
    void aChartThatLinksToItselfIsRefused() throws IOException {
        chart();
        Files.createDirectories(temp.resolve("chart/charts"));
        Files.createSymbolicLink(temp.resolve("chart/charts/web"), Path.of(".."));

        assertThat(terminal.run("render", temp.resolve("chart").toString())).isEqualTo(1);
        assertThat(terminal.err()).contains("charts/web is a link to a folder that it is in: cycle detected");
        assertThat(terminal.out()).isEmpty();
        file("chart/.helmignore", "charts/web\n");
        assertThat(terminal.run("render", temp.resolve("chart").toString())).isZero();
    }

    @Test
    void aChartInItselfIsRefusedWhateverIsBetween() throws IOException {
        chart();
        file("chart/charts/between/Chart.yaml", "apiVersion: v2\nname: between\nversion: 2.0.0\n");
        file("chart/charts/between/charts/again/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");

        assertThat(terminal.run("render", temp.resolve("chart").toString())).isEqualTo(1);
        assertThat(terminal.err())
                .contains("cycle detected: chart web 1.0.0 contains between 2.0.0 contains web 1.0.0");
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", textBlock = """
            templates/b.yaml => ../../secret => templates/b.yaml is a link to ../../secret, which is outside of the chart
            charts/b => ../.. => charts/b is a link to ../.., which is outside of the chart
            values.yaml => /etc/hostname => values.yaml is a link to /etc/hostname, which is outside of the chart
            files/x => ../gone => files/x is a link to ../gone, where nothing is
            """)
    void linksThatLeaveAChartAreRefusedByName(String link, String target, String told) throws IOException {
        chart();
        file("secret", "geheim");
        var place = temp.resolve("chart").resolve(link);
        Files.createDirectories(place.getParent());
        Files.deleteIfExists(place);
        Files.createSymbolicLink(place, Path.of(target));

        assertThat(terminal.run("render", temp.resolve("chart").toString())).isEqualTo(1);
        assertThat(terminal.err()).contains(told).doesNotContain("geheim");
    }

    @Test
    void linksInsideOfAChartAreWhatTheyLeadTo() throws IOException {
        chart();
        file("chart/environments/small/values.yaml", "size: linked\n");
        Files.delete(temp.resolve("chart/values.yaml"));
        Files.createSymbolicLink(temp.resolve("chart/values.yaml"), Path.of("environments/here/values.yaml"));
        Files.createSymbolicLink(temp.resolve("chart/environments/here"), Path.of("small"));

        assertThat(terminal.run("render", temp.resolve("chart").toString())).isZero();
        assertThat(terminal.out()).contains("size: linked");
    }

    @Test
    void keysThatStandTwiceAreTold() throws IOException {
        chart();
        file("chart/values.yaml", "size: small\nsize: large\n");
        file("more.yaml", "other:\n  a: 1\n  a: 2\n");

        assertThat(terminal.run(
                        "render",
                        temp.resolve("chart").toString(),
                        "-f",
                        temp.resolve("more.yaml").toString()))
                .isZero();
        assertThat(terminal.out()).contains("size: large");
        assertThat(terminal.err())
                .contains("warning: values.yaml: line 2: key \"size\" already set in map; the last one counts")
                .contains("more.yaml: line 3: key \"a\" already set in map");
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
