package dev.towtank.app.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.app.lint.finding.Baseline;
import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Report;
import dev.towtank.app.lint.report.PrettyReport;
import dev.towtank.app.lint.script.ScriptJudge;
import dev.towtank.app.lint.settings.ChangedFiles;
import dev.towtank.app.lint.settings.LintSettings;
import dev.towtank.app.lint.settings.Target;
import dev.towtank.app.lint.source.SchemaFiles;
import dev.towtank.app.lint.source.SourceFiles;
import dev.towtank.app.lint.source.SourceText;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.model.JsonText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a repository decides about findings.
final class LintSettingsTest {

    private static final String PODS = """
            apiVersion: v1
            kind: Pod
            metadata: {name: one}
            spec: {containers: [{name: a, image: busybox}, {name: b, image: alpine}]}
            """;

    @TempDir
    Path temp;

    @Test
    void levelsAreTheirs() throws Exception {
        var report = Linting.lint(PODS);

        assertThat(levels(LintSettings.parse("rules: {image-latest: error}").apply(report)))
                .containsExactly("error", "error");
        assertThat(levels(LintSettings.parse("rules: {image-latest: off}").apply(report)))
                .isEmpty();
        assertThat(levels(LintSettings.parse("").apply(report))).containsExactly("warning", "warning");
    }

