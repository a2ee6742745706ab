package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.JsonText;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `towtank run` as a user sees it, through pipes and on a terminal.
class RunIT {
    private static final Path EXAMPLES = Checkout.ROOT.resolve("examples");
    private static final String SLOW = """
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata: {generateName: slow-}
            spec:
              pipelineSpec:
                tasks:
                  - name: wait
                    taskSpec:
                      steps: [{name: doze, image: busybox, script: "trap '' TERM; echo dozing; sleep 4711"}]
                finally:
                  - name: tidy
                    taskSpec:
                      steps: [{name: up, image: busybox, script: "echo tidying; sleep SECONDS"}]
            """;

    @TempDir
    Path temp;

    // Of all tests but those that are about it: what runs share takes longer to make than most runs take. Not a
    // @TempDir, which would end with a warning for each of a thousand links that lead elsewhere.
    private static Path state = Path.of("");

    private ShellProgram towtank = new ShellProgram(Path.of(""), state);

    @BeforeAll
    static void makeState() throws IOException {
        state = Files.createTempDirectory("towtank-state");
    }

    @AfterAll
    static void deleteState() {
        RunningTowtank.deleteAll(state);
    }

    @BeforeEach
    void begin() {
        towtank = new ShellProgram(temp, state);
    }

    /// Whatever happened, nothing of the run is left on the machine.
    @AfterEach
    void nothingIsLeft() throws IOException {
        assertThat(towtank.leftProcesses()).isEmpty();
        assertThat(temp.resolve("tmp")).isEmptyDirectory();
        assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain(temp.toString());
    }

    private Path file(String text) throws IOException {
        return Files.writeString(temp.resolve("file.yaml"), text.replace("SECONDS", "0"));
    }

    private static String times(String text) {
        return text.replaceAll("(hello|release)-[a-z0-9]{5}\\b", "$1-NAME")
                .replaceAll("\\b\\d+(\\.\\d+s|s|m\\d\\ds)", "TIME");
    }

    @Test
    void helloThroughAPipe() throws Exception {
        var run = towtank.run("run", EXAMPLES.resolve("hello").toString(), "--param", "name=Jane");

        assertThat(times(run.output())).isEqualTo("""
                busybox:1.37  stand-in
                Run hello-NAME of task hello
                [hello > greet] Hello, Jane!
                [hello] succeeded after TIME
                Succeeded in TIME
                """);
        assertThat(run.code()).isZero();
    }

    @Test
    void helloOnATerminal() throws Exception {
        var run = towtank.onTerminal("run", EXAMPLES.resolve("hello").toString());

        assertThat(times(run.screen()).replaceAll(" +TIME", " TIME")).isEqualTo("""
                busybox:1.37  stand-in
                hello-NAME  task hello

                  ✓ hello TIME  stand-in

                  hello › greet
                  │ Hello, world!

                Succeeded in TIME
                """);
        assertThat(run.output()).contains("\033[?25l", "\033[?2026h", "\033[32m✓");
        assertThat(run.output().lastIndexOf("\033[?25h"))
                .isGreaterThan(run.output().lastIndexOf("\033[?25l"));
        assertThat(run.code()).isZero();
    }

    @Test
    void buildAndTestWorksOnACopyOfTheSources() throws Exception {
        var run = towtank.run("run", EXAMPLES.resolve("build-and-test").toString());

        assertThat(run.output())
                .contains(
                        "[test input=a b c > run] \"a b c\" has 3 words",
                        "[pack > pack] wordcount-1.4.2.tar.gz",
                        "[report > say] all tasks: Succeeded, tests: Succeeded",
                        "result  archive = wordcount-1.4.2.tar.gz");
        assertThat(run.code()).isZero();
        assertThat(EXAMPLES.resolve("build-and-test/source/.git")).doesNotExist();
    }

    /// How long it takes is measured in `docs/performance.md`.
    @Test
    void anIntegrationTestHasAClusterOfItsOwn() throws Exception {
        var run = towtank.run("run", EXAMPLES.resolve("test-clusters").toString());

        assertThat(run.output())
                .contains("[test > look] hello from the test cluster", "[test] succeeded", "Succeeded in ")
                .doesNotContain("token: ");
        assertThat(run.code()).isZero();
    }

