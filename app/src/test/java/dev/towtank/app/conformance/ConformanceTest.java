package dev.towtank.app.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConformanceTest {

    @TempDir
    private Path directory;

    private final FakeApi api = new FakeApi();

    private void example(String name, String yaml) throws IOException {
        var file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, yaml);
    }

    private static String run(String name, String ends) {
        return """
                ---
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: %s, namespace: default, annotations: {ends: "%s"}}
                """.formatted(name, ends);
    }

    private Report report(boolean setsFlags) throws IOException, InterruptedException {
        var clock = InstantSource.fixed(Instant.EPOCH);
        var conformance = new Conformance(api, clock, 2, Duration.ofSeconds(1), setsFlags, Optional.empty(), _ -> {});
        return new Report(conformance.run(Example.below(directory)), Duration.ofSeconds(3));
    }

    @Test
    void triesEveryFileButThoseThatTektonLeavesOut() throws IOException, InterruptedException {
        example("taskruns/good.yaml", run("good", "True") + run("second", "False"));
        example("taskruns/bad.yaml", run("bad", "False"));
        example("taskruns/no-ci/left-out.yaml", run("left-out", "False"));
        example("pipelineruns/none.yaml", run("none", "True"));
        example("taskruns/refused.yaml", run("refused", "True"));
        example("taskruns/foreign.yaml", "apiVersion: example.com/v1\nkind: Thing\n");
        example("taskruns/broken.yaml", "a: [");

        assertThat(report(false).results())
                .extracting(
                        each -> each.example().name(),
                        each -> each.verdict().word(),
                        each -> each.verdict().reason().lines().findFirst().orElse(""))
                .satisfiesExactly(
                        none -> assertThat(none.toList())
                                .containsExactly(
                                        "pipelineruns/none.yaml",
                                        "skipped",
                                        "no run is created: there is nothing to check"),
                        bad -> assertThat(bad.toList()).containsExactly("taskruns/bad.yaml", "failed", "Said: "),
                        broken -> assertThat(broken.toList()).contains("taskruns/broken.yaml", "failed"),
                        foreign -> assertThat(foreign.toList())
                                .containsExactly(
                                        "taskruns/foreign.yaml",
                                        "skipped",
                                        "needs the kind Thing of example.com/v1, which is not served"),
                        good -> assertThat(good.toList()).containsExactly("taskruns/good.yaml", "passed", ""),
                        refused -> assertThat(refused.toList())
                                .containsExactly("taskruns/refused.yaml", "failed", "missing field(s): spec"));
        assertThat(api.requests).noneMatch(request -> request.contains("feature-flags"));
    }

    @Test
    void aTestInACatalogBringsWhatItIsAbout() throws IOException {
        example("task/hello/0.1/hello.yaml", "kind: Task");
        example("task/hello/0.1/README.md", "no YAML");
        example("task/hello/0.1/tests/resources.yaml", "kind: ConfigMap");
        example("task/hello/0.1/tests/other.yaml", "kind: TaskRun");
        example("task/hello/0.1/tests/run.yaml", "kind: PipelineRun\nspec: {taskRef: {name: clone}}");
        example("task/clone/0.9/clone.yaml", "kind: OldTask");
        example("task/clone/0.10/clone.yaml", "kind: OtherTask");
        var tested = Example.below(directory).stream()
                .filter(each -> each.name().endsWith("run.yaml"))
                .toList();

        assertThat(tested).hasSize(1);
        assertThat(tested.getFirst().text())
                .isEqualTo("kind: Task\n---\nkind: ConfigMap\n---\nkind: OtherTask\n---\n"
                        + "kind: PipelineRun\nspec: {taskRef: {name: clone}}");
        assertThat(tested.getFirst().namespace()).isEqualTo("hello-0-1");
    }

    @Test
    void createsInANamespaceOfItsOwnAndRemovesIt() throws IOException, InterruptedException {
        example("taskruns/good.yaml", run("good", "True"));

        report(false);

        assertThat(api.requests)
                .contains(
                        "POST /apis/tekton.dev/v1/namespaces/good-0/taskruns?fieldValidation=Strict",
                        "DELETE /api/v1/namespaces/good-0");
    }

    @Test
    void givesItsOwnServerTheFlagsOfEachStage() throws IOException, InterruptedException {
        example("v1/taskruns/alpha/new.yaml", run("new", "True"));
        example("v1/taskruns/old.yaml", run("old", "True"));

        assertThat(report(true).isGood()).isTrue();

        assertThat(api.requests)
                .filteredOn(request -> request.startsWith("POST") && request.contains("feature-flags"))
                .satisfiesExactly(
                        stable -> assertThat(stable).contains("\"enable-api-fields\":\"stable\""),
                        alpha -> assertThat(alpha)
                                .contains("\"enable-api-fields\":\"alpha\"", "\"enable-artifacts\":\"true\""));
    }

    @Test
    void endsWithASummary() throws IOException, InterruptedException {
        example("taskruns/good.yaml", run("good", "True"));
        example("taskruns/bad.yaml", run("bad", "False"));

        var report = report(false);

        assertThat(report.pretty())
                .isEqualTo(List.of(
                        "",
                        "Failed:",
                        "  taskruns/bad.yaml",
                        "      Said:",
                        "",
                        "1 of 2 passed, 1 failed, 0 skipped, in 3.0 s."));
        assertThat(report.json()).contains("\"passed\": 1", "\"verdict\": \"failed\"");
        assertThat(report.isGood()).isFalse();
    }
}
