package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.ParamSpec;
import dev.towtank.controllers.pipelines.api.Pipeline;
import dev.towtank.controllers.pipelines.api.PipelineSpec;
import dev.towtank.controllers.pipelines.api.PipelineTask;
import dev.towtank.controllers.pipelines.api.WorkspaceDeclaration;
import dev.towtank.controllers.pipelines.substitution.ResultReference;
import dev.towtank.model.Records;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Checks of a pipeline.
final class PipelineChecks {

    private PipelineChecks() {}

    static Problems of(Pipeline pipeline, AllowedFeatures gate) {
        var spec = pipeline.spec();
        return Problems.none()
                .add(TaskChecks.metadata(pipeline.metadata()))
                .add(spec(spec, gate).via("spec"))
                .add(paramUsage(spec).via("spec"))
                .add(workspaceUsage(spec).via("spec"));
    }

    static Problems spec(PipelineSpec spec, AllowedFeatures gate) {
        var problems = Problems.none();
        if (Records.write(spec).isEmpty()) {
            problems.add(Problems.generic(
                    "expected at least one, got none", "description", "params", "resources", "tasks", "workspaces"));
        }
        var names = new HashSet<String>();
        return problems.add(betaFields(spec, gate))
                .add(tasks(spec.tasks(), names, gate, "tasks"))
                .add(tasks(spec.finals(), names, gate, "finally"))
                .add(graph(spec.tasks()))
                .add(params(spec.tasks(), spec.params(), gate).via("tasks"))
                .add(params(spec.finals(), spec.params(), gate).via("finally"))
                .add(context(spec.tasks()).via("tasks"))
                .add(context(spec.finals()).via("finally"))
                .add(VariableChecks.executionStatus(spec))
                .add(workspaces(spec.workspaces()))
                .add(PipelineResultChecks.of(spec))
                .add(finals(spec))
                .add(each(spec, task -> WhenChecks.of(task.when(), gate)))
                .add(artifacts(spec, gate))
                .add(MatrixChecks.of(spec.tasks(), gate).via("tasks"))
                .add(MatrixChecks.of(spec.finals(), gate).via("finally"))
                .add(each(spec, VariableChecks::prefixes));
    }

    private static Problems each(PipelineSpec spec, Function<PipelineTask, Problems> check) {
        return each(spec.tasks(), "tasks", check).add(each(spec.finals(), "finally", check));
    }

    static Problems each(List<PipelineTask> tasks, String field, Function<PipelineTask, Problems> check) {
        var problems = Problems.none();
        for (int i = 0; i < tasks.size(); i++) {
            problems.add(check.apply(tasks.get(i)).viaFieldIndex(field, i));
        }
        return problems;
    }

    // Final tasks are told as tasks here: so they are in Tekton.
    private static Problems betaFields(PipelineSpec spec, AllowedFeatures gate) {
        Function<PipelineTask, Problems> check = task -> {
            var problems = Problems.none();
            task.taskRef().ifPresent(ref -> {
                problems.add(ref.resolver().isEmpty() ? Problems.none() : gate.beta("taskref.resolver"));
                problems.add(ref.params().isEmpty() ? Problems.none() : gate.beta("taskref.params"));
            });
            return problems;
        };
        return each(spec.tasks(), "tasks", check).add(each(spec.finals(), gate.isBeta() ? "finally" : "tasks", check));
    }

    private static Problems tasks(List<PipelineTask> tasks, Set<String> names, AllowedFeatures gate, String field) {
        return each(
                tasks,
                field,
                task -> Problems.none()
                        .add(names.add(task.name()) ? Problems.none() : Problems.multipleOneOf("name"))
                        .add(PipelineTaskChecks.of(task, gate)));
    }

    private static Problems graph(List<PipelineTask> tasks) {
        return GraphCheck.complaint(tasks)
                .map(complaint -> Problems.invalid(complaint, "tasks"))
                .orElseGet(Problems::none);
    }

    /// Of the declared params, and of what the tasks are given.
    static Problems params(List<PipelineTask> tasks, List<ParamSpec> params, AllowedFeatures gate) {
        var problems = Problems.none()
                .add(ParamChecks.types(params).via("params"))
                .add(ParamChecks.unique(params))
                .add(ParamChecks.enums(params, gate).via("params"));
        for (int i = 0; i < tasks.size(); i++) {
            problems.add(ParamChecks.ofTask(tasks.get(i).params()).via("params").viaIndex(i));
        }
        return problems;
    }

