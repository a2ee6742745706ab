package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.PipelineRunSpec;
import dev.towtank.controllers.pipelines.api.PipelineTask;
import dev.towtank.controllers.pipelines.api.WorkspaceBinding;
import dev.towtank.controllers.pipelines.api.WorkspaceDeclaration;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Checks of what only v1beta1 has: fields that are no more, and two ways to say a timeout.
final class BetaChecks {

    private BetaChecks() {}

    static Problems of(Json.Obj object, boolean isNew) {
        var spec = object.object("spec");
        var problems = Problems.none().add(resources(spec));
        switch (object.string("kind")) {
            case "Pipeline" -> problems.add(tasks(spec, isNew));
            case "TaskRun" -> {
                problems.add(resources(spec.object("taskSpec")).via("taskSpec"));
                problems.add(bundle(spec, "taskRef", isNew));
            }
            case "PipelineRun" -> {
                var pipeline = spec.object("pipelineSpec");
                problems.add(Problems.none()
                        .add(resources(pipeline))
                        .add(tasks(pipeline, isNew))
                        .via("pipelineSpec"));
                problems.add(bundle(spec, "pipelineRef", isNew));
                problems.add(timeout(spec));
            }
            default -> {}
        }
        return problems.via("spec");
    }

    private static Problems resources(Json.Obj spec) {
        return spec.has("resources") ? Problems.disallowed("resources") : Problems.none();
    }

    private static Problems bundle(Json.Obj parent, String field, boolean isNew) {
        boolean isUsed = isNew && !parent.string(field, "bundle").isEmpty();
        return isUsed ? Problems.disallowed(field + ".bundle") : Problems.none();
    }

    private static Problems tasks(Json.Obj pipeline, boolean isNew) {
        var problems = Problems.none();
        for (var list : List.of("tasks", "finally")) {
            var tasks = pipeline.objects(list);
            for (int i = 0; i < tasks.size(); i++) {
                var task = tasks.get(i);
                problems.add(Problems.none()
                        .add(resources(task))
                        .add(resources(task.object("taskSpec")).via("taskSpec"))
                        .add(bundle(task, "taskRef", isNew))
                        .viaFieldIndex(list, i));
            }
        }
        return problems;
    }

    private static Problems timeout(Json.Obj spec) {
        var problems = Problems.none();
        if (spec.get("timeout") instanceof Json.Str(var text) && parsed(text).isNegative()) {
            problems.add(Problems.invalid(Durations.format(parsed(text)) + " should be >= 0", "timeout"));
        }
        return spec.has("timeout") && spec.has("timeouts")
                ? problems.add(Problems.disallowed("timeout", "timeouts"))
                : problems;
    }

    private static Duration parsed(String text) {
        try {
            return Durations.parse(text);
        } catch (Durations.Malformed e) {
            return Duration.ZERO;
        }
    }

    /// In v1beta1 a run is told at once when its embedded tasks want workspaces that nobody gives.
    static Problems propagatedWorkspaces(PipelineRunSpec spec) {
        var problems = Problems.none();
        spec.pipelineSpec().ifPresent(pipeline -> {
            var names = new HashSet<String>();
            Stream.concat(
                            spec.workspaces().stream().map(WorkspaceBinding::name),
                            pipeline.workspaces().stream().map(WorkspaceDeclaration::name))
                    .forEach(names::add);
            problems.add(workspaces(pipeline.tasks(), names)).add(workspaces(pipeline.finals(), names));
        });
        return problems;
    }

    private static Problems workspaces(List<PipelineTask> tasks, Set<String> names) {
        var problems = Problems.none();
        for (int i = 0; i < tasks.size(); i++) {
            tasks.get(i).workspaces().forEach(workspace -> names.add(workspace.name()));
            problems.add(PipelineChecks.workspaceUsage(tasks.get(i), names).viaIndex(i));
        }
        return problems;
    }
}
