package dev.towtank.controllers.gitops.sync;

import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/// The tasks of a sync, in their order.
final class TaskList {

    private TaskList() {}

    static List<Task> of(Situation situation) {
        var wishes = situation.wishes();
        var results = new HashMap<Result.Place, Result>();
        situation.results().forEach(result -> results.putIfAbsent(result.place(), result));
        var tasks = new ArrayList<Task>();
        situation.namespace().ifPresent(it -> tasks.add(task(results, Phase.PRE_SYNC, false, it)));
        for (var managed : situation.resources()) {
            var task = task(results, Phase.SYNC, false, managed);
            if (wishes.isSelected(managed.key()) && !isLeftOut(task, wishes)) {
                tasks.add(task);
            }
        }
        if (wishes.selected().isEmpty()) {
            situation.hooks().forEach(hook -> tasks.add(task(results, hook.phase(), true, hook.object())));
        }
        return pulledForward(last(mirrored(tasks), wishes)).stream()
                .map(task -> task.isPending() ? task.with(found(results, task.key(), task.phase())) : task)
                .sorted(Task.ORDER)
                .toList();
    }

    /// What this very sync has brought about is waited for like everything else.
    private static boolean isLeftOut(Task task, Situation.Wishes wishes) {
        boolean onlyDrifted = wishes.options().contains("ApplyOutOfSyncOnly=true");
        return Marks.isSkipped(task.object().object())
                || (onlyDrifted && task.isPending() && task.object().isSynced() && !task.isPrune());
    }

    private static Task task(Map<Result.Place, Result> results, Phase phase, boolean isHook, Managed managed) {
        return new Task(phase, Marks.wave(managed.object()), isHook, managed, found(results, managed.key(), phase));
    }

    /// What was pulled into an earlier phase has its result there.
    private static Optional<Result> found(Map<Result.Place, Result> results, ResourceKey key, Phase phase) {
        return Optional.ofNullable(results.get(new Result.Place(key, phase)));
    }

    /// What goes, goes in the opposite order: its waves change places, the first with the last.
    private static List<Task> mirrored(List<Task> tasks) {
        var waves = new ArrayList<>(new TreeSet<>(
                tasks.stream().filter(Task::isPrune).map(Task::wave).toList()));
        var opposite = new HashMap<Integer, Integer>();
        for (int i = 0; i < waves.size(); i++) {
            opposite.put(waves.get(i), waves.get(waves.size() - 1 - i));
        }
        return tasks.stream()
                .map(task -> task.isPrune()
                        ? task.moved(task.phase(), opposite.getOrDefault(task.wave(), task.wave()))
                        : task)
                .toList();
    }

    private static List<Task> last(List<Task> tasks, Situation.Wishes wishes) {
        int end = tasks.stream()
                        .filter(task -> task.phase() == Phase.SYNC)
                        .mapToInt(Task::wave)
                        .max()
                        .orElse(0)
                + 1;
        Predicate<Task> waits = task -> task.isPrune()
                && (wishes.options().contains("PruneLast=true")
                        || Marks.hasOption(task.object().object(), "PruneLast=true"));
        return tasks.stream()
                .map(task -> waits.test(task) ? task.moved(task.phase(), end) : task)
                .toList();
    }

    /// A namespace comes no later than the first object in it, and a definition no later than the first of its kind.
    private static List<Task> pulledForward(List<Task> tasks) {
        var all = new ArrayList<Task>();
        for (var task : tasks) {
            all.add(
                    switch (task.key().kind()) {
                        case "Namespace" ->
                            before(
                                    task,
                                    tasks,
                                    (space, other) -> other.key()
                                            .namespace()
                                            .equals(space.key().name()));
                        case "CustomResourceDefinition" -> before(task, tasks, TaskList::defines);
                        default -> task;
                    });
        }
        return all;
    }

    static boolean defines(Task definition, Task other) {
        return definition.isDefinition() && defines(definition.object().object(), other);
    }

    private static boolean defines(Json.Obj definition, Task other) {
        return definition.string("spec", "group").equals(other.key().group())
                && definition.string("spec", "names", "kind").equals(other.key().kind());
    }

    private static Task before(Task task, List<Task> tasks, BiPredicate<Task, Task> needs) {
        if (task.isPrune()) {
            return task;
        }
        return tasks.stream()
                .filter(other -> !other.isPrune() && needs.test(task, other))
                .min(Comparator.comparing(Task::phase).thenComparingInt(Task::wave))
                .filter(first -> Task.ORDER.compare(first, task) < 0)
                .map(first -> task.moved(first.phase(), first.wave()))
                .orElse(task);
    }
}
