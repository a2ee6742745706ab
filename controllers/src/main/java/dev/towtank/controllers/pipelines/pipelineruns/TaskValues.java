package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.controllers.pipelines.api.Artifacts;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.PipelineTask;
import dev.towtank.controllers.pipelines.graph.Progress;
import dev.towtank.controllers.pipelines.graph.RunState;
import dev.towtank.controllers.pipelines.graph.Schedule;
import dev.towtank.controllers.pipelines.graph.StartGate;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.controllers.pipelines.runs.RunStatus.Outcome;
import dev.towtank.controllers.pipelines.substitution.MatrixExpansion;
import dev.towtank.controllers.pipelines.substitution.PipelineSubstitution;
import dev.towtank.controllers.pipelines.substitution.Replacements;
import dev.towtank.controllers.pipelines.substitution.ResultReference;
import dev.towtank.controllers.pipelines.substitution.ResultVariables;
import dev.towtank.controllers.pipelines.substitution.VariableNames;
import dev.towtank.controllers.pipelines.substitution.WhenConditions;
import dev.towtank.model.Json;
import dev.towtank.model.Records;
import java.io.Serial;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/// What tasks get from those that ran before them, and whether that lets them start.
final class TaskValues {

    /// The run as a whole cannot go on.
    static final class Broken extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        private final transient Outcome outcome;

        Broken(Outcome outcome) {
            super(outcome.message(), null, false, false);
            this.outcome = outcome;
        }

