package dev.towtank.app.run.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.towtank.app.report.ReportPage;
import dev.towtank.app.report.RunSource;
import dev.towtank.app.report.StoryReader;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptRunTest {
    private static final Json.Obj SUMMARY = (Json.Obj) YamlText.parse("""
            {towtank: 1.2.3, started: "2026-03-01T10:00:00.1Z", machine: {Node: "rock, Debian", Sandbox: Sandboxed.}}""");

    @TempDir
    Path temp;

    private RunDirectory directory;

    @BeforeEach
    void keep() throws Exception {
        directory = new RunDirectory(Files.createDirectory(temp.resolve("build")));
        directory.write(new RunRecord("build", SUMMARY, resource("""
                        kind: PipelineRun
                        metadata: {name: build, namespace: default, uid: u1}
                        status:
                          startTime: "2026-03-01T10:00:00Z"
                          conditions: [{type: Succeeded, status: "True", reason: Succeeded}]
                          pipelineSpec: {tasks: [{name: unit}]}
                        """), List.of(resource("""
                        kind: TaskRun
                        metadata:
                          name: build-unit
                          labels: {tekton.dev/pipelineTask: unit}
                          annotations: {pipeline.tekton.dev/release: v1.9.0}
                        status:
                          podName: unit-pod-retry1
                          steps: [{name: test, container: step-test, terminated: {exitCode: 0}},
                                  {name: ../../../secret, container: step-../../../secret, terminated: {exitCode: 0}}]
                          retriesStatus:
                          - podName: unit-pod
                            steps: [{name: test, container: step-test, terminated: {exitCode: 1}}]
                        """)), List.of(), List.of()));
        write("build/logs/build-unit/test.log", "the first try\n");
        write("build/logs/build-unit-retry-1/test.log", "the second try\n");
        write("secret.log", "none of your business\n");
    }

    private void write(String name, String text) throws Exception {
        var file = temp.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static Resource resource(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    @Test
    void tellsVersionsMachineAndSandbox() {
        assertThat(new KeptRun(directory).surroundings())
                .containsExactly(
                        entry("Run by", "towtank run, Towtank 1.2.3"),
                        entry("Tekton", "v1.9.0"),
                        entry("Node", "rock, Debian"),
                        entry("Sandbox", "Sandboxed."));
    }

    @Test
    void hasTheLogOfEveryAttempt() {
        var kept = new KeptRun(directory);

        assertThat(kept.log("unit-pod", "step-test").text()).isEqualTo("the first try\n");
        assertThat(kept.log("unit-pod-retry1", "step-test").text()).isEqualTo("the second try\n");
        assertThat(kept.log("unit-pod", "step-silent").text()).isEmpty();
    }

    @Test
    void readsNothingOutsideOfItsDirectory() {
        assertThat(new KeptRun(directory)
                        .log("unit-pod", "step-../../../secret")
                        .text())
                .isEmpty();
    }

    @Test
    void aReportCanBeMadeOfIt() {
        var page = ReportPage.of(StoryReader.read(new KeptRun(directory), Instant.parse("2026-03-01T10:02:00Z")));

        assertThat(page)
                .contains("PipelineRun build: succeeded", "the second try", "Attempt 1 of 2")
                .doesNotContain("none of your business");
    }

    @Test
    void isFoundByTheObjectsOfAServer() throws Exception {
        var history = new RunHistory(temp);

        assertThat(history.recordOf(object("{metadata: {name: build, uid: u1}}")))
                .isPresent();
        assertThat(history.recordOf(object("{metadata: {name: build-unit, uid: u2, ownerReferences:"
                        + " [{kind: PipelineRun, name: build, uid: u1}]}}")))
                .isPresent();
        assertThat(history.recordOf(object("{metadata: {name: build, uid: u3}}")))
                .isEmpty();
        assertThat(history.recordOf(object("{metadata: {name: build}}"))).isEmpty();
    }

    @Test
    void aServersRunHasItsLogsFromHereWhereItsPodsAreGone() {
        var server = new RunSource() {
            @Override
            public Json.Obj run() {
                return object("{metadata: {name: build}}");
            }

            @Override
            public List<Json.Obj> children() {
                return List.of();
            }

            @Override
            public Log log(String pod, String container) {
                return pod.equals("unit-pod") ? Log.none("gone") : Log.of("from the server");
            }

            @Override
            public Map<String, String> surroundings() {
                return Map.of();
            }
        };
        var seen = new SeenRun(server, new KeptRun(directory));

        assertThat(seen.log("unit-pod", "step-test").text()).isEqualTo("the first try\n");
        assertThat(seen.log("unit-pod-retry1", "step-test").text()).isEqualTo("from the server");
        assertThat(seen.run().string("status", "startTime")).isEqualTo("2026-03-01T10:00:00.1Z");
    }

    private static Json.Obj object(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    @Test
    void aLongLogIsCutAtItsBeginning() throws Exception {
        write("build/logs/build-unit/test.log", "begin\n" + "x".repeat(300_000) + "\nend\n");

        var log = new KeptRun(directory).log("unit-pod", "step-test");

        assertThat(log.cut()).isTrue();
        assertThat(log.text()).endsWith("\nend\n").doesNotContain("begin").hasSize(256 << 10);
    }

    @Test
    void timesAreThoseThatWereSeen() {
        var times = new ExactTimes((Json.Obj) YamlText.parse("""
                build-unit: {started: "2026-03-01T10:00:00.1Z", finished: "2026-03-01T10:00:01.9Z"}
                one/test: {started: "2026-03-01T10:00:00.3Z", finished: "2026-03-01T10:00:00.5Z"}
                two/test: {started: "2026-03-01T10:00:01.2Z", finished: "2026-03-01T10:00:01.8Z"}
                """));
        var exact = times.in((Json.Obj) YamlText.parse("""
                status:
                  startTime: "2026-03-01T10:00:01Z"
                  completionTime: "2026-03-01T10:00:01Z"
                  podName: two
                  steps: [{name: test, terminated: {startedAt: "2026-03-01T10:00:01Z"}}, {name: other, running: {}}]
                  retriesStatus: [{podName: one, steps: [{name: test, terminated: {exitCode: 1}}]}]
                """), "build-unit");

        assertThat(exact).isEqualTo(YamlText.parse("""
                status:
                  startTime: "2026-03-01T10:00:01.2Z"
                  completionTime: "2026-03-01T10:00:01.9Z"
                  podName: two
                  steps:
                  - {name: test, terminated: {startedAt: "2026-03-01T10:00:01.2Z", finishedAt: "2026-03-01T10:00:01.8Z"}}
                  - {name: other, running: {}}
                  retriesStatus:
                  - podName: one
                    steps: [{name: test, terminated: {exitCode: 1, startedAt: "2026-03-01T10:00:00.3Z", finishedAt: "2026-03-01T10:00:00.5Z"}}]
                    startTime: "2026-03-01T10:00:00.1Z"
                    completionTime: "2026-03-01T10:00:00.5Z"
                """));
    }
}
