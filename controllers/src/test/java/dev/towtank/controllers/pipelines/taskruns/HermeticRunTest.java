package dev.towtank.controllers.pipelines.taskruns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.model.Json;
import dev.towtank.model.kinds.core.ConfigMaps;
import org.junit.jupiter.api.Test;

class HermeticRunTest {

    private final TaskRunWorld world = new TaskRunWorld();

    /// The last of a name counts, so a step that names them itself changes nothing.
    @Test
    void takesTheNetworkFromTheStepsOfAHermeticRunAlone() {
        world.given(ConfigMaps.KIND, """
                metadata: {name: feature-flags, namespace: tekton-pipelines}
                data: {enable-api-fields: alpha}
                """);
        world.given(PipelineKinds.TASK_RUN, """
                metadata: {name: t, annotations: {experimental.tekton.dev/execution-mode: hermetic}}
                spec:
                  taskSpec:
                    steps:
                    - name: one
                      image: bash
                      script: "true"
                      env: [{name: TOWTANK_NETWORK, value: machine}, {name: TEKTON_HERMETIC, value: "0"}]
                    sidecars: [{name: beside, image: bash, script: "true"}]
                """);
        world.settle("t");

        var containers = world.pod("t-pod").spec().objects("containers");

        var variables = containers.getFirst().objects("env");
        assertThat(variables.subList(variables.size() - 2, variables.size()))
                .containsExactly(
                        Json.Obj.of("name", Json.of("TEKTON_HERMETIC"), "value", Json.of("1")),
                        Json.Obj.of("name", Json.of("TOWTANK_NETWORK"), "value", Json.of("none")));
        assertThat(containers.getLast().objects("env")).isEmpty();
    }
}
