package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.history.RunRecord;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalRunsTest {
    private static final String RUN = """
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata: {name: nightly-x7k2p, namespace: default, labels: {tekton.dev/pipeline: nightly}}
            status:
              startTime: "2026-01-01T00:00:00Z"
              completionTime: "2026-01-01T00:00:01Z"
              conditions: [{type: Succeeded, status: "True", reason: Succeeded, message: all is well}]
              childReferences: [{name: nightly-x7k2p-fetch, pipelineTaskName: fetch}]
            """;

    @TempDir
    Path data;

    private final Terminal terminal = new Terminal();

    @BeforeEach
    void keepARun() throws IOException {
        var directory = new RunHistory(data.resolve("runs")).begin("nightly-x7k2p");
        log(directory.logs().resolve("nightly-x7k2p-fetch/get.log"), "no answer\n");
        log(directory.logs().resolve("nightly-x7k2p-fetch-retry-1/get.log"), "one\ntwo\n");
        var summary = Json.Obj.builder()
                .put("started", "2026-01-01T00:00:00.100Z")
                .put("finished", "2026-01-01T00:00:00.450Z")
                .build();
        directory.write(new RunRecord(
                directory.id(), summary, Resource.of((Json.Obj) YamlText.parse(RUN)), List.of(), List.of(), List.of()));
    }

    private static void log(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private String shown(String... words) {
        var line = new ArrayList<>(List.of(words));
        line.addAll(List.of("--data", data.toString()));
        assertThat(terminal.run(line.toArray(String[]::new))).as(terminal.err()).isZero();
        return terminal.out();
    }

    @Test
    void aRunIsDescribedWithoutSayingItTwice() throws IOException {
        assertThat(shown("describe", "last"))
                .contains("Pipeline:  nightly\n", "Status:    Succeeded\n", "Message:   all is well\n");

        var directory = new RunHistory(data.resolve("runs")).begin("hello-abcde");
        var run = (Json.Obj) YamlText.parse("""
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: hello-abcde, namespace: default, labels: {tekton.dev/task: hello}}
                status: {conditions: [{type: Succeeded, status: "False", reason: TaskRunImagePullFailed}]}
                """);
        directory.write(
                new RunRecord(directory.id(), Json.Obj.EMPTY, Resource.of(run), List.of(), List.of(), List.of()));
        assertThat(shown("describe", "hello-abcde"))
                .contains("Task:      hello\n", "Status:    Failed (TaskRunImagePullFailed)\n");
    }

    @Test
    void logsHaveEveryAttempt() {
        assertThat(shown("logs", "last")).isEqualTo("""
                [fetch : get] no answer
                [fetch, attempt 2 : get] one
                [fetch, attempt 2 : get] two
                """);
    }

    @Test
    void logsOfOneStepEndWithItsLastLines() {
        assertThat(shown("logs", "nightly-x7k2p", "-c", "get", "--tail", "1")).isEqualTo("""
                [fetch : get] no answer
                [fetch, attempt 2 : get] two
                """);
        assertThat(terminal.run("logs", "last", "-c", "other", "--data", data.toString()))
                .isEqualTo(1);
        assertThat(terminal.err()).isEqualTo("towtank: nightly-x7k2p has no step other. There are: get.\n");
    }

    @Test
    void whatHappenedIsToldInItsOrder() throws IOException {
        var directory = new RunHistory(data.resolve("runs")).begin("ci-abcde");
        var tests = new ArrayList<Resource>();
        for (var os : List.of("mac", "linux")) {
            var name = "ci-abcde-test-" + tests.size();
            tests.add(child(name, "test", "params: [{name: os, value: " + os + "}]", os.equals("mac") ? 1 : 0));
            log(directory.logs().resolve(name + "/three.log"), "third\n");
            log(directory.logs().resolve(name + "/one.log"), "first\n");
        }
        tests.add(child("ci-abcde-zip", "zip", "", 0));
        log(directory.logs().resolve("ci-abcde-zip/one.log"), "zipped\n");
        var summary = (Json.Obj) YamlText.parse("""
                times:
                  ci-abcde-zip: {started: "2026-01-01T00:00:00.1Z", finished: "2026-01-01T00:00:00.4Z"}
                  ci-abcde-test-0: {started: "2026-01-01T00:00:01Z", finished: "2026-01-01T00:00:03Z"}
                  ci-abcde-test-1: {started: "2026-01-01T00:00:02Z", finished: "2026-01-01T00:00:03Z"}
                """);
        var run = (Json.Obj) YamlText.parse("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: ci-abcde, namespace: default, uid: u-ci}
                status:
                  conditions: [{type: Succeeded, status: "False", reason: Failed}]
                  pipelineSpec:
                    tasks:
                      - {name: test, taskRef: {name: t}, matrix: {params: [{name: os, value: [mac, linux]}]}}
                      - {name: zip, taskRef: {name: t}}
                      - {name: deploy, taskRef: {name: t}}
                """);
        directory.write(new RunRecord(directory.id(), summary, Resource.of(run), tests, List.of(), List.of()));

        assertThat(shown("logs", "ci-abcde")).isEqualTo("""
                [zip : one] zipped
                [test os=mac : one] first
                [test os=mac : three] third
                [test os=linux : one] first
                [test os=linux : three] third
                """);
        assertThat(shown("runs", "logs", "ci-abcde", "--task", "test", "--step", "one"))
                .isEqualTo("[test os=mac : one] first\n[test os=linux : one] first\n");
        assertThat(shown("describe", "ci-abcde")).contains("""
                Task:      test os=mac     failed      2.0s   step three: exit code 1
                Task:      test os=linux   succeeded   1.0s
                Task:      zip             succeeded   0.3s
                Task:      deploy          skipped     -
                """);
    }

    private static Resource child(String name, String task, String spec, int code) {
        return Resource.of(
                (Json.Obj) YamlText.parse("""
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata:
                  name: %s
                  namespace: default
                  labels: {tekton.dev/pipelineTask: %s}
                  ownerReferences: [{apiVersion: tekton.dev/v1, kind: PipelineRun, name: ci, uid: u-ci, controller: true}]
                spec: {%s}
                status:
                  podName: %s-pod
                  conditions: [{type: Succeeded, status: "%s"}]
                  steps:
                    - {name: one, container: step-one, terminated: {exitCode: 0}}
                    - {name: three, container: step-three, terminated: {exitCode: %d}}
                """.formatted(name, task, spec, name, code == 0 ? "True" : "False", code)));
    }

    @Test
    void describeTellsHowLongItTookAsItWasSeen() {
        assertThat(shown("describe", "last"))
                .contains("nightly-x7k2p", "Succeeded", "all is well", "fetch")
                .containsPattern("Took: +0\\.[34]s");
    }

    @Test
    void aFileThatIsNotThereCannotBeReplayed() {
        var file = data.resolve("nosuch.zip").toString();
        assertThat(terminal.run("run", "--replay", file, "--data", data.toString()))
                .isEqualTo(2);
        assertThat(terminal.err())
                .isEqualTo("towtank: --replay " + file + ": there is no such file. './towtank export RUN -o FILE.zip'"
                        + " writes one, and './towtank runs' lists the runs that are remembered.\n");
    }

    @Test
    void runsAreWhereTheirDataIs() {
        assertThat(shown("runs")).contains("nightly-x7k2p");
    }

    @Test
    void aNameThatNobodyKnowsIsToldBeforeTheMissingServer() {
        for (var command : List.of("logs", "describe")) {
            var terminal = new Terminal();
            assertThat(terminal.run(command, "nightly-x7k2q", "--data", data.toString()))
                    .isEqualTo(1);
            assertThat(terminal.err())
                    .isEqualTo(
                            "towtank: There is no run nightly-x7k2q. Remembered are: nightly-x7k2p. And no server runs"
                                    + " on " + data
                                    + ": start one with './towtank up --detach', or name another with --data DIR"
                                    + " or --kubeconfig FILE.\n");
        }
    }

    @Test
    void aReportThatCannotBeWrittenIsExplained() {
        var file = data.resolve("missing/run.html").toString();

        assertThat(terminal.run("report", "last", "--data", data.toString(), "-o", file))
                .isEqualTo(1);
        assertThat(terminal.err())
                .isEqualTo("towtank: Cannot write the report to " + file
                        + ": there is no such directory. Choose another file with -o FILE.\n");
    }

    @Test
    void whereThereIsNoneItIsSaid(@TempDir Path empty) {
        assertThat(terminal.run("logs", "last", "--data", empty.toString())).isEqualTo(1);
        assertThat(terminal.err()).contains("No run is remembered yet: './towtank run FILE' makes one.");
    }
}