    // Only the last task is looked at: so it is in Tekton.
    private static Problems context(List<PipelineTask> tasks) {
        var problems = Problems.none();
        if (tasks.isEmpty()) {
            return problems;
        }
        for (var param : ResultReference.paramsOf(tasks.getLast())) {
            for (var text : VariableChecks.texts(param.value())) {
                problems.add(Problems.none()
                        .add(Variables.unknown(text, "context\\.pipelineRun", Set.of("name", "namespace", "uid")))
                        .add(Variables.unknown(text, "context\\.pipeline", Set.of("name")))
                        .add(Variables.unknown(text, "context\\.pipelineTask", Set.of("retries")))
                        .via("value"));
            }
        }
        return problems;
    }

    private static Problems workspaces(List<WorkspaceDeclaration> workspaces) {
        var problems = Problems.none();
        var names = new HashSet<String>();
        for (int i = 0; i < workspaces.size(); i++) {
            var name = workspaces.get(i).name();
            problems.add(Problems.none()
                    .addIf(name.isEmpty(), "invalid value: workspace " + i + " has empty name", "")
                    .addIf(
                            !names.add(name),
                            "invalid value: workspace with name " + GoText.quote(name) + " appears more than once",
                            "")
                    .viaFieldIndex("workspaces", i));
        }
        return problems;
    }

    private static Problems finals(PipelineSpec spec) {
        var problems = Problems.none()
                .addIf(
                        !spec.finals().isEmpty() && spec.tasks().isEmpty(),
                        "invalid value: spec.tasks is empty but spec.finally has "
                                + spec.finals().size() + " tasks",
                        "finally");
        var names = names(spec.tasks());
        var finalNames = names(spec.finals());
        return problems.add(each(
                spec.finals(),
                "finally",
                task -> Problems.none()
                        .addIf(
                                !task.runAfter().isEmpty(),
                                "invalid value: no runAfter allowed under spec.finally, final task " + task.name()
                                        + " has runAfter specified",
                                "")
                        .add(VariableChecks.resultsInFinally(task, names, finalNames))));
    }

    static Set<String> names(List<PipelineTask> tasks) {
        return tasks.stream().map(PipelineTask::name).collect(Collectors.toSet());
    }

    private static Problems artifacts(PipelineSpec spec, AllowedFeatures gate) {
        if (gate.flags().enableArtifacts()) {
            return Problems.none();
        }
        var first = firstArtifact(spec.tasks(), "tasks");
        return first.isEmpty() ? firstArtifact(spec.finals(), "finally") : first;
    }

    private static Problems firstArtifact(List<PipelineTask> tasks, String field) {
        for (int i = 0; i < tasks.size(); i++) {
            boolean isUsed = tasks.get(i).params().stream()
                    .flatMap(param -> VariableChecks.texts(param.value()).stream())
                    .anyMatch(text -> StepChecks.TASK_ARTIFACT.matcher(text).find());
            if (isUsed) {
                return Problems.generic(
                                "feature flag enable-artifacts should be set to true to use artifacts feature.", "")
                        .via("params")
                        .viaFieldIndex(field, i);
            }
        }
        return Problems.none();
    }

    private static Problems paramUsage(PipelineSpec spec) {
        Function<PipelineTask, Problems> embedded = task -> task.taskSpec()
                .map(taskSpec -> {
                    var params = new ArrayList<>(taskSpec.params());
                    params.addAll(spec.params());
                    return ParamChecks.usage(params, StepUsage.ofAll(taskSpec.steps()));
                })
                .orElseGet(Problems::none);
        return each(spec.tasks(), "tasks", embedded)
                .add(each(spec.finals(), "finally", embedded))
                .add(VariableChecks.taskParams(spec.tasks(), spec.params()).via("tasks"))
                .add(VariableChecks.taskParams(spec.finals(), spec.params()).via("finally"));
    }

    private static Problems workspaceUsage(PipelineSpec spec) {
        var names = spec.workspaces().stream().map(WorkspaceDeclaration::name).collect(Collectors.toSet());
        return each(spec, task -> workspaceUsage(task, names));
    }

    static Problems workspaceUsage(PipelineTask task, Set<String> names) {
        var problems = Problems.none();
        var bound = new HashSet<String>();
        for (int i = 0; i < task.workspaces().size(); i++) {
            var workspace = task.workspaces().get(i);
            problems.add(Problems.none()
                    .addIf(
                            !bound.add(workspace.name()),
                            "workspace name " + GoText.quote(workspace.name()) + " must be unique",
                            "")
                    .addIf(
                            !names.contains(workspace.source()),
                            "invalid value: pipeline task " + GoText.quote(task.name())
                                    + " expects workspace with name " + GoText.quote(workspace.source())
                                    + " but none exists in pipeline spec",
                            "")
                    .viaFieldIndex("workspaces", i));
        }
        return problems;
    }
}
