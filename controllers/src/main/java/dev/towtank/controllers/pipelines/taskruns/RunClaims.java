package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.model.Resource;
import java.util.List;

/// The claims that the workspaces of a run, of a task or of a pipeline, are made of.
public final class RunClaims {

    private RunClaims() {}

    public static List<Resource> of(Resource run) {
        return TaskWorkspaces.claims(run.spec().objects("workspaces"), run);
    }
}
