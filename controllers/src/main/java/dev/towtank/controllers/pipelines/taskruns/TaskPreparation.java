package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.cluster.Plan;
import dev.towtank.controllers.pipelines.api.Ref;
import dev.towtank.controllers.pipelines.api.TaskRun;
import dev.towtank.controllers.pipelines.api.TaskRunSpec;
import dev.towtank.controllers.pipelines.api.TaskSpec;
import dev.towtank.controllers.pipelines.api.WorkspaceBinding;
import dev.towtank.controllers.pipelines.api.WorkspaceDeclaration;
import dev.towtank.controllers.pipelines.runs.Fetched;
import dev.towtank.controllers.pipelines.runs.ParamChecks;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.controllers.pipelines.runs.RunStatus.Outcome;
import dev.towtank.controllers.pipelines.substitution.Growth;
import dev.towtank.controllers.pipelines.substitution.Replacements;
import dev.towtank.controllers.pipelines.substitution.TaskSubstitution;
import dev.towtank.controllers.pipelines.substitution.TaskVariables;
import dev.towtank.model.Json;
import dev.towtank.model.Quantity;
import dev.towtank.model.Records;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Finds out what a run is to do, and whether it can.
record TaskPreparation(Resource run, TaskRun value, TaskRunFacts facts) {

    static final String CREDENTIALS = "/tekton/creds";

    sealed interface Result {

        /// @param spec all variables replaced
        /// @param mounted the same with its workspaces mounted
        /// @param bindings the run's workspaces, claims in the place of templates
        record Ready(
                String taskName,
                Json.Obj spec,
                Json.Obj mounted,
                Replacements params,
                List<Json.Obj> bindings,
                Found found)
                implements Result {}

        record Waiting(Outcome outcome, Plan ask) implements Result {}

        /// @param known the task, where it was found
        record Failed(Outcome outcome, Optional<Known> known) implements Result {}
    }

    /// A task as far as it is known: also of a run that cannot begin, people want to see what it was to do.
    record Known(String taskName, Json.Obj spec, Found found) {}

    /// @param task where the definition came from; empty when the run has it in itself
    /// @param stepSources of the steps that are step actions, by the name of the step
    record Found(Optional<Fetched.Found> task, Map<String, Json.Obj> stepSources) {}

    private static Result failed(String reason, String message) {
        return new Result.Failed(Outcome.failed(reason, message), Optional.empty());
    }

    private static Result knowing(Result result, Known known) {
        return result instanceof Result.Failed(var outcome, var _)
                ? new Result.Failed(outcome, Optional.of(known))
                : result;
    }

    private static Result invalid(String message) {
        return failed("TaskRunValidationFailed", RunStatus.USER_ERROR + message);
    }

    Result prepare() {
        try {
            return find();
        } catch (Growth.TooLong e) {
            return tooLong(e);
        }
    }

    static Result.Failed tooLong(Growth.TooLong problem) {
        return new Result.Failed(
                Outcome.failed("TaskRunValidationFailed", RunStatus.USER_ERROR + problem.text()), Optional.empty());
    }

    private Result find() {
        var known = value.status().taskSpec();
        if (value.spec().taskSpec().isPresent()) {
            var embedded = run.spec().object("taskSpec");
            return withStepActions(run.name(), embedded, Optional.empty());
        }
        var reference = value.spec().taskRef().orElse(new Ref("", "", "", "", List.of()));
        if (known.isPresent()) {
            return withStepActions(taskName(reference), known.get(), Optional.empty());
        }
        if (reference.name().isEmpty() && !reference.isRemote()) {
            return failed("TaskRunResolutionFailed", "taskRun " + run.name() + " not providing TaskRef or TaskSpec");
        }
        return switch (facts.world().task(resolved(reference))) {
            case Fetched.Found found -> withStepActions(found.name(), found.spec(), Optional.of(found));
            case Fetched.Requested(var ask) ->
                new Result.Waiting(
                        Outcome.running(
                                "ResolvingTaskRef",
                                "TaskRun %s/%s awaiting remote resource".formatted(run.namespace(), run.name())),
                        ask);
            case Fetched.Missing(var message) ->
                failed(
                        "TaskRunResolutionFailed",
                        reference.isRemote()
                                ? message
                                : "error when listing tasks for taskRun " + run.name() + ": " + message);
        };
    }

