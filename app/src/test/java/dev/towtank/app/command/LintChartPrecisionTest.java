package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What looks like a mistake in a chart and is none.
final class LintChartPrecisionTest {

    private static final String FINE = "nothing to complain about";

    private final LintedTree tree = new LintedTree();

    @TempDir
    Path temp;

    @BeforeEach
    void useADirectoryOfItsOwn() throws IOException {
        tree.begin(temp);
    }

    private void put(String name, String text) throws IOException {
        tree.put(name, text);
    }

    private String linted(String folder) {
        return tree.linted(folder);
    }

    @Test
    void helmCutsBehindThreeDashesWhateverFollows() throws IOException {
        put("chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
        put("chart/templates/all.yaml", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: one}
                ---
                {{- if true -}}
                # a comment that lands on the line of the dashes
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: two}
                data: {port: 80}
                {{- end }}
                """);

        assertThat(linted("chart"))
                .contains("data.port must be a text, not a number", "  10:")
                .doesNotContain("yaml-syntax");
    }

    @Test
    void aValueThatIsNowhereIsGivenByWhoeverInstalls() throws IOException {
        put("chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
        put("chart/templates/a.yaml", "data: {{ .Values.token | b64enc }}\n");

        assertThat(linted("chart")).contains(FINE);
    }

    @Test
    void aChartChoosesByWhatAServerOfTodayServes() throws IOException {
        put("web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
        put("web/templates/a.yaml", """
                {{- if .Capabilities.APIVersions.Has "policy/v1/PodDisruptionBudget" }}
                apiVersion: policy/v1
                {{- else }}
                apiVersion: policy/v1beta1
                {{- end }}
                kind: PodDisruptionBudget
                metadata: {name: a}
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a}
                {{- if .Capabilities.APIVersions.Has "batch/v1beta1" }}
                wrong: 1
                {{- end }}
                """);
        assertThat(linted("")).contains(FINE);

        assertThat(tree.linted("web", "--target", "kubernetes=1.20")).contains("unknown field \"wrong\"");
    }

    @Test
    void aChartIsInstalledByItsName() throws IOException {
        var service = """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: a}
                spec:
                  selector: {matchLabels: {app: {{ .Release.Name }}}}
                  template:
                    metadata: {labels: {app: {{ .Chart.Name }}}}
                    spec: {containers: [{name: a, image: 'a:1'}]}
                """;
        put("web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
        put("web/templates/a.yaml", service);
        assertThat(linted("")).contains(FINE);

        put("web/Chart.yaml", "apiVersion: v2\nname: The Web\nversion: 1.0.0\n");
        put("web/templates/a.yaml", service.replace("image:", "imgae:"));
        assertThat(linted("")).contains("imgae").doesNotContain("unrenderable");
    }

    @Test
    void withOtherValuesAChartWritesOtherObjects() throws IOException {
        put("web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
        put("web/values.yaml", "own: false\n");
        put("web/ci/own-values.yaml", "own: true\n");
        put("web/templates/a.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: a}
                spec:
                  containers:
                  - name: a
                    image: a:1
                    env: [{name: A, valueFrom: {secretKeyRef: {name: keys, key: {{ if .Values.own }}own{{ else }}other{{ end }}}}}]
                {{- if .Values.own }}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: keys}
                stringData: {own: a}
                {{- end }}
                """);
        assertThat(linted("")).doesNotContain("undefined-key");

        put("web/values.yaml", "own: false\n");
        put("web/ci/own-values.yaml", "own: true\n");
        put("web/templates/b.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: b}
                spec:
                  containers:
                  - {name: a, image: 'a:1', env: [{name: A, valueFrom: {secretKeyRef: {name: keys, key: onw}}}]}
                """);
        assertThat(linted("")).contains("undefined-key", "onw");
    }

    @Test
    void keysInBracesAreTwoWithOtherValues() throws IOException {
        put("web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
        put("web/values.yaml", "one: {a: b}\ntwo: {a: c}\n");
        put("web/templates/a.yaml", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a}
                data:
                  {{- range $key, $value := .Values.one }}
                  {{ $key }}: {{ $value }}
                  {{- end }}
                  {{- range $key, $value := .Values.two }}
                  {{ $key }}: {{ $value }}
                  {{- end }}
                """);
        assertThat(linted("")).contains(FINE);

        put("web/templates/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {}\ndata: {}\n");
        assertThat(linted("")).contains("duplicate-key");
    }

    @Test
    void aChartMayAskForValuesByItsSchema() throws IOException {
        put("chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
        put("chart/values.yaml", "policy:\n");
        put("chart/values.schema.json", "{\"properties\": {\"policy\": {\"type\": \"string\"}}}");
        put("chart/templates/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
        assertThat(linted("chart")).contains(FINE);

        put("chart/ci/one-values.yaml", "policy: 1\n");
        assertThat(linted("chart")).contains("unrenderable");
    }

    @Test
    void whatAChartIsMadeOfIsForNoServer() throws IOException {
        put("parts/kustomization.yaml", "resources: [web.yaml]\npatches: [{path: labels-patch.yaml}]\n");
        put("parts/web.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n");
        var patch = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, labelz: '%s'}\n";
        put("parts/labels-patch.yaml", patch.formatted("none"));
        assertThat(linted("")).contains("labelz");

        put("parts/labels-patch.yaml", patch.formatted("{{ .Values.labels | toYaml }}"));
        assertThat(linted("")).contains(FINE);
    }

    @Test
    void aValueInBracesIsFilledIn() throws IOException {
        var binding = """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: a}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: a}
                subjects:
                - kind: ServiceAccount
                  namespace: a
                  name: %s
                """;
        put("a.yaml", binding.formatted("#{ACCOUNT}"));
        put("b.yaml", binding.formatted("{account-name} # such as builder"));
        assertThat(linted("")).contains(FINE);

        put("a.yaml", binding.formatted("# which?"));
        assertThat(linted("a.yaml")).contains("1 error", "subjects[0].name: Required value");
    }

    @Test
    void aValueBehindAColonIsAMapOnlyWhereItIsEmpty() throws IOException {
        put("charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
        put("charts/web/values.yaml", "name: \"\"\nport: 80\n");
        var pod =
                "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n  - name: web\n    image: web:1\n    command:\n    - %s\n";
        put("charts/web/templates/pod.yaml", pod.formatted("--nodes=1:{{ .Values.name }}"));
        assertThat(linted("")).contains(FINE);

        put("charts/web/templates/pod.yaml", pod.formatted("{{ .Values.port }}"));
        assertThat(linted("")).contains("spec.containers[0].command[0] must be a text, not a number");
    }
}