    @Test
    void aDirectoryMayBeWorkedInItself() throws Exception {
        var directory = Files.createDirectory(temp.resolve("mine"));
        var task = file("""
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: write}
                spec:
                  workspaces: [{name: out}]
                  steps: [{name: a, image: busybox, script: "echo made > $(workspaces.out.path)/file"}]
                """);

        assertThat(towtank.run("run", task.toString(), "-w", "out=" + directory).code())
                .isZero();
        assertThat(directory).isEmptyDirectory();
        assertThat(towtank.run("run", task.toString(), "-w", "out=" + directory + ":rw")
                        .code())
                .isZero();
        assertThat(directory.resolve("file")).hasContent("made");
    }

    @Test
    void theEnginesDataAreKeptWhenAskedFor() throws Exception {
        var run = towtank.run("run", EXAMPLES.resolve("hello").toString(), "--keep");

        assertThat(run.code()).isZero();
        assertThat(state.resolve("towtank/runs/" + name(run.output()) + "/engine/store"))
                .isNotEmptyDirectory();
    }

    @Test
    void anEngineThatRunsOutOfMemoryIsNotTakenForCancelled() throws Exception {
        var run = new ShellProgram(temp, temp.resolve("state"), "-Xmx8m")
                .run("run", EXAMPLES.resolve("hello").toString());

        assertThat(run.output()).contains("OutOfMemoryError");
        assertThat(run.code()).isEqualTo(137);
        RunningTowtank.deleteAll(temp.resolve("tmp"));
        Files.createDirectory(temp.resolve("tmp"));
    }

    @Test
    void flakyIsTriedAgainAndGoesOn() throws Exception {
        var run = towtank.run("run", EXAMPLES.resolve("flaky").toString());

        assertThat(run.output())
                .contains(
                        "[download] retry 1 of 3",
                        "[download] retry 2 of 3",
                        "[download > fetch] attempt 3",
                        "[publish > upload] published")
                .containsPattern("\\[benchmark\\] timed out after \\S+, ignored")
                .containsPattern("\\[lint\\] failed after \\S+, ignored");
        assertThat(run.code()).isZero();
    }

    @Test
    void aSidecarIsThereForTheStep() throws Exception {
        var run = towtank.run("run", EXAMPLES.resolve("sidecar").toString());

        assertThat(run.output())
                .contains(
                        "[sidecar > sidecar-server] serving on port 18099",
                        "[sidecar > test] the server says: all is well");
        assertThat(run.code()).isZero();
        var name = name(run.output());
        assertThat(state.resolve("towtank/runs/" + name + "/logs/" + name + "/sidecar-server.log"))
                .hasContent("serving on port 18099");
    }

    @Test
    void aFailedRunGoesOnFromWhereItFailed() throws Exception {
        var first = towtank.run("run", EXAMPLES.resolve("resume").toString());
        var id = name(first.output());

        assertThat(first.code()).isEqualTo(1);
        assertThat(times(first.output())).endsWith("""

                  deploy > push  exit code 2
                  | deploying program 1.4.2
                  | no login for the registry

                Failed after TIME: 1 of 4 tasks failed
                  result            version = 1.4.2
                  whole log         less %s/towtank/runs/release-NAME/logs/release-NAME-deploy/push.log
                  go on from there  ./towtank run --resume release-NAME
                """.formatted(state));

        var second = towtank.run("run", "--resume", id);

        assertThat(times(second.output()).replaceFirst("Succeeded in.*\n", "Succeeded\n"))
                .isEqualTo("""
                        Going on from release-NAME, where build, test succeeded.
                        busybox:1.37  stand-in
                        Run release-NAME of pipeline release, 4 tasks
                        [build] succeeded in run release-NAME
                        [test platform=amd64] succeeded in run release-NAME
                        [test platform=arm64] succeeded in run release-NAME
                        [deploy > push] deploying program 1.4.2
                        [deploy > push] deployed 1.4.2
                        [deploy] succeeded after TIME
                        [notify > say] the release: Succeeded
                        [notify] succeeded after TIME
                        Succeeded
                          result  version = 1.4.2
                        """);
        assertThat(second.code()).isZero();

        var again = towtank.run("run", "--resume", id, "--from", "test");
        assertThat(again.output())
                .contains("[build] succeeded in run " + id, "[test platform=arm64 > run] version 1.4.2");

        var only = towtank.run("run", "--resume", id, "--only", "deploy");
        assertThat(only.output()).contains("[deploy > push] deployed 1.4.2").doesNotContain("notify");

        var repaired =
                Files.readString(EXAMPLES.resolve("resume/resume.yaml")).replace("deploying", "repaired, deploying");
        var mended = towtank.run("run", "--resume", id, file(repaired).toString());
        assertThat(mended.output()).contains("[deploy > push] repaired, deploying program 1.4.2");
    }