    private String taskName(Ref reference) {
        var label = run.labels().getOrDefault("tekton.dev/task", "");
        return label.isEmpty() ? reference.name() : label;
    }

    /// With the run's params in the params of the reference.
    private Ref resolved(Ref reference) {
        if (!reference.isRemote()) {
            return reference;
        }
        var variables = TaskVariables.params(List.of(), value.spec().params()).and(context(""));
        var params = reference.params().stream()
                .map(param ->
                        dev.towtank.controllers.pipelines.api.Param.of(param.name(), variables.apply(param.value())))
                .toList();
        return new Ref(
                variables.apply(reference.name()),
                reference.kind(),
                reference.apiVersion(),
                reference.resolver(),
                params);
    }

    private Replacements context(String taskName) {
        return TaskVariables.context(
                taskName,
                run.name(),
                run.namespace(),
                run.uid(),
                value.status().retriesStatus().size());
    }

    private Result withStepActions(String name, Json.Obj spec, Optional<Fetched.Found> source) {
        var steps = spec.array("steps");
        if (steps.objects().stream().noneMatch(step -> step.has("ref"))) {
            return checked(new Known(name, spec, new Found(source, Map.of())));
        }
        var resolved = new ArrayList<Json>();
        var sources = new LinkedHashMap<String, Json.Obj>();
        var actions = new StepActions(spec, value.spec().params(), new Growth());
        for (int i = 0; i < steps.size(); i++) {
            if (!(steps.get(i) instanceof Json.Obj step) || !step.has("ref")) {
                resolved.add(steps.get(i));
                continue;
            }
            switch (actions.resolve(step, facts.world()::stepAction)) {
                case StepActions.Result.Resolved(var complete, var from) -> {
                    resolved.add(complete);
                    var container = TaskSubstitution.stepName(step, i);
                    from.ifPresent(origin -> sources.put(container.substring("step-".length()), origin));
                }
                case StepActions.Result.Waiting(var ask) -> {
                    return new Result.Waiting(
                            Outcome.running(
                                    "ResolvingStepActionRef",
                                    "TaskRun %s/%s awaiting remote StepAction".formatted(run.namespace(), run.name())),
                            ask);
                }
                case StepActions.Result.Failed(var message) -> {
                    var result = failed(
                            "TaskRunResolutionFailed",
                            "failed to resolve step ref for step \"%s\" (index %d): %s"
                                    .formatted(step.string("name"), i, message));
                    return knowing(result, new Known(name, spec, new Found(source, Map.of())));
                }
            }
        }
        return checked(new Known(name, spec.with("steps", new Json.Arr(resolved)), new Found(source, sources)));
    }

    private Result checked(Known known) {
        return knowing(checked(known.taskName(), known.spec(), known.found()), known);
    }

    private Result checked(String name, Json.Obj spec, Found found) {
        var task = Records.read(TaskSpec.class, spec);
        var requests = requestProblem(spec);
        if (requests.isPresent()) {
            return invalid(requests.get());
        }
        var checks = new ParamChecks(task.params(), value.spec().params());
        var params = checks.taskProblem(name);
        if (params.isPresent()) {
            return invalid(params.get());
        }
        var enums = facts.settings().flags().enableParamEnum() ? checks.enumProblem() : Optional.<String>empty();
        if (enums.isPresent()) {
            return failed("InvalidParamValue", RunStatus.USER_ERROR + enums.get());
        }
        var index = checks.indexProblem(spec);
        if (index.isPresent()) {
            return invalid(index.get());
        }
        return bound(name, spec, task, found);
    }

    private Result bound(String name, Json.Obj spec, TaskSpec task, Found found) {
        var given = withDefaultWorkspaces(task);
        var bindings = read(given);
        var problem = TaskWorkspaces.problem(
                        task,
                        bindings,
                        value.spec().taskSpec().isPresent(),
                        facts.settings().schedulesByWorkspace())
                .or(() -> unknownOverrides(task));
        if (problem.isPresent()) {
            return invalid(problem.get());
        }
        return ready(name, spec, task, TaskWorkspaces.withClaims(given, run.uid()), found);
    }

