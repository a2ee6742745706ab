package dev.towtank.app.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Report;
import dev.towtank.app.lint.settings.Target;
import dev.towtank.app.lint.source.SourceFiles.Content;
import dev.towtank.app.lint.source.SourceText;
import dev.towtank.app.lint.standing.Named;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// An error is what a server refuses whatever surrounds the file; what a file is there for decides about the rest.
final class CertaintyTest {

    private static final String STORE = """
            apiVersion: external-secrets.io/v1beta1
            kind: ExternalSecret
            metadata: {name: keys}
            """;

    private static final String INGRESS = """
            apiVersion: extensions/v1beta1
            kind: Ingress
            metadata: {name: web}
            """;

    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: web}
            spec: {containers: [{name: web, image: %s}]}
            """;

    private static final String WRONG = POD.formatted("web:1").replace("image:", "imgae: b, image:");

    /// Files and their texts, in turn.
    private static Report lint(String... files) {
        var inputs = new ArrayList<Supplier<Content>>();
        for (int i = 0; i < files.length; i += 2) {
            var text = new SourceText(files[i], files[i + 1]);
            inputs.add(() -> new Content.Text(text));
        }
        inputs.add(() -> Linting.DELIVERY);
        return Linting.linter().lint(inputs);
    }

    private static List<String> told(String... files) {
        return lint(files).findings().stream()
                .filter(finding -> finding.level() != Level.INFO)
                .map(CertaintyTest::words)
                .toList();
    }

    /// What is told of files that somebody names.
    private static List<String> toldWhenNamed(String... files) {
        var inputs = new ArrayList<Supplier<Content>>();
        var names = new ArrayList<String>();
        for (int i = 0; i < files.length; i += 2) {
            var text = new SourceText(files[i], files[i + 1]);
            names.add(files[i]);
            inputs.add(() -> new Content.Text(text));
        }
        return Linting.linter().lint(inputs, new Named(names)).findings().stream()
                .filter(finding -> finding.level() != Level.INFO)
                .map(CertaintyTest::words)
                .toList();
    }

    private static String words(Finding finding) {
        return finding.level().word() + " " + finding.rule().id();
    }

    @Test
    void ofOtherProjectsAnyReleaseMayBeThereUnlessSomebodySaysWhich() throws Target.Malformed {
        assertThat(told("a.yaml", STORE)).isEmpty();
        assertThat(told(
                        "a.yaml",
                        STORE,
                        "b.yaml",
                        STORE.replace("v1beta1", "v1").replace("keys", "others")))
                .contains("warning unserved-version");
        assertThat(told("a.yaml", INGRESS)).isEmpty();
        assertThat(told("a.yaml", INGRESS, "b.yaml", Linting.OF_A_NEW_CLUSTER))
                .containsExactly("error unserved-version");
        var named = Linting.lint(Linting.linter(Target.parse("eso=2"), Set.of()), STORE);
        assertThat(named.findings().stream().map(CertaintyTest::words)).containsExactly("error unserved-version");
    }

    @Test
    void aTemplateThatAsksTheClusterChoosesItsVersion() {
        var chosen = """
                {{- if .Capabilities.APIVersions.Has "networking.k8s.io/v1" }}
                apiVersion: networking.k8s.io/v1
                {{- else }}
                apiVersion: extensions/v1beta1
                {{- end }}
                kind: Ingress
                metadata: {name: web}
                """;

        assertThat(told("a.yaml", chosen)).doesNotContain("error unserved-version");
    }

    @ParameterizedTest
    @ValueSource(strings = {"old/web.yaml", "apps/deprecated/web.yaml", "misc/web.disabled/pod.yaml", "web-old.yaml"})
    void nobodyAppliesWhatIsPutAway(String file) {
        assertThat(told(file, WRONG)).isEmpty();
        assertThat(told("apps/web.yaml", WRONG)).containsExactly("error unknown-field");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<CLUSTER_NAME>", "__CLUSTER__", "%%CLUSTER%%", "<your cluster>", "#@ data.values.cluster"})
    void whatSomebodyFillsInIsNotWhatAServerSees(String word) {
        var service = """
                apiVersion: v1
                kind: Service
                metadata: {name: web}
                spec:
                  externalName: %s
                  ports: [{port: 80000, targetPort: 80}]
                """;

        assertThat(told("a.yaml", service.formatted(word))).isEmpty();
        assertThat(told("a.yaml", service.formatted("web"))).containsExactly("error refused");
    }

    @Test
    void aLineThatIsAWordForAToolIsNoMistakeInTheSyntax() {
        var ingress =
                "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  annotations:\n    a: b\n    %s\n    c: d\n";

        assertThat(told("a.yaml", ingress.formatted("<ANNOTATION_1>"))).isEmpty();
        assertThat(told("a.yaml", ingress.formatted("annotation"))).containsExactly("error yaml-syntax");
    }

    @Test
    void aKindThatAShellWritesIsNoUnknownOne() {
        var role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: %s\nmetadata: {name: a}\nrules: []\n";

        assertThat(told("a.yaml", role.formatted("${ROLE_KIND}"))).isEmpty();
        assertThat(told("a.yaml", role.formatted("Rule"))).containsExactly("error unknown-kind");
    }

    @Test
    void onlyKindsThatRunImagesAsNamedAreAskedForVersions() {
        var plan = """
                apiVersion: upgrade.example.com/v1
                kind: Plan
                metadata: {name: agents}
                spec: {version: v1.30, prepare: {image: example/upgrade}}
                """;

        assertThat(toldWhenNamed("a.yaml", plan)).isEmpty();
        assertThat(toldWhenNamed("a.yaml", POD.formatted("localhost:5000/web"))).isEmpty();
        assertThat(toldWhenNamed("a.yaml", POD.formatted("github.com/example/web/cmd/api")))
                .isEmpty();
    }

    @Test
    void anImageThatAKustomizationRenamesGetsItsVersionThere() {
        var kustomization = "resources: [pod.yaml]\nimages: [{name: web, newName: image-web}]\n";

        assertThat(toldWhenNamed("pod.yaml", POD.formatted("web"), "kustomization.yaml", kustomization))
                .isEmpty();
        assertThat(toldWhenNamed("pod.yaml", POD.formatted("web"))).containsExactly("warning image-latest");
    }

    @Test
    void aTaskOfAnotherFolderMayBeAnotherOfThatName() {
        var task = """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: build}
                spec:
                  params: [{name: url}]
                  steps: [{image: "busybox:1.36", command: [echo, $(params.url)]}]
                """;
        var run = """
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: one}
                spec: {taskRef: {name: build}}
                """;

        assertThat(told("a/task.yaml", task, "a/run.yaml", run)).containsExactly("error missing-param");
        assertThat(told("a/task.yaml", task, "b/run.yaml", run)).containsExactly("warning missing-param");
    }

    @Test
    void aPortThatIsNothingIsNoName() {
        var service = """
                apiVersion: v1
                kind: Service
                metadata: {name: web}
                spec:
                  selector: {app: web}
                  ports: [{port: 80, targetPort: %s}]
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: web, labels: {app: web}}
                spec: {containers: [{name: web, image: "web:1", ports: [{name: http, containerPort: 80}]}]}
                """;

        assertThat(told("a.yaml", service.formatted("null"))).isEmpty();
        assertThat(told("a.yaml", service.formatted("htpp"))).containsExactly("warning unmatched-port");
    }

    @Test
    void escapedDollarsAreWhatTheShellWillSee() {
        assertThat(Scripts.plain("a=$$(date) b=$${a} c=$$$$")).isEqualTo("a=$(date) b=${a} c=$$$$");
    }

    @ParameterizedTest
    @CsvSource({
        "demo/web.yaml, false",
        "demos/web.yaml, false",
        "02-demo/web.yaml, false",
        "demo-files/web.yaml, false",
        "demolition/web.yaml, true"
    })
    void whatShowsSomethingIsKnownByWholeWords(String file, boolean isTold) {
        assertThat(!told(file, WRONG).isEmpty()).isEqualTo(isTold);
    }

    @Test
    void aVersionMayStandBesideItsImage() {
        var workflow = """
                apiVersion: argoproj.io/v1alpha1
                kind: Workflow
                metadata: {name: one}
                spec: {image: example/web%s}
                """;

        assertThat(toldWhenNamed("a.yaml", workflow.formatted(", version: v1.30")))
                .isEmpty();
        assertThat(toldWhenNamed("a.yaml", workflow.formatted(""))).containsExactly("warning image-latest");
        assertThat(told("a.yaml", workflow.formatted(""))).isEmpty();
    }

    @Test
    void filesForIstioctlAreSeenByNoServer() {
        var operator = """
                apiVersion: install.istio.io/v1alpha1
                kind: IstioOperator
                metadata: {name: mesh}
                spec: {values: {pilot: {image: pilot}}}
                """;

        assertThat(lint("a.yaml", operator)).satisfies(report -> {
            assertThat(report.findings()).isEmpty();
            assertThat(report.notes()).noneMatch(note -> note.contains("IstioOperator"));
        });
        assertThat(lint("a.yaml", operator.replace("install.istio.io", "mesh.example.com"))
                        .notes())
                .anyMatch(note -> note.contains("IstioOperator"));
    }

    @ParameterizedTest
    @CsvSource({
        "k8s-1.21/web.yaml, false",
        "kubernetes_1.19/web.yaml, false",
        "k8s-v1.18/web.yaml, false",
        "k8s-1.30/web.yaml, true"
    })
    void aFolderForOldClustersHasOldVersions(String file, boolean isTold) {
        assertThat(!told(file, INGRESS, "new.yaml", Linting.OF_A_NEW_CLUSTER).isEmpty())
                .isEqualTo(isTold);
    }
}