        Outcome outcome() {
            return outcome;
        }
    }

    private final String namespace;
    private final String run;
    private final Blueprint blueprint;
    private final Children children;

    TaskValues(String namespace, String run, Blueprint blueprint, Children children) {
        this.namespace = namespace;
        this.run = run;
        this.blueprint = blueprint;
        this.children = children;
    }

    /// For the tasks of the graph.
    StartGate gate() {
        return name -> verdict(blueprint.task(name), Replacements.NONE);
    }

    /// For `finally` tasks, which know how the others ended.
    StartGate gate(Schedule schedule) {
        return name -> verdict(blueprint.task(name), statuses(blueprint.task(name), schedule));
    }

    private StartGate.Verdict verdict(PlannedTask task, Replacements more) {
        var missing = missing(task);
        var value = complete(task, more);
        switch (WhenConditions.evaluate(value.when())) {
            case WhenConditions.Outcome.Holds _ -> {}
            case WhenConditions.Outcome.DoesNotHold _ -> {
                // A finally task is first asked for its results.
                return task.isFinally() && missing.isPresent()
                        ? StartGate.Verdict.of(StartGate.Answer.RESULTS_MISSING)
                        : StartGate.Verdict.of(StartGate.Answer.WHEN_FALSE);
            }
            case WhenConditions.Outcome.Failed(var message) ->
                throw new Broken(Outcome.failed(
                        "CELEvaluationFailed",
                        "%sError evaluating CEL %s: %s".formatted(RunStatus.USER_ERROR, run, message)));
        }
        if (missing.isPresent()) {
            return missing.get();
        }
        return value.matrix().stream()
                        .flatMap(matrix -> matrix.params().stream())
                        .anyMatch(param -> param.value() instanceof ParamValue.Array(var items) && items.isEmpty())
                ? StartGate.Verdict.of(StartGate.Answer.EMPTY_MATRIX)
                : StartGate.Verdict.START;
    }

    /// The first result that a task refers to and that is not there.
    private Optional<StartGate.Verdict> missing(PlannedTask task) {
        for (var reference : task.references()) {
            var parent = blueprint.tasks().get(reference.task());
            var state = children.state(reference.task());
            if (parent == null || !state.isOver()) {
                return Optional.of(StartGate.Verdict.of(StartGate.Answer.RESULTS_MISSING));
            }
            var value = children.results(reference.task(), parent.value().isMatrixed())
                    .get(reference.result());
            if (value == null) {
                return Optional.of(
                        task.isFinally() || task.value().continuesOnError()
                                ? StartGate.Verdict.of(StartGate.Answer.RESULTS_MISSING)
                                : StartGate.Verdict.invalid(notEmitted(task, reference, state)));
            }
            ResultVariables.outOfBounds(reference, value).ifPresent(problem -> {
                throw new Broken(Outcome.failed(
                        "PipelineValidationFailed",
                        "%sPipelineRun %s/%s can't be Run; couldn't resolve all references: %s"
                                .formatted(RunStatus.USER_ERROR, namespace, run, problem)));
            });
        }
        return Optional.empty();
    }

    private static String notEmitted(PlannedTask task, ResultReference reference, RunState state) {
        return state == RunState.SUCCEEDED
                ? "task \"%s\" completed successfully but did not emit the result \"%s\", which is referenced by task \"%s\""
                        .formatted(reference.task(), reference.result(), task.name())
                : RunStatus.USER_ERROR
                        + "Invalid task result reference: Could not find result with name %s for pipeline task %s"
                                .formatted(reference.result(), reference.task());
    }

    /// The task with everything in place.
    PipelineTask complete(PlannedTask task, Replacements more) {
        return Records.read(PipelineTask.class, completeJson(task, more));
    }

    /// How far the run has come.
    ///
    /// @param isWhole whether a task of a matrix is over only when all its runs have been created
    Progress progress(boolean isWhole) {
        ToIntFunction<PlannedTask> expected = isWhole ? this::combinations : _ -> 0;
        return blueprint.graph().start(gate()).after(children.states(blueprint, expected), gate());
    }

    /// How many runs a task of a matrix is to have.
    int combinations(PlannedTask task) {
        return complete(task, Replacements.NONE)
                .matrix()
                .map(MatrixExpansion::combinations)
                .orElse(List.of())
                .size();
    }

    Json.Obj completeJson(PlannedTask task, Replacements more) {
        return PipelineSubstitution.applyToTaskAndSpec(task.json(), values(task).and(more));
    }

    private Replacements values(PlannedTask task) {
        var variables = Replacements.builder()
                .put("context.pipelineTask.retries", String.valueOf(task.value().retries()));
        for (var name : variablesIn(task.json())) {
            ResultReference.parse(name)
                    .ifPresentOrElse(reference -> putResult(variables, reference), () -> putOther(variables, name));
        }
        return variables.build();
    }

    private void putResult(Replacements.Builder variables, ResultReference reference) {
        var parent = blueprint.tasks().get(reference.task());
        if (parent != null) {
            Optional.ofNullable(
                            children.results(reference.task(), parent.value().isMatrixed())
                                    .get(reference.result()))
                    .ifPresent(
                            value -> variables.putAll(ResultVariables.of(reference.task(), reference.result(), value)));
        }
    }

    /// `tasks.<task>.matrix[.<result>].length` and the artifacts of a task.
    private void putOther(Replacements.Builder variables, String name) {
        var parts = name.split("\\.", -1);
        if (parts.length < 3 || !parts[0].equals("tasks") || !blueprint.tasks().containsKey(parts[1])) {
            return;
        }
        switch (parts[2]) {
            case "matrix" -> {
                int length = parts.length == 4
                        ? children.of(parts[1]).size()
                        : children.results(parts[1], true).get(parts[3]) instanceof ParamValue.Array(var items)
                                ? items.size()
                                : 0;
                variables.put(name, String.valueOf(length));
            }
            case "inputs", "outputs" ->
                children.of(parts[1]).forEach(child -> {
                    if (child.run().status().get("artifacts") instanceof Json.Obj artifacts) {
                        variables.putAll(ResultVariables.artifacts(parts[1], Records.read(Artifacts.class, artifacts)));
                    }
                });
            default -> {}
        }
    }

    /// How the other tasks ended, for those variables that a task uses.
    Replacements statuses(PlannedTask task, Schedule schedule) {
        var variables = Replacements.builder();
        for (var name : variablesIn(task.json())) {
            var parts = name.split("\\.", -1);
            if (name.equals("tasks.status")) {
                variables.put(name, schedule.aggregateStatus());
            } else if (parts.length == 3
                    && parts[0].equals("tasks")
                    && blueprint.graph().has(parts[1])) {
                if (parts[2].equals("status")) {
                    variables.put(name, schedule.status(parts[1]));
                } else if (parts[2].equals("reason")) {
                    variables.put(name, children.reason(parts[1]));
                }
            }
        }
        return variables.build();
    }

    private static Set<String> variablesIn(Json json) {
        var found = new LinkedHashSet<String>();
        collect(json, found);
        return found;
    }

    private static void collect(Json json, Set<String> found) {
        switch (json) {
            case Json.Str(var text) -> {
                if (text.contains("$(")) {
                    found.addAll(VariableNames.in(text));
                    found.addAll(Quoted.in(text));
                }
            }
            case Json.Arr list -> list.forEach(item -> collect(item, found));
            case Json.Obj object -> object.forEach((_, value) -> collect(value, found));
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _ -> {}
        }
    }
}