    private static List<WorkspaceBinding> read(Json.Arr bindings) {
        return bindings.objects().stream()
                .map(binding -> Records.read(WorkspaceBinding.class, binding))
                .toList();
    }

    private Json.Arr withDefaultWorkspaces(TaskSpec task) {
        var given = run.spec().array("workspaces");
        var usual = facts.settings().defaultWorkspace();
        if (usual.isEmpty()) {
            return given;
        }
        var names =
                given.objects().stream().map(binding -> binding.string("name")).collect(Collectors.toSet());
        var all = given;
        for (var declaration : task.workspaces()) {
            if (!declaration.optional() && !names.contains(declaration.name())) {
                all = all.plus(usual.get().with("name", Json.of(declaration.name())));
            }
        }
        return all;
    }

    private Optional<String> unknownOverrides(TaskSpec task) {
        var steps = task.steps().stream().map(step -> step.name()).collect(Collectors.toSet());
        var sidecars = task.sidecars().stream().map(sidecar -> sidecar.name()).collect(Collectors.toSet());
        var problems = new ArrayList<String>();
        value.spec().stepSpecs().stream()
                .map(TaskRunSpec.ContainerResources::name)
                .filter(name -> !steps.contains(name))
                .forEach(name -> problems.add("invalid StepOverride: No Step named " + name));
        value.spec().sidecarSpecs().stream()
                .map(TaskRunSpec.ContainerResources::name)
                .filter(name -> !sidecars.contains(name))
                .forEach(name -> problems.add("invalid SidecarOverride: No Sidecar named " + name));
        return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", problems));
    }

    private static Optional<String> requestProblem(Json.Obj spec) {
        for (var step : spec.objects("steps")) {
            for (var request : step.object("computeResources", "requests")) {
                var limit = step.object("computeResources", "limits").get(request.getKey());
                if (limit == null) {
                    limit = spec.object("stepTemplate", "computeResources", "limits")
                            .get(request.getKey());
                }
                if (limit != null
                        && Quantity.parse(limit.display())
                                        .compareTo(Quantity.parse(
                                                request.getValue().display()))
                                < 0) {
                    return Optional.of("invalid request resource value: %s must be less or equal to limit %s"
                            .formatted(request.getValue().display(), limit.display()));
                }
            }
        }
        return Optional.empty();
    }

    private Result ready(String name, Json.Obj spec, TaskSpec task, Json.Arr given, Found found) {
        var params = TaskVariables.params(task.params(), value.spec().params());
        var bindings = TaskSubstitution.applyToWorkspaceBindings(given, params).objects();
        var volumes = TaskWorkspaces.volumes(bindings);
        var declarations = declarations(task, bindings);
        // One after the other: the value or default of a param may name what only the run knows.
        var replaced = TaskSubstitution.apply(TaskSubstitution.apply(spec, params), context(name));
        replaced = withWorkspaces(TaskSubstitution.applyPaths(replaced, CREDENTIALS), declarations);
        var workspaces = TaskVariables.workspaces(
                declarations, read(new Json.Arr(List.copyOf(bindings))), TaskWorkspaces.volumeNames(volumes));
        replaced = TaskSubstitution.applyWorkspaces(replaced, declarations, workspaces);
        var mounted = TaskWorkspaces.mounted(replaced, bindings, volumes);
        return new Result.Ready(name, replaced, mounted, params, bindings, found);
    }

    private static Json.Obj withWorkspaces(Json.Obj spec, List<WorkspaceDeclaration> declarations) {
        var all = spec.array("workspaces");
        for (var declaration : declarations.subList(all.size(), declarations.size())) {
            all = all.plus(Json.Obj.of("name", Json.of(declaration.name())));
        }
        return all.size() == 0 ? spec : spec.with("workspaces", all);
    }

    /// What the task declares, and what the run binds besides: embedded tasks see it without declaring it.
    private static List<WorkspaceDeclaration> declarations(TaskSpec task, List<Json.Obj> bindings) {
        var all = new ArrayList<>(task.workspaces());
        var names = all.stream().map(WorkspaceDeclaration::name).collect(Collectors.toSet());
        bindings.stream()
                .map(binding -> binding.string("name"))
                .filter(name -> !names.contains(name))
                .forEach(name -> all.add(new WorkspaceDeclaration(name, "", "", false, false)));
        return all;
    }
}
