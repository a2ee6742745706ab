package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.controllers.pipelines.api.PipelineSpec;
import dev.towtank.controllers.pipelines.graph.Graph;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a run is to do.
///
/// @param tasks by name, in the order of their declaration, those of `finally` last
record Blueprint(Definition definition, PipelineSpec spec, Map<String, PlannedTask> tasks, Graph graph) {

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
