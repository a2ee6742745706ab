package dev.towtank.app.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.app.lint.finding.Edit;
import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Fixes;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.settings.Target;
import dev.towtank.app.lint.source.SourceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LinterTest {

    private static final String STORE = """
            apiVersion: external-secrets.io/v1beta1
            kind: SecretStore
            metadata: {name: store}
            """;

    @TempDir
    Path temp;

    @Test
    void matchesReferencesAcrossFiles() {
        var task = """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: shared}
                spec:
                  params: [{name: who}]
                  steps: [{image: "busybox:1.36", command: [echo, $(params.who)]}]
                """;
        var run = """
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: one}
                spec:
                  taskRef: {name: shared}
                """;

        assertThat(Linting.rules(Linting.lint(run))).containsExactly("undefined-task");
        assertThat(Linting.rules(Linting.lint(run, task))).containsExactly("missing-param");
    }

    @Test
    void asksNoWholeObjectOfAPatch() {
        var kustomization = """
                patches:
                - path: ./file1.yaml
                """;
        var patch = """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec: {replicas: "two"}
                """;

        assertThat(Linting.rules(Linting.lint(kustomization, patch))).containsExactly("wrong-type");
        assertThat(Linting.rules(Linting.lint(kustomization, patch.replace("\"two\"", "2"))))
                .isEmpty();
        assertThat(Linting.rules(Linting.lint("", patch.replace("\"two\"", "2"))))
                .contains("refused");
        assertThat(Linting.rules(Linting.lint("", "$patch: delete\n" + patch))).containsExactly("empty-file");
    }

    @Test
    void advisesWhereYamlOnlyComplains() {
        assertThat(Linting.lint("a: 1\nb: {c: [1\n").findings().getFirst().advice())
                .startsWith("Something was opened and is not closed");
        assertThat(Linting.lint("a:\n  b: 1\n c: 2\n").findings().getFirst().advice())
                .startsWith("Indent it as the lines before it");
    }

    @Test
    void refusesControlCharacters() {
        var finding = Linting.lint("a: 1\nb: \"\u0007\"\n").findings().getFirst();

        assertThat(Linting.line(finding))
                .isEqualTo("2:1-2 error yaml-syntax: there is a control character in this line, which YAML forbids");
    }

    @Test
    void whatCannotBeMergedEndsNothingButTheLookAtIt() {
        var task = """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: x}
                spec:
                  stepTemplate: {name: any}
                  steps: [{name: build, image: "foo:1", env: [{name: A, value: b}]}]
                """;

        assertThat(Linting.lint(task, "kind: {").findings())
                .extracting(Finding::rule)
                .contains(Rule.UNKNOWN_FIELD, Rule.YAML_SYNTAX);
    }

    /// As `kubeseal` appends them.
    @Test
    void objectsOfJsonMayFollowEachOther() {
        var one = "{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"ConfigMap\",\n  \"metadata\": {\"name\": \"a\"}\n}\n";

        assertThat(Linting.lint(one + one).findings()).noneMatch(finding -> finding.level() != Level.INFO);
        assertThat(Linting.lint(one + "}\n").findings()).anyMatch(finding -> finding.level() == Level.ERROR);
    }

    @Test
    void aListOfAnythingButTextsIsATextForTekton() {
        var run = """
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: one}
                spec:
                  params: [{name: fetch, value: [%s]}]
                  pipelineSpec:
                    params: [{name: fetch}]
                    tasks:
                    - name: one
                      params: [{name: a, value: $(params.fetch)}]
                      taskSpec:
                        params: [{name: a}]
                        steps: [{image: "busybox:1.36", command: [echo, $(params.a)]}]
                """;

        assertThat(Linting.lint(run.formatted("{type: go}")).findings()).isEmpty();
        assertThat(Linting.lint(run.formatted("go")).findings()).anyMatch(finding -> finding.rule() == Rule.PARAM_TYPE);
    }

    @Test
    void leavesAloneWhatOtherToolsFillIn() {
        assertThat(Linting.lint("""
                        apiVersion: v1
                        kind: Service
                        metadata: {name: "${NAME}", namespace: $(namespace)}
                        spec: {ports: [{port: 80}]}
                        ---
                        apiVersion: v1
                        kind: Config
                        clusters: []
                        """).findings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"eso=0.16, 0", "eso=0.17, 1", "eso=2, 1", "eso=v2.9.0, 1", "'tekton=1.0,eso=0.9', 0"})
    void findsWhatTheTargetDoesNotServe(String target, int found) throws Target.Malformed {
        var report = Linting.lint(Linting.linter(Target.parse(target), Set.of()), STORE);

        assertThat(Linting.rules(report)).hasSize(found);
    }

    @Test
    void knowsWhatAnOlderTargetDoesNotServeYet() throws Target.Malformed {
        var report = Linting.lint(Linting.linter(Target.parse("eso=0.14"), Set.of()), STORE.replace("v1beta1", "v1"));

        assertThat(report.findings().getFirst().message())
                .contains("not served by External Secrets 0.14 (first by 0.16)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tekton", "tekton=", "tekton=new", "argo=3", ""})
    void refusesTargetsThatMakeNoSense(String text) {
        assertThatThrownBy(() -> Target.parse(text)).isInstanceOf(Target.Malformed.class);
    }

    @Test
    void leavesOutDisabledRules() {
        var linter = Linting.linter(Target.CURRENT, Set.of(Rule.UNSERVED_VERSION));

        assertThat(Linting.lint(linter, STORE).findings()).isEmpty();
    }

    @Test
    void neverShowsSecretValues() {
        var report = Linting.lint("""
                apiVersion: v1
                kind: Secret
                metadata: {name: keys}
                data:
                  token: not base64 but-secret-1
                stringData:
                  count: 12345678
                  count: but-secret-2
                """, """
                kind: Secret
                data:
                  token: "but-secret-3
                """);

        assertThat(report.findings()).isNotEmpty();
        assertThat(report.findings().toString()).doesNotContain("but-secret");
    }

    @Test
    void countsLinesOfWindowsFilesWithAByteOrderMark() {
        var text = """
                apiVersion: v1
                kind: Pod
                metadata: {name: windows}
                spec:
                  containers:
                  - {name: main, image: busybox}
                """;
        var report = Linting.lint("\uFEFF" + text.replace("\n", "\r\n"));

        assertThat(report.findings().stream().map(Linting::line))
                .singleElement()
                .asString()
                .startsWith("6:25-32 warning image-latest");
        assertThat(report.findings().getFirst().place().excerpt()).isEqualTo("  - {name: main, image: busybox}");
    }

    @Test
    void repairsInPlaceAndOnlyOnce() {
        var text = """
                # first
                apiVersion:   external-secrets.io/v1beta1   # old
                kind: SecretStore
                metadata: {name: store}
                ---
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: run}
                spec: {timeout: "1h", pipelineRef: {name: p}}
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: map}
                data: {yes: no, n: 0010}""";
        var windows = "\uFEFF" + text.replace("\n", "\r\n");

        var once = repaired(windows);

        assertThat(once)
                .isEqualTo(windows.replace("v1beta1", "v1")
                        .replace("timeout: \"1h\"", "timeouts: {pipeline: \"1h\"}")
                        .replace("yes: no, n: 0010", "yes: \"no\", n: \"0010\""));
        assertThat(repaired(once)).isEqualTo(once);
    }

    private static String repaired(String text) {
        var edits = Linting.lint(text).findings().stream()
                .flatMap(finding -> finding.fix().stream())
                .toList();
        return Fixes.apply(text, edits);
    }

    @Test
    void appliesSeveralChangesToOneLineFromTheRight() {
        var edits = List.of(new Edit(1, 1, 2, "one"), new Edit(1, 3, 4, "two"), new Edit(1, 1, 4, "overlaps"));

        assertThat(Fixes.apply("a b\n", edits)).isEqualTo("one two\n");
    }

    static List<Path> goldenFiles() throws Exception {
        return GoldenTest.files();
    }

    @ParameterizedTest
    @MethodSource("goldenFiles")
    void repairsNothingTwice(Path file) throws IOException {
        var once = repaired(Files.readString(file));

        assertThat(repaired(once)).isEqualTo(once);
    }

    @ParameterizedTest
    @MethodSource("goldenFiles")
    void survivesAnyText(Path file) throws IOException {
        var text = Files.readString(file);
        var random = new Random(text.hashCode());
        for (int i = 0; i < 25; i++) {
            var mutated = mutated(text, random);
            var report = Linting.lint(mutated);
            assertThat(Fixes.apply(
                            mutated,
                            report.findings().stream()
                                    .flatMap(finding -> finding.fix().stream())
                                    .toList()))
                    .isNotNull();
        }
    }

    private static String mutated(String text, Random random) {
        var result = new StringBuilder(text);
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
            int at = random.nextInt(Math.max(1, result.length()));
            int to = Math.min(result.length(), at + random.nextInt(30));
            switch (random.nextInt(5)) {
                case 0 -> result.delete(at, to);
                case 1 -> result.insert(at, result.substring(at, to));
                case 2 ->
                    result.insert(
                            at,
                            List.of("\t", "{{ ", "[", ": ", "&a ", "*a ", "\"", "\n- ", "😀", "null")
                                    .get(random.nextInt(10)));
                case 3 -> result.insert(at, "\n");
                default -> result.setLength(at);
            }
        }
        return result.toString();
    }

    @Test
    void saysWhatKindOfFileItCannotRead() {
        var cases = List.of(
                SourceFiles.decode("a", new byte[] {'a', '\n', 0}),
                SourceFiles.decode("b", new byte[] {'a', '\n', '\n', (byte) 0xff, 'b'}),
                SourceFiles.decode("c", new byte[SourceFiles.LARGEST + 1]),
                SourceFiles.read(temp));

        assertThat(cases.stream().map(LinterTest::unreadable))
                .containsExactly(
                        "2: this is a binary file",
                        "3: the text is not UTF-8",
                        "1: the file is larger than 16 MiB",
                        "1: the file cannot be read: Is a directory");
    }

    private static String unreadable(SourceFiles.Content content) {
        return switch (content) {
            case SourceFiles.Content.Text _ -> "";
            case SourceFiles.Content.Unreadable(var finding) -> finding.place().line() + ": " + finding.message();
            case SourceFiles.Content.Rendered _ -> "rendered";
        };
    }

    @Test
    void findsFilesWithoutFollowingLinksInCircles() throws Exception {
        var inner = Files.createDirectories(temp.resolve(".tekton/deeper"));
        Files.writeString(inner.resolve("a.yml"), "a: 1");
        Files.writeString(temp.resolve("b.YAML"), "a: 1");
        Files.writeString(temp.resolve("c.md"), "a: 1");
        Files.createDirectories(temp.resolve(".git"));
        Files.writeString(temp.resolve(".git/d.yaml"), "a: 1");
        Files.createSymbolicLink(inner.resolve("loop"), temp);
        Files.createSymbolicLink(temp.resolve("e.yaml"), inner.resolve("a.yml"));
        Files.createSymbolicLink(temp.resolve("f.yaml"), temp.resolve("gone.yml"));

        assertThat(SourceFiles.find(List.of(temp), false).files().stream()
                        .map(file -> temp.relativize(file).toString()))
                .containsExactlyInAnyOrder(".tekton/deeper/a.yml", "b.YAML", "e.yaml");
    }

    @Test
    void looksAtThousandsOfFiles() throws Exception {
        for (int i = 0; i < 10_000; i++) {
            Files.writeString(temp.resolve(i + ".yaml"), "");
        }
        var files = SourceFiles.find(List.of(temp), false).files();
        var inputs = new ArrayList<Supplier<SourceFiles.Content>>();
        files.forEach(file -> inputs.add(() -> SourceFiles.read(file)));

        assertThat(Linting.linter().lint(inputs).findings()).hasSize(10_000);
    }

    @Test
    void refusesWhatIsNotThere() {
        assertThatThrownBy(() -> SourceFiles.find(List.of(temp.resolve("nothing.yaml")), false))
                .isInstanceOf(SourceFiles.Unusable.class)
                .hasMessage(temp.resolve("nothing.yaml") + ": there is no such file or directory");
    }

    @Test
    void explainsEveryAliasBombInsteadOfBuildingIt() {
        var bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 10; i++) {
            bomb.append("a%d: &a%d [%s]%n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(9)));
        }

        assertThat(Linting.rules(Linting.lint(bomb.toString()))).containsExactly("yaml-syntax");
    }

    @Test
    void everyRuleHasANameOfItsOwn() {
        assertThat(List.of(Rule.values()).stream().map(Rule::id)).doesNotHaveDuplicates();
        assertThat(Rule.find("image-latest")).isEqualTo(Optional.of(Rule.IMAGE_LATEST));
    }
}
