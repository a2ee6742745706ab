package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Findings that depend on who reads a file, told by what lies around it.
final class LintCertaintyTest {

    private static final String FINE = "nothing to complain about";

    private static final String SERVICE = """
            apiVersion: v1
            kind: Service
            metadata: {name: web}
            spec: {ports: [{port: 80000, targetPort: 80}]}
            """;

    private final LintedTree tree = new LintedTree();

    @TempDir
    Path temp;

    @BeforeEach
    void useADirectoryOfItsOwn() throws IOException {
        tree.begin(temp);
    }

    @Test
    void aProgramCompletesWhatItReads() throws IOException {
        tree.put("handlers/manifests/service.yaml", SERVICE);
        tree.put("handlers/other.js", "read('manifests/deployment.yaml')\n");
        assertThat(tree.linted("")).contains("1 error", "refused");

        tree.put("handlers/service.js", "read(`${here}/manifests/service.yaml`)\n");
        assertThat(tree.linted("")).contains(FINE);
    }

    @ParameterizedTest
    @CsvSource({
        "examples/web.yaml, nothing to complain about",
        "deploy/web.yaml, 1 error",
        "bundles/web/1.31.0/web.yaml, nothing to complain about",
        "examples/issues/issue_1/web.yaml, nothing to complain about",
        "snapshots/monday/web.yaml, nothing to complain about",
        "docs/versions/v0.6.0/web.yaml, nothing to complain about"
    })
    void whatIsKeptAsItWasIsNotApplied(String file, String told) throws IOException {
        tree.put(file, SERVICE);

        assertThat(tree.linted("")).contains(told);
    }

    @Test
    void whoeverNamesWhatIsPutAwayMeansIt() throws IOException {
        tree.put("old/web.yaml", SERVICE);
        assertThat(tree.linted("")).contains(FINE);
        assertThat(tree.linted("old")).contains("1 error");
        assertThat(tree.linted("old/web.yaml")).contains("1 error");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Makefile", "justfile"})
    void aMakefileMayMakeWhatIsMissing(String makefile) throws IOException {
        tree.put("config/kustomization.yaml", "resources: [../crd-small]\n");
        tree.put(makefile, "all:\n\tcp -R config/crd config/crd-large\n");
        assertThat(tree.linted("")).contains("1 warning", "unrenderable");

        tree.put(makefile, "all:\n\tcp -R config/crd config/crd-small\n");
        assertThat(tree.linted("")).contains(FINE);
    }

    @Test
    void controllerGenMakesItsManifests() throws IOException {
        tree.put("config/webhook/kustomization.yaml", "resources: [manifests.yaml]\n");
        assertThat(tree.linted("")).contains("1 warning", "unrenderable");

        tree.put("Makefile", "all:\n\t$(CONTROLLER_GEN) webhook\n");
        assertThat(tree.linted("")).contains(FINE);
    }

    @Test
    void aKustomizationMayBeMadeOfItsTemplate() throws IOException {
        tree.put("config/kustomization.yaml", "resources: [../manager]\n");
        tree.put("manager/pod.yaml", "");
        assertThat(tree.linted("")).contains("1 warning", "unrenderable");

        tree.put("manager/kustomization.yaml.in", "resources: [pod.yaml]\n");
        assertThat(tree.linted("")).contains(FINE);
    }

    @Test
    void gitLeavesAFolderOutWithAllThatIsInIt() throws IOException {
        tree.put("config/kustomization.yaml", "resources: [bases/web.yaml]\n");
        assertThat(tree.linted("")).contains("1 warning", "unrenderable");

        tree.put(".gitignore", "config/bases\n");
        assertThat(tree.linted("")).contains(FINE);
    }

    @Test
    void nobodyFetchesWhatIsElsewhere() throws IOException {
        tree.put("a/kustomization.yaml", "resources: ['github.com:example/web.git/manifests?ref=v1']\n");

        assertThat(tree.linted("")).contains(FINE);
    }

    @Test
    void aChartWhoseValuesAToolFillsInIsNotRenderedBefore() throws IOException {
        tree.put("chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: <VERSION_OF_IT>\n");
        assertThat(tree.linted("")).contains(FINE);

        tree.put("chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: newest\n");
        assertThat(tree.linted("")).contains("1 warning", "unrenderable");
    }

    @Test
    void onlyAShellThatIsKnownToBeNoBashRefusesWhatIsForBash() throws IOException {
        var task = """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: list}
                spec:
                  steps:
                  - image: %s
                    script: |
                      list=(a b)
                      echo "${list[0]}"
                """;
        tree.put("task.yaml", task.formatted("quay.io/buildah/stable:v1"));
        assertThat(tree.linted("")).doesNotContain("shell-portability");

        tree.put("task.yaml", task.formatted("alpine:3"));
        assertThat(tree.linted("")).contains("shell-portability");
    }

    @Test
    void aPatchByAnotherNameLacksItsSelectorWithTheRest() throws IOException {
        tree.put("part.yaml", """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  selector: {matchLabels: {app: web}}
                  template: {spec: {containers: [{name: web, image: "web:1"}]}}
                """);
        assertThat(tree.linted("part.yaml")).contains("1 error", "`selector` does not match");

        tree.put("app/kustomization.yaml", "resources: [map.yaml]\n");
        tree.put("app/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
        assertThat(tree.linted("part.yaml")).contains("1 error", "`selector` does not match");
        assertThat(tree.linted("")).contains(FINE);
    }

    @Test
    void aLineThatIsNoYamlWithoutAValueGetsOne() throws IOException {
        var pod =
                "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    image: a:%s\n    tty: true\n";
        tree.put("chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
        tree.put("chart/templates/a.yaml", pod.formatted("{{ .Values.tag }}"));
        assertThat(tree.linted("")).contains(FINE);

        tree.put("chart/templates/a.yaml", pod.formatted(" b: c"));
        assertThat(tree.linted("")).contains("1 error", "yaml-syntax");
    }

    @Test
    void aProgramCompletesThePipelinesOfItsTemplates() throws IOException {
        var pipeline = "apiVersion: tekton.dev/v1\nkind: Pipeline\nmetadata: {name: a}\nspec: {tasks: [{name: one}]}\n";
        tree.put("templates/pipeline.yaml", pipeline);
        assertThat(tree.linted("")).contains(FINE);

        tree.put("pipelines/pipeline.yaml", pipeline);
        assertThat(tree.linted("")).contains("1 error", "refused");
    }

    @Test
    void whatAKustomizationListsNoMoreNeedsNoPort() throws IOException {
        var service = """
                apiVersion: v1
                kind: Service
                metadata: {name: web}
                spec: {selector: {app: web}, ports: [{port: 80, targetPort: https}]}
                """;
        tree.put("app/pod.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: web, labels: {app: web}}
                spec: {containers: [{name: web, image: "web:1", ports: [{name: http, containerPort: 80}]}]}
                """);
        tree.put("app/service.yaml", service);
        assertThat(tree.linted("")).contains("1 warning", "unmatched-port");

        tree.put("app/kustomization.yaml", "resources:\n- pod.yaml\n#- service.yaml\n");
        assertThat(tree.linted("")).contains(FINE);
    }
}
