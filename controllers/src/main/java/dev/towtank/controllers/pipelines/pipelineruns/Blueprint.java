package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.controllers.pipelines.api.PipelineSpec;
import dev.towtank.controllers.pipelines.graph.Graph;
import dev.towtank.controllers.pipelines.runs.Fetched;
import dev.towtank.model.Json;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a run is to do.
///
/// @param source the Pipeline that the run names; empty where the run has it in itself or began with it before
/// @param json of the pipeline, params, context and workspaces in place
/// @param tasks by name, in the order of their declaration, those of `finally` last
record Blueprint(
        String pipelineName,
        Optional<Fetched.Found> source,
        Json.Obj json,
        PipelineSpec spec,
        Map<String, PlannedTask> tasks,
        Graph graph) {

    /// Made anew, it is another: comparing what it is made of would cost more than making it.
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    PlannedTask task(String name) {
        var task = tasks.get(name);
        if (task == null) {
            throw new IllegalArgumentException("no task " + name);
        }
        return task;
    }
}
