package dev.towtank.controllers.pipelines;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.pods.ContainerProgram;
import dev.towtank.controllers.pipelines.entrypoint.TektonEntrypoint;
import dev.towtank.controllers.pipelines.pipelineruns.PipelineRunController;
import dev.towtank.controllers.pipelines.taskruns.Images;
import dev.towtank.controllers.pipelines.taskruns.TaskRunController;
import java.util.List;

/// Tekton Pipelines.
public final class PipelinesFeature implements Feature {

    private final Images images;
    private final ImageCommands commands;

    /// @param images of Tekton's own containers
    /// @param commands what images run, for steps that do not say
    public PipelinesFeature(Images images, ImageCommands commands) {
        this.images = images;
        this.commands = commands;
    }

    @Override
    public String name() {
        return "pipelines";
    }

    /// What our node runs in the place of Tekton's own images.
    public ContainerProgram program() {
        return new TektonEntrypoint(images.nop());
    }

    @Override
    public List<Controller<?, ?>> controllers(Caches caches) {
        return List.of(TaskRunController.of(caches, images, commands), PipelineRunController.of(caches));
    }
}
