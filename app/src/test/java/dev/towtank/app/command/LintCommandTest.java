package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.JsonText;
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

        assertThat(terminal.run("lint", "--target", "eso=2", file("store.yaml", STORE)))
                .isEqualTo(1);
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
                .contains("  10:1    warning  spec.replicas must be a whole number")
                .contains("  12:3    error    unknown field \"spec.selektor\"")
                .doesNotContain("helm-template");
        Files.writeString(chart.resolve("templates/bad.yaml"), "a: 1\nb: {{ needed .Values.b }}\n");
        assertThat(terminal.run("lint", "--strict", chart.toString())).isEqualTo(1);
        assertThat(terminal.out()).contains("web/templates/bad.yaml\n  2:1", "\"needed\" not defined", "unrenderable");
    }

    @Test
    void kustomizationsAreBuilt() throws IOException {
        var folder = Files.createDirectories(temp.resolve("over"));
        Files.writeString(folder.resolve("kustomization.yaml"), "resources: [pod.yaml, gone.yaml]\n");
        Files.writeString(folder.resolve("pod.yaml"), POD.replace("busybox", "busybox:1"));

        assertThat(terminal.run("lint", "--strict", folder.toString())).isEqualTo(1);
        assertThat(terminal.out()).contains("kustomization.yaml\n  1:1", "gone.yaml", "warning", "unrenderable");
        Files.writeString(folder.resolve("kustomization.yaml"), "resources: [pod.yaml]\nnamePrefix: UPPER-\n");
        assertThat(terminal.run("lint", folder.toString())).isEqualTo(1);
        assertThat(terminal.out()).contains("kustomization.yaml\n  1:1", "UPPER-p");
        Files.writeString(folder.resolve("kustomization.yaml"), "resources: [pod.yaml]\n");
        assertThat(terminal.run("lint", folder.toString())).isZero();
    }

    private void put(String name, String text) throws IOException {
        var file = temp.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private String linted(String folder) {
        terminal.run("lint", temp.resolve(folder).toString());
        return terminal.out();
    }

    @Test
    void whatAnOverlayCompletesIsNoMistakeOfItsBase() throws IOException {
        Files.createDirectories(temp.resolve("tree/.git"));
        put("tree/base/kustomization.yaml", "resources: [app.yaml]\n");
        put("tree/base/app.yaml", """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  template:
                    metadata: {labels: {part: web}}
                    spec: {containers: [{name: web, image: "busybox:1"}]}
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: from-overlay}}}
                """);
        put("tree/over/kustomization.yaml", """
                resources: [../base]
                commonLabels: {app: web}
                patches:
                - patch: '[{op: replace, path: /spec/resources/requests/storage, value: 1Gi}]'
                  target: {kind: PersistentVolumeClaim}
                """);

        assertThat(linted("tree")).doesNotContain("Required value", "quantities must match");
        put("tree/over/kustomization.yaml", "resources: [../base]\n");
        assertThat(linted("tree/base")).contains("spec.selector: Required value", "quantities must match");
    }

    @Test
    void whatIsFilledInLaterIsNoMistake() throws IOException {
        put("later/a.yaml", """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: "${SIZE:=1Gi}"}}}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: keys}
                data: {config: "$(CONFIG)"}
                ---
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: one}
                spec: {taskRef: {name: $REPLACE_ME}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: ko}
                spec: {containers: [{name: a, image: "ko://example.com/cmd"}, {name: b, image: IMAGE_URL}]}
                ---
                apiVersion: networking.k8s.io/v1
                kind: NetworkPolicy
                metadata: {name: none}
                spec: {podSelector: {}}
                """);
        put("later/b.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: b}\ndata:\n  config: {{config_data}}\n");
        put("later/.vscode/settings.json", "{// a comment\n\"a\": 1}");

        assertThat(linted("later")).contains("nothing to complain about");
    }

    @Test
    void paramsThatAreKeptForOthersAreNotTold() throws IOException {
        put("params/task.yaml", """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: one}
                spec:
                  params:
                  - {name: old, description: "Unused, will be removed"}
                  - {name: lost, description: "What to do"}
                  steps: [{image: "busybox:1", command: ["true"]}]
                """);

        assertThat(linted("params/task.yaml")).contains("\"lost\"").doesNotContain("\"old\"");
    }

    @Test
    void refersToOtherVersionsWithoutBeingJudged() throws IOException {
        put("versions/task.yaml", """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: one}
                spec:
                  params: [{name: url}]
                  steps: [{image: "busybox:1", command: [echo, $(params.url)]}]
                ---
                apiVersion: tekton.dev/v1alpha1
                kind: TaskRun
                metadata: {name: oldest}
                spec: {taskRef: {name: one}, inputs: {params: [{name: url, value: a}]}}
                ---
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: other}
                spec: {taskRef: {name: one, version: "0.1"}}
                """);

        assertThat(linted("versions")).doesNotContain("missing-param");
    }

    @Test
    void aKustomizationThatNeedsMoreThanIsThereIsNoError() throws IOException {
        put("made/kustomization.yaml", "resources: [all.yaml]\n");
        put("made/.gitignore", "all.yaml\n");
        put("outside/kustomization.yaml", "resources: [../made/other.yaml]\n");
        put("made/other.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");

        assertThat(linted("made")).contains("nothing to complain about");
        assertThat(linted("outside")).contains("nothing to complain about");
    }

    @Test
    void selectorsAreComparedWithPodsThatAreLabelledAlike() throws IOException {
        put("pods/a.yaml", """
                apiVersion: v1
                kind: Service
                metadata: {name: elsewhere}
                spec: {selector: {run-by: others}, ports: [{port: 80}]}
                ---
                apiVersion: v1
                kind: Service
                metadata: {name: wrong}
                spec: {selector: {app: wbe}, ports: [{port: 80}]}
                ---
                apiVersion: v1
                kind: Service
                metadata: {name: database}
                spec: {selector: {app: db}, ports: [{port: 80}]}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: web, labels: {app: web}}
                spec: {containers: [{name: web, image: "busybox:1"}]}
                ---
                apiVersion: apps.openshift.io/v1
                kind: DeploymentConfig
                metadata: {name: db}
                spec: {template: {metadata: {labels: {app: db}}, spec: {containers: [{name: db, image: "busybox:1"}]}}}
                """);

        assertThat(linted("pods")).contains("{app=wbe}").doesNotContain("{run-by=others}", "{app=db}");
    }

    @Test
    void whatIsForTestsOrOfOthersIsPassedOverUnlessItIsNamed() throws IOException {
        var broken =
                "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{port: 80000, targetPort: 80}]}\n";
        put("all/vendor/other/a.yaml", broken);
        put("all/testdata/a.yaml", broken);
        put("all/src/test/resources/a.yaml", broken);
        put("all/test/data/a.yaml", broken);
        put("all/manager_patch.yaml", broken);
        put("all/b.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n");

        assertThat(linted("all"))
                .contains(
                        "nothing to complain about",
                        "3 files of test data were not checked; --include-tests checks them");
        assertThat(linted("all/testdata/a.yaml")).contains("must be between 1 and 65535");
        assertThat(linted("all/testdata")).contains("must be between 1 and 65535");
        assertThat(terminal.run("lint", "--include-tests", temp.resolve("all").toString()))
                .isZero();
        assertThat(terminal.out()).contains("3 warnings").doesNotContain("test data");
    }

    /// Hooks name each file that changes, wherever it is.
    @Test
    void excludedFilesAreLeftOutWhereTheyAreNamedIfThatIsWanted() throws IOException {
        put("all/vendor/a.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {port: 80}\n");
        var named = temp.resolve("all/vendor/a.yaml").toString();
        var config = file("lint.yaml", "exclude: ['" + temp.resolve("all/vendor") + "/']\n");

        assertThat(terminal.run("lint", "--config", config, named)).isEqualTo(1);
        assertThat(terminal.run("lint", "--config", config, "--respect-excludes", named))
                .isZero();
        assertThat(terminal.run("lint", "--respect-excludes", named)).isEqualTo(1);
    }

    @Test
    void aRepositorySaysWhatItApplies() throws IOException {
        var wrong = "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {port: 80, ports: [{port: 80}]}\n";
        put("all/deploy/a.yaml", wrong);
        put("all/examples/live/a.yaml", wrong);
        var config = file("lint.yaml", "applied: ['" + temp.resolve("all/examples/live") + "/']\n");
        var all = temp.resolve("all").toString();

        assertThat(terminal.run("lint", all)).isZero();
        assertThat(terminal.out()).contains("1 warning in 2 objects");
        put("all/apply.sh", "kubectl apply -f deploy/\n");
        assertThat(terminal.run("lint", all)).isEqualTo(1);
        assertThat(terminal.out()).contains("1 error in 2 objects");
        terminal.run("lint", "--config", config, "-o", "json", all);
        assertThat(JsonText.parseObject(terminal.out()).objects("findings"))
                .extracting(each ->
                        each.string("level") + " " + temp.resolve("all").relativize(Path.of(each.string("file"))))
                .containsExactly("warning deploy/a.yaml", "error examples/live/a.yaml");
    }

    @Test
    void documentsMayShowAPartOfAnObject() throws IOException {
        var part = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: a}\nspec: {volumeMode: Block}\n";
        put("docs/a.yaml", part);
        put("deploy/a.yaml", part);

        assertThat(linted("docs")).contains("nothing to complain about");
        assertThat(linted("deploy")).contains("spec.accessModes: Required value");
    }

    @Test
    void whatGitLeavesOutIsMadeOnTheSpot() throws IOException {
        put("made/app/kustomization.yaml", "configMapGenerator: [{name: a, envs: [here.local]}]\n");

        assertThat(linted("made")).contains("unrenderable");
        put("made/.gitignore", "# of this machine\n*.local\n");
        assertThat(linted("made")).contains("nothing to complain about");
    }

    @Test
    void ofSeveralDefinitionsOfAKindTheOneThatFitsCounts() throws IOException {
        for (var required : new String[] {"[]", "[size]"}) {
            put("kinds/" + required.length() + ".yaml", """
                    apiVersion: apiextensions.k8s.io/v1
                    kind: CustomResourceDefinition
                    metadata: {name: zoos.example.com}
                    spec:
                      group: example.com
                      scope: Namespaced
                      names: {kind: Zoo, plural: zoos}
                      versions:
                      - name: v1
                        served: true
                        storage: true
                        schema:
                          openAPIV3Schema:
                            type: object
                            properties:
                              spec: {type: object, required: %s, properties: {size: {type: integer}}}
                    """.formatted(required));
        }
        put("kinds/zoo.yaml", "apiVersion: example.com/v1\nkind: Zoo\nmetadata: {name: a}\nspec: {}\n");

        assertThat(linted("kinds")).contains("nothing to complain about");
    }
}
