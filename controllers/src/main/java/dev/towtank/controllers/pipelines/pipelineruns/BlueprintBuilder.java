package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.cluster.Plan;
import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.ParamSpec;
import dev.towtank.controllers.pipelines.api.PipelineRun;
import dev.towtank.controllers.pipelines.api.PipelineRunSpec;
import dev.towtank.controllers.pipelines.api.PipelineSpec;
import dev.towtank.controllers.pipelines.api.PipelineTask;
import dev.towtank.controllers.pipelines.api.Ref;
import dev.towtank.controllers.pipelines.api.WorkspaceBinding;
import dev.towtank.controllers.pipelines.graph.Graph;
import dev.towtank.controllers.pipelines.graph.InvalidGraph;
import dev.towtank.controllers.pipelines.runs.ChildNames;
import dev.towtank.controllers.pipelines.runs.Fetched;
import dev.towtank.controllers.pipelines.runs.ParamChecks;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.controllers.pipelines.runs.RunStatus.Outcome;
import dev.towtank.controllers.pipelines.substitution.PipelineSubstitution;
import dev.towtank.controllers.pipelines.substitution.PipelineVariables;
import dev.towtank.controllers.pipelines.substitution.Replacements;
import dev.towtank.controllers.pipelines.substitution.ResultReference;
import dev.towtank.model.Json;
import dev.towtank.model.Records;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Finds out what a run is to do, and whether it can.
record BlueprintBuilder(Resource run, PipelineRun value, PipelineRunFacts facts) {

    sealed interface Result {
        record Ready(Blueprint blueprint) implements Result {}

        record Waiting(Outcome outcome, Plan ask) implements Result {}

        /// @param definition the pipeline, where it was found
        record Failed(Outcome outcome, Optional<Definition> definition) implements Result {}
    }

    /// Where a definition says that it cannot be had, or not yet.
    private static final class Stop extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Result result;

        Stop(Result result) {
            super(null, null, false, false);
            this.result = result;
        }