    @Test
    void aRunIsExportedAndReplayed() throws Exception {
        var run = towtank.run("run", EXAMPLES.resolve("hello").toString(), "--param", "name=Jane");
        var file = temp.resolve("hello.tar.gz");

        assertThat(towtank.run("export", name(run.output()), "-o", file.toString())
                        .output())
                .isEqualTo("Wrote " + file + ". Run it once more with ./towtank run --replay " + file + "\n");
        assertThat(towtank.run("run", "--replay", file.toString()).output()).contains("[hello > greet] Hello, Jane!");
    }

    private static String name(String output) {
        var matcher = Pattern.compile("Run (\\S+)").matcher(output);
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    @Test
    void eventsAreJson() throws Exception {
        var run = towtank.run("run", EXAMPLES.resolve("hello").toString(), "--output", "json");

        assertThat(run.output().lines().map(JsonText::parseObject).map(event -> event.string("event")))
                .containsExactly("image", "run-started", "task", "step", "log", "step", "task", "run-finished");
    }

    @Test
    void aRunThatTakesTooLongTimesOut() throws Exception {
        var run = towtank.run("run", file(SLOW).toString(), "--timeout", "3s");

        assertThat(run.output()).contains("Timed out after");
        assertThat(run.code()).isEqualTo(4);
    }

    @Test
    void controlCCancelsTheRunAndFinallyTasksStillRun() throws Exception {
        var run = towtank.onTerminal(List.of("dozing"), "run", file(SLOW).toString());

        assertThat(run.screen())
                .startsWith("busybox  stand-in\nCancelling; finally tasks still run. Ctrl-C again kills everything.\n")
                .contains("■ wait", "✓ tidy", "Cancelled after");
        assertThat(run.code()).isEqualTo(3);
    }

    @Test
    void aSecondControlCKillsIt() throws Exception {
        var run = towtank.onTerminal(
                List.of("dozing", "tidying"),
                "run",
                file(SLOW.replace("SECONDS", "4711")).toString());

        assertThat(run.screen()).contains("■ wait", "■ tidy", "Cancelled after");
        assertThat(run.output()).endsWith("\033[?25h");
        assertThat(run.code()).isEqualTo(3);
    }

    @Test
    void aProcessThatMustEndLeavesNothing() throws Exception {
        var run = towtank.run(text -> text.contains("dozing"), "run", file(SLOW).toString());

        assertThat(run.output()).contains("Asked to end: cancelling the run.", "Cancelled after");
        assertThat(run.code()).isEqualTo(3);
    }

    @Test
    void whatAKilledRunLeavesTheNextOneTidiesUp() throws Exception {
        var killed =
                towtank.kill(text -> text.contains("dozing"), "run", file(SLOW).toString());
        assertThat(killed.code()).isEqualTo(137);
        awaitProcess("sleep 4711");
        assertThat(temp.resolve("tmp")).isNotEmptyDirectory();

        var next = towtank.run("run", EXAMPLES.resolve("hello").toString());

        assertThat(next.output())
                .containsPattern(
                        "A run that was killed \\(slow-[a-z0-9]{5}\\) had left its containers and files; they are"
                                + " gone now\\.\n")
                .contains("Hello, world!");
        assertThat(next.code()).isZero();
        assertThat(state.resolve("towtank/runs/.running")).isEmptyDirectory();
    }

    /// What a step said may be seen before it has started its next program.
    private void awaitProcess(String command) throws IOException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (ShellProgram.workingIn(temp).stream().noneMatch(line -> line.contains(command))) {
            assertThat(System.nanoTime()).as("no process " + command).isLessThan(end);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    @Test
    void aStepReachesTheApiOfItsRun() throws Exception {
        var task = file("""
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: port}
                spec:
                  steps: [{name: a, image: busybox, script: 'echo "port $KUBERNETES_SERVICE_PORT!"; sleep 4711'}]
                """);
        var answers = new ArrayList<Integer>();
        var port = Pattern.compile("port (\\d+)!");

        var run = towtank.run(
                text -> {
                    var found = port.matcher(text);
                    if (!found.find()) {
                        return false;
                    }
                    answers.add(AnyCertificate.get(URI.create("https://127.0.0.1:" + found.group(1) + "/readyz")));
                    return true;
                },
                "run",
                task.toString());

        assertThat(answers).containsExactly(200);
        assertThat(run.code()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            run nope.yaml                         | towtank: nope.yaml: there is no such file or directory
            run                                   | towtank: Name the files to run
            run HELLO --param x=1                 | towtank: --param x: there is no such param. There are: name.
            run HELLO -p name=a -p name=b         | towtank: --param name is given twice: give it once
            run HELLO --workspace a=nope          | towtank: --workspace a=nope: there is no such directory
            run HELLO --timeout soon              | towtank: --timeout soon: expected a time such as 90s, 10m or 1h30m
            run HELLO --output xml                | towtank: Invalid value for option '--output'
            run HELLO --from x                    | towtank: --from and --only choose among the tasks of an earlier run
            run --resume nope                     | towtank: There is no run nope. No run is remembered yet.
            run --replay nope                     | towtank: There is no run nope. No run is remembered yet.
            """)
    void aWrongCallStartsNothing(String line, String problem) throws Exception {
        var run = new ShellProgram(temp, temp.resolve("state"))
                .run(line.replace("HELLO", EXAMPLES.resolve("hello").toString()).split(" "));

        assertThat(run.output()).startsWith(problem);
        assertThat(run.code()).isEqualTo(2);
    }

    @Test
    void aNameThatCannotBeIsToldOnce() throws Exception {
        var file = file("""
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: a b}
                spec: {steps: [{image: busybox, command: ["true"]}]}
                """);
        var run = towtank.run("run", file.toString());

        assertThat(run.output().lines().filter(line -> line.contains("is invalid")))
                .singleElement()
                .asString()
                .startsWith(
                        "towtank: " + file + ":3: Task.tekton.dev \"a b\" is invalid: metadata.name: Invalid value");
        assertThat(run.code()).isEqualTo(2);
    }

    @Test
    void whatAdmissionRefusesIsToldWithItsPlace() throws Exception {
        var file = file("""
                # a comment
                ---
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: bad}
                spec:
                  steps: [{name: a}]
                """);
        var run = towtank.run("run", file.toString());

        assertThat(run.output())
                .isEqualTo("towtank: " + file + ":7: validation failed: missing field(s): spec.steps[0].Image\n");
        assertThat(run.code()).isEqualTo(2);
        assertThat(state.resolve("towtank/runs")).isDirectoryNotContaining("glob:**bad*");
    }

    private static final String MISTAKEN = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: settings}
            dta: {a: b}
            ---
            apiVersion: tekton.dev/v1beta1
            kind: Task
            metadata: {name: say}
            spec:
              steps:
                - name: a
                  image: busybox
                  script: echo said
                  computeResources: {}
            ---
            apiVersion: tekton.dev/v1
            kind: Pipeline
            metadata: {name: mistaken}
            spec:
              tasks:
                - {name: first, taskRef: {name: say}}
                - name: second
                  taskRef: {name: say}
                  runafter: [first]
            ---
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata: {generateName: mistaken-}
            spec:
              pipelineRef: {name: mistaken}
              timeout: 1h
            """;

    @Test
    void aFieldThatNobodyKnowsIsRefusedBeforeAnythingRuns() throws Exception {
        var file = file(MISTAKEN);
        var run = towtank.run("run", file.toString());

        assertThat(run.output().replace(file.toString(), "FILE")).endsWith("""
                towtank: FILE:4: unknown field "dta" in the ConfigMap. Did you mean "data"?
                towtank: FILE:14: unknown field "spec.steps[0].computeResources" in the Task.
                towtank: FILE:24: unknown field "spec.tasks[1].runafter" in the Pipeline. Did you mean "runAfter"?
                towtank: FILE:31: unknown field "spec.timeout" in the PipelineRun. Did you mean "timeouts"?
                """);
        assertThat(run.output()).doesNotContain("said");
        assertThat(run.code()).isEqualTo(2);
        assertThat(state.resolve("towtank/runs")).isDirectoryNotContaining("glob:**mistaken*");
    }

    @Test
    void whatPipelinesAsCodeForgetsIsToldAndForgotten() throws Exception {
        var directory = Files.createDirectory(temp.resolve(".tekton"));
        var file = Files.writeString(directory.resolve("push.yaml"), MISTAKEN);
        var run = towtank.run("run", directory.toString());

        assertThat(run.output())
                .contains(
                        file + ":31: unknown field \"spec.timeout\" in the PipelineRun. Did you mean \"timeouts\"?"
                                + " It is ignored, as by Pipelines-as-Code.\n",
                        "[second > a] said",
                        "Succeeded in");
        assertThat(run.code()).isZero();

        var again = towtank.run("run", "--replay", "last");
        assertThat(again.output()).contains("[second > a] said", "Succeeded in").doesNotContain("unknown field");
        assertThat(again.code()).isZero();
    }
}
