package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.controllers.pipelines.api.PipelineTask;
import dev.towtank.controllers.pipelines.runs.Fetched;
import dev.towtank.controllers.pipelines.substitution.ResultReference;
import dev.towtank.model.Json;
import java.util.List;
import java.util.Optional;

/// A task of a pipeline, params in place, results not yet.
///
/// @param references the results it waits for
/// @param definition the Task or Pipeline that it names, where that is known before it starts
record PlannedTask(
        Json.Obj json,
        PipelineTask value,
        boolean isFinally,
        List<ResultReference> references,
        Optional<Fetched.Found> definition) {

    String name() {
        return value.name();
    }

    /// The results that its task declares; nothing is known of custom tasks.
    Optional<List<String>> declaredResults() {
        if (value.isCustom()) {
            return Optional.empty();
        }
        var spec = value.taskSpec().isPresent()
                ? json.object("taskSpec")
                : definition.map(Fetched.Found::spec).orElse(Json.Obj.EMPTY);
        if (value.isChildPipeline() && value.pipelineSpec().isPresent()) {
            spec = json.object("pipelineSpec");
        }
        return Optional.of(spec.objects("results").stream()
                .map(result -> result.string("name"))
                .toList());
    }
}