    @Test
    void ignoresWithAReason() throws Exception {
        var report = Linting.lint(PODS, PODS);
        var settings = LintSettings.parse("ignore: [{path: file1.yaml, rules: [image-latest], reason: old}]");

        assertThat(settings.apply(report).findings())
                .extracting(each -> each.place().file())
                .containsOnly("file0.yaml")
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "vendor/, vendor/a/b.yaml, true",
        "vendor, vendor/a.yaml, true",
        "**/testdata/**, a/testdata/b.yaml, true",
        "deploy/*.yaml, deploy/a.yaml, true",
        "deploy/*.yaml, deploy/a/b.yaml, false",
        "vendor/, vendors/a.yaml, false"
    })
    void excludesPaths(String pattern, String file, boolean excluded) throws Exception {
        assertThat(LintSettings.parse("exclude: ['" + pattern + "']").excludes(Path.of(file)))
                .isEqualTo(excluded);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rulez: {} | there is no field rulez; there are applied, baseline, exclude, ignore, rules, schemas, target",
                "rules: {nope: off} | there is no rule nope; 'towtank lint --rules' lists them",
                "rules: {image-latest: loud} | rules.image-latest is error, warning, info or off, not loud",
                "ignore: [{path: a}] | what is ignored needs a path and a reason",
                "exclude: a | exclude is a list of texts",
                "exclude: ['{a'] | \"{a\" is no pattern of paths",
                "[] | it is a map with some of applied, baseline"
            })
    void saysWhatIsWrong(String yaml, String message) {
        assertThatThrownBy(() -> LintSettings.parse(yaml)).hasMessageContaining(message);
    }

    @Test
    void aBaselineHidesWhatWasThere() {
        var before = Linting.lint(PODS);
        var baseline = Baseline.parse(
                JsonText.parseObject(JsonText.write(Baseline.of(before).json())));
        var moved = "# A line more.\n" + PODS;

        assertThat(baseline.without(Linting.lint(moved)).findings()).isEmpty();
        assertThat(baseline.without(Linting.lint(moved.replace("alpine", "debian")))
                        .findings())
                .extracting(Finding::message)
                .containsExactly("the image \"debian\" has no tag, which means latest: it changes from run to run");
        assertThat(baseline.without(Linting.lint(PODS.replace("alpine", "busybox")))
                        .findings())
                .hasSize(1);
    }

    @Test
    void onlyWhatChangedSinceARevision() throws Exception {
        var old = Files.writeString(temp.resolve("old.yaml"), PODS);
        git("init", "-q");
        git("add", ".");
        git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "one");
        var added = Files.writeString(temp.resolve("new file.yaml"), PODS);
        var report = Linting.linter().lint(List.of(() -> SourceFiles.read(old), () -> SourceFiles.read(added)));

        assertThat(ChangedFiles.since(temp, "HEAD").only(report).findings())
                .extracting(each -> Path.of(each.place().file()).getFileName().toString())
                .containsOnly("new file.yaml")
                .hasSize(2);
        assertThatThrownBy(() -> ChangedFiles.since(temp, "nowhere")).hasMessageContaining("nowhere");
        assertThatThrownBy(() -> ChangedFiles.since(temp, "--output=/x")).hasMessageContaining("is no revision");
    }

    private void git(String... arguments) throws Exception {
        var command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        assertThat(new ProcessBuilder(command)
                        .directory(temp.toFile())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void saysWhatItDoesNotKnow() {
        var widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\nspec: {size: big}\n";
        var definition = """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: widgets.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: widgets, kind: Widget}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties: {spec: {type: object, properties: {size: {type: integer}}}}
                """;

        var report = Linting.lint(widget, widget.replace("one", "two"));

        assertThat(report.notes())
                .containsExactly("2 objects of kinds that I do not know were not checked: Widget of example.com (2)."
                        + " Their definitions, among the files or in --schemas DIR, make them known.");
        assertThat(report.objects()).isZero();
        assertThat(Linting.lint(widget, definition).notes()).isEmpty();
        assertThat(Linting.rules(Linting.lint(widget, definition))).containsExactly("refused");
    }

    @Test
    void readsDefinitionsFromElsewhere() throws Exception {
        Files.writeString(
                temp.resolve("crd.yaml"),
                "kind: CustomResourceDefinition\nmetadata: {name: a}\n---\nkind: Other\n---\nkind: List\nitems:"
                        + " [{kind: CustomResourceDefinition, metadata: {name: b}}]\n");

        assertThat(SchemaFiles.definitions(List.of(temp)))
                .extracting(each -> each.string("metadata", "name"))
                .containsExactly("a", "b");
    }

    @Test
    void knowsKindsOfOtherProjects() throws Exception {
        var linter = new Linter(
                Target.CURRENT,
                Settings.INITIAL,
                Set.of(),
                _ -> Optional.empty(),
                _ -> new ScriptJudge.Verdicts(List.of(), List.of()),
                SchemaFiles::bundled);
        var report = Linting.lint(linter, """
                apiVersion: cert-manager.io/v1
                kind: Certificate
                metadata: {name: web}
                spec: {secretName: web, dnsName: [example.com], issuerRef: {name: ours, kind: Issuer}}
                ---
                apiVersion: cert-manager.io/v1
                kind: ClusterIssuer
                metadata: {name: ours}
                spec: {selfSigned: {}}
                ---
                apiVersion: route.openshift.io/v1
                kind: Route
                metadata: {name: web}
                spec:
                  to: {kind: Service, name: web}
                  port: {targetPort: http}
                  tls: {termination: egde}
                ---
                apiVersion: monitoring.coreos.com/v1
                kind: ServiceMonitor
                metadata: {name: web}
                spec:
                  selector: {matchLabels: {app: web}}
                  endpoints: [{port: http, intervall: 30s}]
                ---
                apiVersion: monitoring.coreos.com/v1
                kind: PodMonitor
                metadata: {name: web}
                spec:
                  selector: {matchLabels: {app: web}}
                  podMetricsEndpoints: [{portNumber: 8080}]
                ---
                apiVersion: monitoring.coreos.com/v1
                kind: PrometheusRule
                metadata: {name: web}
                spec: {groups: [{name: web, rules: [{alert: Down}]}]}
                """);

        assertThat(report.findings())
                .extracting(Finding::message)
                .containsExactly(
                        "unknown field \"spec.dnsName\"",
                        "spec.tls.termination: Unsupported value: \"egde\": supported values: \"edge\", \"passthrough\", \"reencrypt\", \"Edge\", \"Passthrough\", \"Reencrypt\"",
                        "unknown field \"spec.endpoints[0].intervall\"",
                        "spec.groups[0].rules[0].expr: Required value");
        assertThat(report.notes()).isEmpty();
    }

    @Test
    void countsWhatRepeatsItself() {
        var many = "apiVersion: v1\nkind: Pod\nmetadata: {name: one}\nspec:\n  containers:\n"
                + "  - {name: a, image: busybox}\n".repeat(5);

        assertThat(new PrettyReport(false, false).text(Linting.lint(many)))
                .contains(
                        "  and 2 more in this file: the image … has no tag, which means latest: it changes from run to run"
                                + "  image-latest\n");
    }

    @Test
    void hidesWhatIsOnlyGoodToKnow() {
        var report = Linting.lint("# nothing\n");

        assertThat(new PrettyReport(false, false).text(report))
                .isEqualTo("nothing to complain about, as no object was checked in 1 file (--infos shows 1 remark)\n");
        assertThat(new PrettyReport(false, true).text(report)).contains("empty-file");
    }

    @Test
    void aCommentSilencesAWholeFile() {
        assertThat(Linting.rules(Linting.lint(PODS + "# towtank-lint: ignore-file=image-latest they are tests\n")))
                .isEmpty();
        assertThat(Linting.rules(Linting.lint("# towtank-lint: ignore-file=nope\na: 1\n")))
                .containsExactly("unknown-silence");
    }

    @Test
    void leavesAloneWhatOthersFillIn() {
        var binding = """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: one}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
                subjects: [{kind: ServiceAccount, name: builder}]
                """;
        assertThat(Linting.rules(Linting.lint(binding))).containsExactly("refused");
        assertThat(Linting.rules(named("kustomization.yaml", "resources: [file.yaml]\n", "file.yaml", binding)))
                .isEmpty();
        assertThat(Linting.rules(
                        named("kustomization.yaml", "images: [{name: busybox, newTag: '1'}]\n", "file.yaml", PODS)))
                .hasSize(1);
        assertThat(Linting.rules(named("a.yaml", "a: 1\n", "test/01-assert.yaml", "apiVersion: v1\nkind: Pod\n")))
                .isEmpty();
        assertThat(Linting.rules(Linting.lint(PODS.replace("name: one", "name: \"{{alias}}\""))))
                .doesNotContain("refused");
        assertThat(Linting.rules(Linting.lint("a: 1\t\nb: 2\n"))).isEmpty();
        assertThat(Linting.rules(Linting.lint("on: push\njobs: {a: {image: busybox}}\n")))
                .isEmpty();
    }

    private static Report named(String name, String text, String other, String second) {
        return Linting.linter()
                .lint(List.of(
                        () -> new SourceFiles.Content.Text(new SourceText(name, text)),
                        () -> new SourceFiles.Content.Text(new SourceText(other, second))));
    }

    @Test
    void tasksThatAreFetchedAreNotMissing() {
        var run = """
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata:
                  name: one
                  annotations: {pipelinesascode.tekton.dev/task: git-clone}
                spec:
                  pipelineSpec: {tasks: [{name: a, taskRef: {name: fetch-sources}}]}
                """;

        var like = """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: fetch-source}
                spec: {steps: [{image: "busybox:1.36", command: ["true"]}]}
                """;

        assertThat(levels(Linting.lint(run, like))).containsExactly("info");
        assertThat(levels(Linting.lint(run.replace("pipelinesascode", "other"), like)))
                .containsExactly("warning");
    }

    private static List<String> levels(Report report) {
        return report.findings().stream().map(each -> each.level().word()).toList();
    }
}
