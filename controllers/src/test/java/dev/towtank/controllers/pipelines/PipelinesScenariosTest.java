package dev.towtank.controllers.pipelines;

import dev.towtank.cluster.pods.ImageCommands;
import dev.towtank.cluster.testing.Scenario;
import dev.towtank.controllers.pipelines.pipelineruns.PipelineRunController;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.runs.PodLogs;
import dev.towtank.controllers.pipelines.taskruns.TaskRunController;
import dev.towtank.controllers.pipelines.taskruns.TektonImages;
import dev.towtank.model.Kind;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Pods;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PipelinesScenariosTest {

    private static final List<Kind<?>> KINDS = List.of(
            PipelineKinds.TASK_RUN,
            PipelineKinds.PIPELINE_RUN,
            PipelineKinds.CUSTOM_RUN,
            PipelineKinds.TASK,
            PipelineKinds.PIPELINE,
            Pods.KIND,
            ConfigMaps.KIND);

    static List<Scenario> taskRuns() {
        return Scenario.in("taskruns");
    }

    static List<Scenario> pipelineRuns() {
        return Scenario.in("pipelineruns");
    }

    @ParameterizedTest
    @MethodSource("taskRuns")
    void taskRunsBehaveAs(Scenario scenario) {
        scenario.check(
                caches -> TaskRunController.of(caches, TektonImages.OWN, ImageCommands.UNKNOWN, PodLogs.SILENT), KINDS);
    }

    @ParameterizedTest
    @MethodSource("pipelineRuns")
    void pipelineRunsBehaveAs(Scenario scenario) {
        scenario.check(PipelineRunController::of, KINDS);
    }
}
