package dev.towtank.controllers.pipelines.pipelineruns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.pipelines.graph.RunState;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildrenTest {

    private final List<String> read = new ArrayList<>();

    private Resource run(String task, String status) {
        var json = (Json.Obj) YamlText.parse("""
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata:
                  name: run-%s
                  resourceVersion: "%s"
                  labels: {tekton.dev/pipelineTask: %s}
                status:
                  conditions: [{type: Succeeded, status: "%s", reason: Why}]
                """.formatted(task, status, task, status));
        return Resource.kept(LogicalCluster.DEFAULT, () -> {
            read.add(task);
            return json;
        });
    }

    @Test
    void readsAgainOnlyWhatHasChanged() {
        var first = run("first", "True");
        var before = Children.of(List.of(first, run("second", "Unknown")));
        read.clear();

        var now = Children.of(List.of(first, run("second", "True"), run("third", "Unknown")), before);

        assertThat(now.of("first")).extracting(ChildRun::name).containsExactly("run-first");
        assertThat(now.state("first")).isEqualTo(RunState.SUCCEEDED);
        assertThat(now.state("second")).isEqualTo(RunState.SUCCEEDED);
        assertThat(now.state("third")).isEqualTo(RunState.RUNNING);
        assertThat(now.continues(before)).isTrue();
        assertThat(read).isNotEmpty().doesNotContain("first");
    }
}
