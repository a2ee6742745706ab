package dev.towtank.controllers.pipelines.taskruns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Selection;
import dev.towtank.controllers.pipelines.runs.ChildNames;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.model.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/// Tasks that come from elsewhere, and the names of what a run makes.
class RemoteTaskTest {

    private final TaskRunWorld world = new TaskRunWorld();

    private void started(String yaml) {
        world.given(PipelineKinds.TASK_RUN, yaml);
        world.settle("t");
    }

    private void startedWithARemoteTask() {
        started("""
                metadata: {name: t}
                spec: {taskRef: {resolver: git, params: [{name: url, value: https://example.com/x.git}]}}
                """);
    }

    @Test
    void aRemoteTaskIsAskedForAndAwaited() {
        startedWithARemoteTask();

        assertThat(world.outcome("t")).isEqualTo("Unknown/ResolvingTaskRef: TaskRun ns/t awaiting remote resource");
        assertThat(world.cluster
                        .list(PipelineKinds.RESOLUTION_REQUEST, Selection.EVERYWHERE)
                        .items())
                .singleElement()
                .satisfies(request -> {
                    assertThat(request.labels()).containsEntry("resolution.tekton.dev/type", "git");
                    assertThat(request.name()).matches("git-[0-9a-f]{32}");
                });
    }

    @Test
    void aRemoteTaskThatCameRuns() {
        startedWithARemoteTask();
        var request = world.cluster
                .list(PipelineKinds.RESOLUTION_REQUEST, Selection.EVERYWHERE)
                .items()
                .getFirst();
        var task =
                "apiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: far}\nspec: {steps: [{image: bash, command: [ls]}]}";
        var status = Json.Obj.builder()
                .put("conditions", Json.Arr.of(Json.Obj.of("type", Json.of("Succeeded"), "status", Json.of("True"))))
                .put("data", Base64.getEncoder().encodeToString(task.getBytes(StandardCharsets.UTF_8)))
                .put("refSource", Json.Obj.of("uri", Json.of("git+https://example.com/x.git")))
                .build();
        world.cluster.update(
                PipelineKinds.RESOLUTION_REQUEST,
                request.with(request.json().with("status", status)),
                Cluster.WriteOptions.STATUS);
        world.settle("t");

        assertThat(world.run("t").labels()).containsEntry("tekton.dev/task", "far");
        assertThat(world.run("t").status().string("provenance", "refSource", "uri"))
                .isEqualTo("git+https://example.com/x.git");
        assertThat(world.pod("t-pod").spec().objects("containers")).hasSize(1);
    }

    @Test
    void longNamesAreCutAndStayApart() {
        var parent = "a".repeat(70);
        assertThat(ChildNames.of("short", "-pod")).isEqualTo("short-pod");
        assertThat(ChildNames.of(parent, "-pod")).hasSize(63).endsWith("-pod");
        assertThat(ChildNames.of(parent, "-pod")).isNotEqualTo(ChildNames.of(parent + "b", "-pod"));
        assertThat(ChildNames.of("p", "-" + "x".repeat(70))).hasSize(63);
    }
}