        Stop knowing(Definition definition) {
            return result instanceof Result.Failed(var outcome, var _)
                    ? new Stop(new Result.Failed(outcome, Optional.of(definition)))
                    : this;
        }
    }

    private static Stop failed(Outcome outcome) {
        return new Stop(new Result.Failed(outcome, Optional.empty()));
    }

    private static Stop failed(String reason, String message) {
        return failed(Outcome.failed(reason, message));
    }

    private static Stop mistaken(String reason, String message) {
        return failed(reason, RunStatus.USER_ERROR + message);
    }

    private Stop invalid(String pipeline, String problem) {
        return mistaken(
                "PipelineValidationFailed",
                "Pipeline %s/%s can't be Run; it has an invalid spec: %s"
                        .formatted(run.namespace(), pipeline, problem));
    }

    Result build() {
        try {
            return new Result.Ready(make());
        } catch (Stop e) {
            return e.result;
        }
    }

    private Blueprint make() {
        var pinned = value.status().pipelineSpec();
        if (value.spec().pipelineSpec().isPresent()) {
            return complete(run.name(), run.spec().object("pipelineSpec"), Optional.empty());
        }
        if (pinned.isPresent()) {
            var name = run.labels().getOrDefault("tekton.dev/pipeline", "");
            return complete(name, pinned.get(), Optional.empty());
        }
        var found = pipeline(value.spec().pipelineRef().orElse(new Ref("", "", "", "", List.of())));
        return complete(found.name(), found.spec(), Optional.of(found));
    }

    private Fetched.Found pipeline(Ref reference) {
        if (reference.name().isEmpty() && !reference.isRemote()) {
            throw couldNotGet("pipelineRun " + run.name() + " not providing PipelineRef or PipelineSpec");
        }
        return switch (facts.world().pipeline(resolved(reference))) {
            case Fetched.Found found -> found;
            case Fetched.Requested(var ask) -> throw new Stop(new Result.Waiting(waiting("ResolvingPipelineRef"), ask));
            case Fetched.Missing(var message) ->
                throw couldNotGet(
                        reference.isRemote()
                                ? "resolver failed to get Pipeline : " + message
                                : "error when getting Pipeline for PipelineRun %s: tekton client cannot get pipeline %s from local cluster: %s"
                                        .formatted(run.name(), reference.name(), message));
        };
    }

    private Outcome waiting(String reason) {
        return Outcome.running(
                reason, "PipelineRun %s/%s awaiting remote resource".formatted(run.namespace(), run.name()));
    }

    private Stop couldNotGet(String message) {
        return failed(
                "CouldntGetPipeline",
                "Error retrieving pipeline for pipelinerun %s/%s: %s".formatted(run.namespace(), run.name(), message));
    }

    private Ref resolved(Ref reference) {
        if (!reference.isRemote()) {
            return reference;
        }
        var variables = PipelineVariables.givenParams(value.spec().params())
                .and(PipelineVariables.context("", run.name(), run.namespace(), run.uid()));
        var params = reference.params().stream()
                .map(param -> Param.of(param.name(), variables.apply(param.value())))
                .toList();
        return new Ref(
                variables.apply(reference.name()),
                reference.kind(),
                reference.apiVersion(),
                reference.resolver(),
                params);
    }

    private Blueprint complete(String name, Json.Obj definition, Optional<Fetched.Found> source) {
        var known = new Definition(name, source, definition);
        try {
            var declared = Records.read(PipelineSpec.class, definition);
            var graph = graph(declared);
            checkParams(name, definition, declared.params());
            checkBindings(name, declared);
            known = new Definition(name, source, replaced(name, definition, declared));
            return planned(known, graph);
        } catch (Stop e) {
            throw e.knowing(known);
        }
    }

    private Blueprint planned(Definition definition, Graph graph) {
        var spec = Records.read(PipelineSpec.class, definition.json());
        var tasks = tasks(definition.pipelineName(), definition.json(), spec);
        if (facts.children().isEmpty()) {
            new PipelineChecks(run, spec, tasks).problem().ifPresent(outcome -> {
                throw failed(outcome);
            });
        }
        return new Blueprint(definition, spec, tasks, graph);
    }

    private Graph graph(PipelineSpec spec) {
        try {
            return Graph.of(nodes(spec.tasks(), true), nodes(spec.finals(), false));
        } catch (InvalidGraph e) {
            throw mistaken(
                    "PipelineInvalidGraph",
                    "PipelineRun %s/%s's Pipeline DAG is invalid: %s".formatted(run.namespace(), run.name(), e.text()));
        }
    }

    private static List<Graph.Node> nodes(List<PipelineTask> tasks, boolean withParents) {
        return tasks.stream()
                .map(task -> {
                    var parents = new LinkedHashSet<String>();
                    if (withParents) {
                        parents.addAll(task.runAfter());
                        ResultReference.of(task).forEach(reference -> parents.add(reference.task()));
                    }
                    return new Graph.Node(task.name(), parents, task.continuesOnError());
                })
                .toList();
    }

    private void checkParams(String name, Json.Obj definition, List<ParamSpec> declared) {
        var checks = new ParamChecks(declared, value.spec().params());
        var where = "%s/%s".formatted(run.namespace(), run.name());
        var pipeline = "%s/%s".formatted(run.namespace(), name);
        if (!checks.missing().isEmpty()) {
            throw mistaken(
                    "ParameterMissing",
                    "PipelineRun %s is missing some parameters required by Pipeline %s: pipelineRun missing parameters: %s"
                            .formatted(where, pipeline, ParamChecks.goList(checks.missing())));
        }
        var wrong = inconsistent(declared);
        if (!wrong.isEmpty()) {
            throw mistaken(
                    "ParameterTypeMismatch",
                    "PipelineRun %s parameters have mismatching types with Pipeline %s's parameters: parameters have inconsistent types : %s"
                            .formatted(where, pipeline, ParamChecks.goList(wrong)));
        }
        var enums = facts.settings().flags().enableParamEnum() ? checks.enumProblem() : Optional.<String>empty();
        if (enums.isPresent()) {
            throw mistaken(
                    "InvalidParamValue",
                    "PipelineRun %s parameters have invalid value: %s".formatted(where, enums.get()));
        }
        if (!checks.missingKeys().isEmpty()) {
            throw mistaken(
                    "ObjectParameterMissKeys",
                    "PipelineRun %s parameters is missing object keys required by Pipeline %s's parameters: pipelineRun missing object keys for parameters: %s"
                            .formatted(where, pipeline, ParamChecks.goMap(checks.missingKeys())));
        }
        checks.indexProblem(definition).ifPresent(problem -> {
            throw mistaken(
                    "ParamArrayIndexingInvalid",
                    "PipelineRun %s failed validation: failed to validate Pipeline %s's parameter which has an invalid index while referring to an array: %s"
                            .formatted(where, pipeline, problem));
        });
    }

    private List<String> inconsistent(List<ParamSpec> declared) {
        var types = new LinkedHashMap<String, String>();
        declared.forEach(spec -> types.put(spec.name(), spec.effectiveType()));
        return value.spec().params().stream()
                .filter(param ->
                        types.containsKey(param.name()) && !param.value().type().equals(types.get(param.name())))
                .map(Param::name)
                .toList();
    }

    private void checkBindings(String name, PipelineSpec declared) {
        var bound =
                value.spec().workspaces().stream().map(WorkspaceBinding::name).collect(Collectors.toSet());
        declared.workspaces().stream()
                .filter(workspace -> !workspace.optional() && !bound.contains(workspace.name()))
                .findFirst()
                .ifPresent(workspace -> {
                    throw mistaken(
                            "InvalidWorkspaceBindings",
                            "PipelineRun %s/%s doesn't bind Pipeline %s/%s's Workspaces correctly: pipeline requires workspace with name \"%s\" be provided by pipelinerun"
                                    .formatted(run.namespace(), run.name(), run.namespace(), name, workspace.name()));
                });
        var names = Stream.concat(declared.tasks().stream(), declared.finals().stream())
                .map(PipelineTask::name)
                .collect(Collectors.toSet());
        value.spec().taskRunSpecs().stream()
                .map(PipelineRunSpec.TaskOverride::pipelineTaskName)
                .filter(task -> !names.contains(task))
                .findFirst()
                .ifPresent(task -> {
                    throw mistaken(
                            "InvalidTaskRunSpecs",
                            "PipelineRun %s/%s doesn't define taskRunSpecs correctly: pipelineRun's taskrunSpecs defined wrong taskName: \"%s\", does not exist in Pipeline"
                                    .formatted(run.namespace(), run.name(), task));
                });
    }

    /// One after the other: the value or default of a param may name what only the run knows.
    private Json.Obj replaced(String name, Json.Obj definition, PipelineSpec declared) {
        var json = PipelineSubstitution.apply(definition, params(name, declared));
        json = PipelineSubstitution.apply(
                json, PipelineVariables.context(name, run.name(), run.namespace(), run.uid()));
        return PipelineSubstitution.apply(
                json,
                PipelineVariables.workspaces(declared.workspaces(), value.spec().workspaces()));
    }

    private Replacements params(String name, PipelineSpec declared) {
        return switch (PipelineVariables.params(declared.params(), value.spec().params())) {
            case PipelineVariables.Resolution.Resolved(var replacements) -> replacements;
            case PipelineVariables.Resolution.Failed(var message) ->
                throw mistaken(
                        "PipelineValidationFailed",
                        "Failed to apply parameters to Pipeline %s/%s: %s".formatted(run.namespace(), name, message));
        };
    }

    private Map<String, PlannedTask> tasks(String pipeline, Json.Obj json, PipelineSpec spec) {
        var tasks = new LinkedHashMap<String, PlannedTask>();
        for (int i = 0; i < spec.tasks().size(); i++) {
            plan(tasks, pipeline, json.objects("tasks").get(i), spec.tasks().get(i), false);
        }
        for (int i = 0; i < spec.finals().size(); i++) {
            plan(tasks, pipeline, json.objects("finally").get(i), spec.finals().get(i), true);
        }
        return tasks;
    }

    private void plan(
            Map<String, PlannedTask> tasks, String pipeline, Json.Obj json, PipelineTask task, boolean isFinally) {
        if (tasks.containsKey(task.name())) {
            throw invalid(pipeline, "duplicate task name " + task.name());
        }
        var planned = new PlannedTask(json, task, isFinally, ResultReference.of(task), definition(pipeline, task));
        checkTask(planned);
        tasks.put(task.name(), planned);
    }

    /// What the task names. Not of one that has run already: it may be gone by now. Nor where results decide its name.
    private Optional<Fetched.Found> definition(String pipeline, PipelineTask task) {
        var reference = task.taskRef().or(task::pipelineRef);
        if (reference.isEmpty()
                || task.isCustom()
                || !facts.children().of(task.name()).isEmpty()
                || Records.write(reference.get()).toString().contains("$(tasks.")) {
            return Optional.empty();
        }
        var name = ChildNames.of(run.name(), "-" + task.name());
        var fetched = task.taskRef().isPresent()
                ? facts.world().task(name, reference.get())
                : facts.world().childPipeline(name, reference.get());
        return switch (fetched) {
            case Fetched.Found found -> Optional.of(found);
            case Fetched.Requested(var ask) -> throw new Stop(new Result.Waiting(waiting("ResolvingTaskRef"), ask));
            case Fetched.Missing(var message) ->
                throw task.taskRef().isPresent()
                        ? failed(
                                "CouldntGetTask",
                                "Pipeline %s/%s can't be Run; it contains Tasks that don't exist: Couldn't retrieve Task \"%s\": %s"
                                        .formatted(
                                                run.namespace(),
                                                pipeline,
                                                reference.get().name(),
                                                message))
                        : failed(
                                "CouldntGetPipeline",
                                "Pipeline %s/%s can't be Run; it contains child Pipelines that don't exist: Couldn't retrieve Pipeline \"%s\": %s"
                                        .formatted(
                                                run.namespace(),
                                                pipeline,
                                                reference.get().name(),
                                                message));
        };
    }

    /// Params that a task needs and does not get.
    private void checkTask(PlannedTask task) {
        if (task.value().isCustom()
                || task.value().isChildPipeline()
                || !facts.children().of(task.name()).isEmpty()) {
            return;
        }
        var params = new ArrayList<>(task.value().params());
        var matrix = task.value().matrix();
        matrix.ifPresent(all -> {
            all.params().forEach(param -> params.add(Param.of(param.name(), "")));
            all.include().forEach(include -> params.addAll(include.params()));
        });
        var spec = task.value().taskSpec().isPresent()
                ? task.json().object("taskSpec")
                : task.definition().map(Fetched.Found::spec).orElse(Json.Obj.EMPTY);
        var declared = spec.objects("params").stream()
                .map(param -> Records.read(ParamSpec.class, param))
                .toList();
        new ParamChecks(declared, params)
                .taskProblem(task.definition().map(Fetched.Found::name).orElse(""))
                .ifPresent(problem -> {
                    throw mistaken(
                            "PipelineValidationFailed",
                            "Validation failed for pipelinerun %s with error %s".formatted(run.name(), problem));
                });
    }
}
