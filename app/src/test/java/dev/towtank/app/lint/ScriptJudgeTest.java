package dev.towtank.app.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.lint.script.ScriptJudge;
import dev.towtank.app.lint.settings.Target;
import dev.towtank.app.lint.source.SourceFiles.Content;
import dev.towtank.app.lint.source.SourceText;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// With the shells of this machine, and with others that only pretend.
final class ScriptJudgeTest {

    /// Whatever else this machine has, only these count.
    private static final List<String> NEEDED = List.of("sh", "bash", "python3");

    @TempDir
    static Path machine;

    @TempDir
    Path programs;

    @BeforeAll
    static void findTools() throws IOException {
        for (var name : NEEDED) {
            var found = Stream.of("/usr/bin", "/bin", "/usr/local/bin")
                    .map(place -> Path.of(place, name))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("these tests need " + name));
            Files.createSymbolicLink(machine.resolve(name), found);
        }
    }

    private static String tools() {
        return machine.toString();
    }

    private static List<String> lint(String path, String text) {
        var source = new SourceText("file.yaml", text);
        Supplier<Content> input = () -> new Content.Text(source);
        var linter = new Linter(
                Target.CURRENT,
                Settings.INITIAL,
                Set.of(),
                _ -> Optional.empty(),
                new ScriptJudge(path)::judge,
                List::of);
        var report = linter.lint(List.of(input));
        return report.findings().isEmpty()
                ? report.notes()
                : report.findings().stream()
                        .map(each -> each.place().line() + ":" + each.place().column() + " "
                                + each.rule().id())
                        .toList();
    }

    private static String task(String script) {
        return """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: t}
                spec:
                  params: [{name: x}]
                  steps:
                  - image: busybox:1.36
                    env: [{name: X, value: $(params.x)}]
                    script: |
                """ + script.indent(6);
    }

    private void program(String name, String text) throws IOException {
        var file = Files.writeString(programs.resolve(name), "#!/bin/sh\n" + text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void takesScriptsThatAreFine() {
        assertThat(lint(tools(), task("""
                set -e
                if [ "$(params.x)" = a ]; then echo $(params["x"]) $(params.x); fi
                cat <<END
                $(params.x)
                END
                """))).isEmpty();
    }

    @Test
    void findsTheLineThatTheShellCannotParse() {
        assertThat(lint(tools(), task("#!/bin/sh\necho one\nfi\n"))).containsExactly("12:7 shell-syntax");
        assertThat(lint(tools(), task("#!/usr/bin/env bash\nif true; then\n  echo )\nfi\n")))
                .containsExactly("12:9 shell-syntax");
    }

    @Test
    void tellsBashThatIsPassedOffAsSh() {
        assertThat(lint(tools(), task("list=(a b)\necho ${list[0]}\n"))).containsExactly("10:7 shell-portability");
        assertThat(lint(tools(), task("#!/bin/bash\nlist=(a b)\necho ${list[0]}\n")))
                .isEmpty();
    }

    @Test
    void findsHereDocumentsThatNeverEnd() {
        assertThat(lint(tools(), task("#!/bin/bash\ncat <<END\nwords\n"))).containsExactly("11:7 here-document");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            echo 'open         | '
            echo "open         | "
            echo $(open        | )
            x=`open            | `
            if true; then echo | fi
            (                  | )
            case x in          | esac
            while true; do     | done
            cat <<END          | END
            g() {              | }
            """)
    void noScriptIsClosedByAnother(String opening, String closing) {
        var steps = task("#!/bin/bash\n" + opening + "\n")
                + step("#!/bin/bash\necho fine\n")
                + step("#!/bin/bash\n" + closing + "\n")
                + step("#!/bin/bash\n: " + closing + "\n");

        assertThat(lint(tools(), steps)).first().asString().startsWith("11:");
    }

    private static String step(String script) {
        return "  - image: busybox:1.36\n    script: |\n" + script.indent(6);
    }

    @Test
    void aHereDocumentDoesNotEndInAnotherScript() {
        var steps = task("#!/bin/bash\ncat <<END\nwords\n") + step("#!/bin/bash\ncat <<END\nwords\nEND\n");

        assertThat(lint(tools(), steps)).containsExactly("11:7 here-document");
    }

    @Test
    void findsTheBrokenOneAmongMany() {
        var steps = new StringBuilder(task("echo 0\n"));
        for (int i = 1; i < 70; i++) {
            steps.append(step(i == 40 ? "if true; then echo\n" : "echo " + i + "\n"));
        }

        assertThat(lint(tools(), steps.toString())).singleElement().asString().endsWith("shell-syntax");
    }

    @Test
    void knowsThatScriptsMaySwitchPatternsOn() {
        assertThat(lint(tools(), task("#!/bin/bash\nshopt -s extglob\nrm -f !(keep|this)\n")))
                .isEmpty();
    }

    @Test
    void readsProgramsInArguments() {
        assertThat(lint(tools(), """
                apiVersion: v1
                kind: Pod
                metadata: {name: p}
                spec:
                  containers:
                  - name: main
                    image: busybox:1.36
                    command: ["/bin/sh", "-ec"]
                    args:
                    - |
                      true
                      done
                """)).containsExactly("12:7 shell-syntax");
    }

    @Test
    void runsNothing() {
        var trace = programs.resolve("trace");

        assertThat(lint(tools(), task("touch " + trace + "\n: `touch " + trace + "`\n")))
                .isEmpty();
        assertThat(trace).doesNotExist();
    }

    @Test
    void asksPython() throws IOException {
        program("python3", "printf 'alone-0.py\\t3\\t5\\tinvalid syntax\\n'");

        assertThat(lint(programs.toString(), task("#!/usr/bin/env python3\nx = $(params.x)\ny = = 2\n")))
                .containsExactly("12:11 python-syntax");
    }

    @Test
    void asksShellcheckWhereThereIsOne() throws IOException {
        program("sh", "exec /bin/sh \"$@\"");
        program("shellcheck", """
                test "$3" = --exclude=SC1090,SC1091,SC2148 -a "$4" = 0-0.sh || exit 9
                echo '{"comments": [{"file": "0-0.sh", "line": 1, "endLine": 1, "column": 6, "endColumn": 10,
                  "level": "info", "code": 2086, "message": "Double quote"}]}'""");

        assertThat(lint(programs.toString(), task("echo $one\n"))).containsExactly("10:12 shellcheck");
    }

    @Test
    void saysWhatItCouldNotCheck() {
        assertThat(lint(programs.toString(), task("echo fine\n")))
                .containsExactly("1 scripts were not checked, because this machine has no sh");
    }
}
