package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.graph.RunState;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.controllers.pipelines.substitution.ResultVariables;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// The runs that belong to a PipelineRun, by the pipeline task they are for; those of one task in the order
/// of their names.
public final class Children {

    static final String TASK_LABEL = "tekton.dev/pipelineTask";
    static final String TASK_TIMEOUT = "TaskRun cancelled as the PipelineRun it belongs to has timed out.";
    static final String CUSTOM_TIMEOUT = "CustomRun cancelled as the PipelineRun it belongs to has timed out.";

    private static final Children NONE = new Children(Map.of());

    private final Map<String, List<Resource>> byTask;

    private Children(Map<String, List<Resource>> byTask) {
        this.byTask = byTask;
    }

    public static Children of(List<Resource> runs) {
        var byTask = new LinkedHashMap<String, List<Resource>>();
        runs.forEach(run -> byTask.computeIfAbsent(run.labels().getOrDefault(TASK_LABEL, ""), _ -> new ArrayList<>(1))
                .add(run));
        byTask.values().forEach(list -> list.sort(Comparator.comparing(Resource::name)));
        return new Children(byTask);
    }

    List<Resource> of(String task) {
        return byTask.getOrDefault(task, List.of());
    }

    List<Resource> all() {
        return byTask.values().stream().flatMap(List::stream).toList();
    }

    boolean isEmpty() {
        return byTask.isEmpty();
    }

    /// Whether nothing is gone that was there before: then only changes need a look.
    boolean continues(Children before) {
        return before.byTask.entrySet().stream()
                .allMatch(entry -> of(entry.getKey()).size() >= entry.getValue().size());
    }

    /// @param expected how many runs a task of a matrix is to have
    Map<String, RunState> states(Blueprint blueprint, ToIntFunction<PlannedTask> expected) {
        return changedSince(NONE, blueprint, expected);
    }

    Map<String, RunState> changedSince(Children before, Blueprint blueprint, ToIntFunction<PlannedTask> expected) {
        var states = new LinkedHashMap<String, RunState>();
        byTask.forEach((name, runs) -> {
            var task = blueprint.tasks().get(name);
            if (task != null && !same(runs, before.of(name))) {
                states.put(name, state(task, expected));
            }
        });
        return states;
    }

    /// A task is not over while some of its runs have not even been created.
    private RunState state(PlannedTask task, ToIntFunction<PlannedTask> expected) {
        var state = state(task.name());
        return state.isOver() && task.value().isMatrixed() && of(task.name()).size() < expected.applyAsInt(task)
                ? RunState.RUNNING
                : state;
    }

    private static boolean same(List<Resource> runs, List<Resource> others) {
        if (runs.size() != others.size()) {
            return false;
        }
        for (int i = 0; i < runs.size(); i++) {
            if (!runs.get(i).resourceVersion().equals(others.get(i).resourceVersion())) {
                return false;
            }
        }
        return true;
    }

    /// All runs of a task together: over when all are.
    RunState state(String task) {
        var states = of(task).stream().map(Children::state).toList();
        if (states.isEmpty()) {
            return RunState.NONE;
        }
        if (!states.stream().allMatch(RunState::isOver)) {
            return RunState.RUNNING;
        }
        for (var worst : List.of(RunState.TIMED_OUT, RunState.CANCELLED, RunState.FAILED)) {
            if (states.contains(worst)) {
                return worst;
            }
        }
        return RunState.SUCCEEDED;
    }

    static RunState state(Resource run) {
        var outcome = RunStatus.of(run).outcome().filter(RunStatus.Outcome::isOver);
        if (outcome.isEmpty()) {
            return RunState.RUNNING;
        }
        if (!outcome.get().isFalse()) {
            return RunState.SUCCEEDED;
        }
        return switch (outcome.get().reason()) {
            case "TaskRunCancelled", "CustomRunCancelled" -> {
                var message = run.spec().string("statusMessage");
                yield message.equals(TASK_TIMEOUT) || message.equals(CUSTOM_TIMEOUT)
                        ? RunState.TIMED_OUT
                        : RunState.CANCELLED;
            }
            case "Cancelled" -> run.kind().equals("PipelineRun") ? RunState.CANCELLED : RunState.FAILED;
            case "PipelineRunTimeout" -> RunState.TIMED_OUT;
            default -> RunState.FAILED;
        };
    }

    /// The reason of a task's end: of several runs, of one that failed.
    String reason(String task) {
        var runs = of(task);
        return runs.stream()
                .filter(run -> state(run) != RunState.SUCCEEDED)
                .findFirst()
                .or(() -> runs.stream().findFirst())
                .flatMap(run -> RunStatus.of(run).outcome())
                .map(RunStatus.Outcome::reason)
                .orElse("");
    }

    /// The results of a task that is over, by name. Those of a matrix are lists with an item for each run.
    Map<String, ParamValue> results(String task, boolean isMatrixed) {
        var runs = of(task);
        if (runs.isEmpty() || !state(task).isOver()) {
            return Map.of();
        }
        if (!isMatrixed) {
            return results(runs.getFirst());
        }
        var items = new LinkedHashMap<String, List<String>>();
        runs.forEach(run -> results(run)
                .forEach((name, value) ->
                        items.computeIfAbsent(name, _ -> new ArrayList<>()).add(value.textOrEmpty())));
        var lists = new LinkedHashMap<String, ParamValue>();
        items.forEach((name, list) -> lists.put(name, new ParamValue.Array(list)));
        return lists;
    }

    private static Map<String, ParamValue> results(Resource run) {
        var values = new LinkedHashMap<String, ParamValue>();
        for (var result : run.status().objects("results")) {
            var value = Optional.ofNullable(result.get("value")).orElse(Json.Null.NULL);
            values.put(
                    result.string("name"),
                    run.kind().equals("CustomRun") ? ResultVariables.custom(value.display()) : ParamValue.read(value));
        }
        return values;
    }
}
