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
        assertThat(new Terminal().run("logs", "last", "-c", "other", "--data", data.toString()))
                .isZero();
    }

    @Test
    void describeTellsHowLongItTookAsItWasSeen() {
        assertThat(shown("describe", "last"))
                .contains("nightly-x7k2p", "Succeeded", "all is well", "fetch")
                .containsPattern("Took: +0\\.[34]s");
    }

    @Test
    void runsAreWhereTheirDataIs() {
        assertThat(shown("runs")).contains("nightly-x7k2p");
    }

    @Test
    void aNameThatNobodyKnowsIsToldBeforeTheMissingServer() {
        assertThat(terminal.run("logs", "nightly-x7k2q", "--data", data.toString()))
                .isEqualTo(1);
        assertThat(terminal.err())
                .isEqualTo("towtank: There is no run nightly-x7k2q. Remembered are: nightly-x7k2p. And no server runs"
                        + " on " + data + ": start one with './towtank up --detach', or name another with --data DIR"
                        + " or --kubeconfig FILE.\n");
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
