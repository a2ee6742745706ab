package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.graph.RunState;
import dev.towtank.controllers.pipelines.substitution.ResultVariables;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
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

    static final Children NONE = new Children(Map.of(), new IdentityHashMap<>());

    private final Map<String, List<ChildRun>> byTask;
    private final IdentityHashMap<Resource, ChildRun> known;

    private Children(Map<String, List<ChildRun>> byTask, IdentityHashMap<Resource, ChildRun> known) {
        this.byTask = byTask;
        this.known = known;
    }

    public static Children of(List<Resource> runs) {
        return of(runs, NONE);
    }

    /// @param before spares another look at those that are still the same
    static Children of(List<Resource> runs, Children before) {
        var known = new IdentityHashMap<Resource, ChildRun>(runs.size());
        var byTask = new LinkedHashMap<String, List<ChildRun>>();
        for (var run : runs) {
            var seen = before.known.get(run);
            var child = seen == null ? ChildRun.of(run) : seen;
            known.put(run, child);
            byTask.computeIfAbsent(child.task(), _ -> new ArrayList<>(1)).add(child);
        }
        byTask.values().forEach(list -> list.sort(Comparator.comparing(ChildRun::name)));
        return new Children(byTask, known);
    }

    List<ChildRun> of(String task) {
        return byTask.getOrDefault(task, List.of());
    }

    List<ChildRun> all() {
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

    private static boolean same(List<ChildRun> runs, List<ChildRun> others) {
        if (runs.size() != others.size()) {
            return false;
        }
        for (int i = 0; i < runs.size(); i++) {
            if (!runs.get(i).isSameVersion(others.get(i))) {
                return false;
            }
        }
        return true;
    }

    /// All runs of a task together: over when all are.
    RunState state(String task) {
        var states = of(task).stream().map(ChildRun::state).toList();
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

    /// The reason of a task's end: of several runs, of one that failed.
    String reason(String task) {
        var runs = of(task);
        return runs.stream()
                .filter(run -> run.state() != RunState.SUCCEEDED)
                .findFirst()
                .or(() -> runs.stream().findFirst())
                .map(ChildRun::reason)
                .orElse("");
    }

    /// The results of a task that is over, by name. Those of a matrix are lists with an item for each run.
    Map<String, ParamValue> results(String task, boolean isMatrixed) {
        var runs = of(task);
        if (runs.isEmpty() || !state(task).isOver()) {
            return Map.of();
        }
        if (!isMatrixed) {
            return results(runs.getFirst().run());
        }
        var items = new LinkedHashMap<String, List<String>>();
        runs.forEach(child -> results(child.run())
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
