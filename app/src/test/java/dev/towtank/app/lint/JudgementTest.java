package dev.towtank.app.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.source.SourceFiles;
import dev.towtank.app.lint.source.SourceFiles.Content;
import dev.towtank.app.lint.source.SourceText;
import dev.towtank.app.lint.standing.Named;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The level of a finding says how certain it is.
final class JudgementTest {

    private static final String UNKNOWN_FIELD = """
            apiVersion: v1
            kind: Service
            metadata: {name: web}
            spec: {port: 80, ports: [{port: 80}]}
            """;

    private static final String NO_PORTS = """
            apiVersion: v1
            kind: Service
            metadata: {name: web}
            spec: {selector: {app: web}}
            """;

    private static final String HOOK = """
            apiVersion: tekton.dev/v1
            kind: Pipeline
            metadata: {name: old}
            spec: {tasks: [{name: one, taskRef: {name: build, kind: ClusterTask}}]}
            """;

    private static final String TASK = """
            apiVersion: tekton.dev/v1
            kind: Task
            metadata: {name: build}
            spec:
              params: [%s]
              steps: [{image: "busybox:1.36", command: [echo, $(params.a)]}]
            """;

    private static List<String> told(List<String> named, String... files) {
        return told(new Named(named), files);
    }

    private static List<String> told(Named named, String... files) {
        var inputs = new ArrayList<Supplier<Content>>();
        for (int i = 0; i < files.length; i += 2) {
            var text = new SourceText(files[i], files[i + 1]);
            inputs.add(() -> new Content.Text(text));
        }
        inputs.add(() -> Linting.DELIVERY);
        return Linting.linter().lint(inputs, named).findings().stream()
                .filter(finding -> finding.level() != Level.INFO)
                .map(finding -> finding.level().word() + " " + finding.rule().id())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "deploy/web.yaml, error",
        "examples/web.yaml, nothing",
        "hands-on-workshop/web.yaml, nothing",
        "clusters/lab/web.yaml, error",
        "docs/how/web.yaml, nothing",
        "web-sample.yaml, nothing"
    })
    void whatAFileIsCalledAfterSpeaksAgainstItsBeingApplied(String file, String level) {
        assertThat(told(List.of(), file, UNKNOWN_FIELD))
                .isEqualTo(level.equals("nothing") ? List.of() : List.of(level + " unknown-field"));
        assertThat(told(List.of(file), file, UNKNOWN_FIELD)).containsExactly("error unknown-field");
    }

    @Test
    void whatARepositorySaysToBeAppliedIsMeantAndNothingElse() {
        var said = new Named(List.of("."), List.of(Path.of("old/examples/web.yaml")), true);

        assertThat(told(said, "old/examples/web.yaml", UNKNOWN_FIELD)).containsExactly("error unknown-field");
        assertThat(told(said, "old/examples/web.yaml", NO_PORTS)).containsExactly("error refused");
        assertThat(told(said, "deploy/web.yaml", UNKNOWN_FIELD)).containsExactly("warning unknown-field");
    }

    @ParameterizedTest
    @ValueSource(strings = {".lighthouse/jobs/web.yaml", "bindata/web.yaml", "pkg/controller/web.yaml"})
    void whatAProgramCompletesIsNotWhatAServerSees(String file) {
        assertThat(told(List.of(), file, UNKNOWN_FIELD)).isEmpty();
    }

    @Test
    void whatIsMissingMayBeAddedUnlessSomebodyNamesTheFile() {
        assertThat(told(List.of("."), "deploy/web.yaml", NO_PORTS)).containsExactly("warning refused");
        assertThat(told(List.of("deploy"), "deploy/web.yaml", NO_PORTS)).containsExactly("error refused");
        assertThat(told(List.of("deploy/web.yaml"), "deploy/web.yaml", NO_PORTS))
                .containsExactly("error refused");
    }

    @Test
    void anObjectThatLacksMuchIsAPartOfOne() {
        var job = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: nightly}\nspec: {suspend: true}\n";

        assertThat(told(List.of("."), "deploy/job.yaml", job)).isEmpty();
        assertThat(told(List.of("deploy/job.yaml"), "deploy/job.yaml", job)).contains("error refused");
    }

    @Test
    void whatOnlyTheClusterKnowsIsForWhoAsks() {
        var choice = TASK.formatted("{name: a, enum: [red, blue]}");

        assertThat(told(List.of(), "tasks/a.yaml", choice)).isEmpty();
        assertThat(told(List.of("tasks/a.yaml"), "tasks/a.yaml", choice)).containsExactly("warning feature-flag");
    }

    @Test
    void aScriptThatIsKeptAsWhatItWritesIsNone(@TempDir Path home) throws IOException {
        var script = "cat <<EOF | kubectl apply -f -\n" + UNKNOWN_FIELD.replace("v1", "v1: :") + "EOF\n";

        assertThat(told(List.of(), "web.yaml", script)).isEmpty();
        Files.createDirectories(home.resolve("lab/solution"));
        Files.createDirectories(home.resolve("operator/manifests"));
        Files.writeString(home.resolve("operator/main.go"), "package main\n");
        for (var file : List.of("lab/web.yaml", "operator/manifests/web.yaml")) {
            var path = home.resolve(file).toString();
            assertThat(told(new Named(List.of(home.toString())), path, UNKNOWN_FIELD))
                    .noneMatch(finding -> finding.startsWith("error"));
            assertThat(told(List.of(path), path, UNKNOWN_FIELD)).containsExactly("error unknown-field");
        }
    }

    @Test
    void roomForAValueIsNoSlip() {
        var pod = """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: web
                spec:
                  containers:
                  - name: web
                    image: %s
                """;
        var job = """
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: web
                spec:
                  parallelism: 1
                """;

        assertThat(told(List.of("."), "web.yaml", pod.formatted("''"))).isEmpty();
        assertThat(told(List.of("."), "web.yaml", pod.replace("    image: %s", "    tty: true")))
                .containsExactly("error refused");
        assertThat(told(List.of("jobs"), "jobs/web.yaml", job)).contains("error refused");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PORT", "CONTAINER_PORT", "<>"})
    void aWordInCapitalsIsForSomebodyToReplace(String word) {
        var service = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: \"%s\"}]}\n";

        assertThat(told(List.of(), "web.yaml", service.formatted(word))).isEmpty();
        assertThat(told(List.of(), "web.yaml", service.formatted("eighty"))).containsExactly("error wrong-type");
    }

    @Test
    void whoHasOnlyOldTektonHasAnOldCluster() {
        var old = HOOK.replace("tekton.dev/v1", "tekton.dev/v1beta1");

        assertThat(told(List.of(), "a.yaml", HOOK)).containsExactly("warning refused");
        assertThat(told(List.of(), "a.yaml", old)).isEmpty();
        assertThat(told(List.of("a.yaml"), "a.yaml", old)).containsExactly("warning refused");
    }

    @Test
    void aFileForOlderClustersLiesBesideOneForNewer() {
        var older = "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: nightly}\n";
        var newer = """
                apiVersion: batch/v1
                kind: CronJob
                metadata: {name: %s}
                spec:
                  schedule: "@daily"
                  jobTemplate:
                    spec:
                      template:
                        spec: {restartPolicy: Never, containers: [{name: main, image: "busybox:1.36"}]}
                """;

        assertThat(told(List.of(), "a.yaml", older, "b.yaml", newer.formatted("nightly")))
                .isEmpty();
        // Which release the cluster has is in no file, unless it must be a newer one.
        assertThat(told(List.of(), "a.yaml", older)).isEmpty();
        var others = newer.formatted("weekly") + "---\n" + newer.formatted("monthly");
        assertThat(told(List.of(), "a.yaml", older, "b.yaml", others)).containsExactly("warning unserved-version");
        assertThat(told(List.of(), "a.yaml", older, "b.yaml", Linting.OF_A_NEW_CLUSTER))
                .containsExactly("error unserved-version");
    }

    @Test
    void aParamThatNobodyUsesIsForWhoAsks() {
        var one = TASK.formatted("{name: a}, {name: b}");

        assertThat(told(List.of(), "a.yaml", one)).isEmpty();
        assertThat(told(List.of("a.yaml"), "a.yaml", one)).containsExactly("warning unused-param");
    }

    @Test
    void tasksOfPipelinesAsCodeHaveWhatTheirRunHas() {
        var task = TASK.formatted("");

        assertThat(told(List.of(), "tasks/build.yaml", task)).containsExactly("error undefined-variable");
        assertThat(told(List.of(), ".tekton/build.yaml", task)).isEmpty();
    }

    @Test
    void whatNobodyAppliesIsNoErrorAndWhatDependsOnOthersIsNotTold() {
        var service = """
                apiVersion: v1
                kind: Service
                metadata: {name: web}
                spec: {selector: {app: web}, ports: [{port: 80, targetPort: htpp}]}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: web, labels: {app: web}}
                spec: {containers: [{name: web, image: "web:1", ports: [{name: http, containerPort: 80}]}]}
                """;
        var nobodys = new Named(List.of("."), List.of(), true);

        assertThat(told(List.of(), "a.yaml", UNKNOWN_FIELD)).containsExactly("error unknown-field");
        assertThat(told(nobodys, "a.yaml", UNKNOWN_FIELD)).containsExactly("warning unknown-field");
        assertThat(told(List.of(), "a.yaml", service)).containsExactly("warning unmatched-port");
        assertThat(told(nobodys, "a.yaml", service)).isEmpty();
        var old = "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a}\n---\n"
                + Linting.OF_A_NEW_CLUSTER;
        assertThat(told(List.of(), "a.yaml", old)).containsExactly("error unserved-version");
        assertThat(told(nobodys, "a.yaml", old)).isEmpty();
    }

    @Test
    void aPortThatNoContainerTellsOfMayBeServedAllTheSame() {
        var service = """
                apiVersion: v1
                kind: Service
                metadata: {name: web}
                spec: {selector: {app: web}, ports: [{port: 80}]}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: web, labels: {app: web}}
                spec: {containers: [{name: web, image: "web:1", ports: [{containerPort: 9090}]}]}
                """;

        assertThat(told(List.of(), "a.yaml", service)).isEmpty();
        assertThat(told(List.of("a.yaml"), "a.yaml", service)).containsExactly("warning unmatched-port");
    }

    @Test
    void oneFieldIsToldOnce() {
        var others = UNKNOWN_FIELD + "---\n" + UNKNOWN_FIELD.replace("name: web", "name: other");

        assertThat(told(List.of(), "a.yaml", others)).containsExactly("error unknown-field");
        assertThat(told(List.of(), "a.yaml", UNKNOWN_FIELD, "b.yaml", UNKNOWN_FIELD))
                .hasSize(2);
        assertThat(told(List.of("a.yaml"), "a.yaml", others)).hasSize(2);
    }

    @Test
    void aFieldOfACustomKindThatManyFilesHaveIsKnownToTheCluster() {
        var set = """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: a}
                spec:
                  project: default
                  newest: true
                  destination: {namespace: a, server: "https://kubernetes.default.svc"}
                  source: {repoURL: "https://example.org/a.git", path: none}
                """;
        var definition = """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: applications.argoproj.io}
                spec:
                  group: argoproj.io
                  names: {kind: Application, plural: applications}
                  scope: Namespaced
                  versions:
                  - name: v1alpha1
                    served: true
                    storage: true
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec:
                            type: object
                            properties:
                              project: {type: string}
                              destination: {type: object, x-kubernetes-preserve-unknown-fields: true}
                              source: {type: object, x-kubernetes-preserve-unknown-fields: true}
                """;

        assertThat(told(List.of(), "crd.yaml", definition, "a.yaml", set, "b.yaml", set, "c.yaml", set))
                .containsOnly("warning unknown-field")
                .hasSize(3);
        assertThat(told(List.of(), "crd.yaml", definition, "a.yaml", set, "b.yaml", set, "c.yaml", set, "d.yaml", set))
                .isEmpty();
    }

    @Test
    void marksOfAMergeAreToldAsSuch() {
        var merged = """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a}
                data:
                <<<<<<< HEAD
                  a: b
                =======
                  a: c
                >>>>>>> other
                """;
        var found = Linting.lint(merged).findings();

        assertThat(found).singleElement().satisfies(finding -> {
            assertThat(finding.message()).isEqualTo("marks of a merge that was never finished");
            assertThat(finding.place().line()).isEqualTo(5);
            assertThat(finding.level()).isEqualTo(Level.ERROR);
        });
    }

    @Test
    void whatIsUtf16IsNotCertainToBeRefused() {
        var text = "\ufeffkind: ConfigMap\n".getBytes(StandardCharsets.UTF_16LE);

        assertThat(SourceFiles.decode("a.yaml", text))
                .isInstanceOfSatisfying(
                        Content.Unreadable.class,
                        unreadable -> assertThat(unreadable.finding().level()).isEqualTo(Level.INFO));
    }

    @Test
    void keysOfAnotherNamespaceAreOfAnotherObject() {
        var map = """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: settings-of-web, namespace: one}
                data: {a: b}
                """;
        var pod = """
                apiVersion: v1
                kind: Pod
                metadata: {name: web, namespace: %s}
                spec:
                  containers:
                  - name: web
                    image: "web:1"
                    env: [{name: A, valueFrom: {configMapKeyRef: {name: settings-of-web, key: c}}}]
                """;

        assertThat(told(List.of(), "a.yaml", map, "b.yaml", pod.formatted("one")))
                .contains("warning undefined-key");
        assertThat(told(List.of(), "a.yaml", map, "b.yaml", pod.formatted("two")))
                .doesNotContain("warning undefined-key");
    }
}
