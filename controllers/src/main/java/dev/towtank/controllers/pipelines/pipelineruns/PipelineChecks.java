package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.controllers.pipelines.api.PipelineSpec;
import dev.towtank.controllers.pipelines.api.WorkspaceDeclaration;
import dev.towtank.controllers.pipelines.runs.Fetched;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.controllers.pipelines.runs.RunStatus.Outcome;
import dev.towtank.controllers.pipelines.substitution.ResultReference;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// What must hold before the first task of a run starts: references to results and workspaces lead somewhere.
record PipelineChecks(Resource run, PipelineSpec spec, Map<String, PlannedTask> tasks) {

    Optional<Outcome> problem() {
        return taskResults().or(this::pipelineResults).or(this::workspaces);
    }

    private Optional<Outcome> taskResults() {
        for (var task : tasks.values()) {
            for (var reference : task.references()) {
                var problem = problem(reference);
                if (problem.isPresent()) {
                    return Optional.of(Outcome.failed(
                            "InvalidTaskResultReference",
                            "invalid result reference in pipeline task \"%s\": %s"
                                    .formatted(task.name(), problem.get())));
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Outcome> pipelineResults() {
        for (var result : spec.results()) {
            for (var name : ResultReference.in(result.value())) {
                var problem = ResultReference.parse(name).flatMap(this::problem);
                if (problem.isPresent()) {
                    return Optional.of(Outcome.failed(
                            "InvalidPipelineResultReference",
                            "Failed to resolve pipeline result reference for \"%s\" with error invalid pipeline result \"%s\": %s"
                                    .formatted(run.name(), result.name(), problem.get())));
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> problem(ResultReference reference) {
        var task = tasks.get(reference.task());
        if (task == null) {
            return Optional.of("referenced pipeline task \"%s\" does not exist".formatted(reference.task()));
        }
        if (task.value().taskRef().isPresent() && task.definition().isEmpty()) {
            return Optional.empty(); // which task it is will be known later
        }
        return task.declaredResults()
                .filter(results -> !results.contains(reference.result()))
                .map(_ -> "\"%s\" is not a named result returned by pipeline task \"%s\""
                        .formatted(reference.result(), reference.task()));
    }

    private Optional<Outcome> workspaces() {
        var optional = spec.workspaces().stream()
                .filter(WorkspaceDeclaration::optional)
                .map(WorkspaceDeclaration::name)
                .collect(Collectors.toSet());
        for (var task : tasks.values()) {
            var definition = task.value().taskSpec().isPresent()
                    ? task.json().object("taskSpec")
                    : task.definition().map(Fetched.Found::spec).orElse(Json.Obj.EMPTY);
            for (var binding : task.value().workspaces()) {
                var required = definition.objects("workspaces").stream()
                        .anyMatch(each -> each.string("name").equals(binding.name()) && !each.flag("optional"));
                if (optional.contains(binding.workspace()) && required) {
                    return Optional.of(Outcome.failed(
                            "RequiredWorkspaceMarkedOptional",
                            RunStatus.USER_ERROR
                                    + "Optional workspace not supported by task: pipeline workspace \"%s\" is marked optional but pipeline task \"%s\" requires it be provided"
                                            .formatted(binding.workspace(), task.name())));
                }
            }
        }
        return Optional.empty();
    }
}
