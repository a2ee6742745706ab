package dev.towtank.controllers.gitops.sync;

import dev.towtank.controllers.gitops.health.Health;
import dev.towtank.controllers.gitops.sync.Managed.Refusal;
import dev.towtank.controllers.gitops.sync.Marks.DeletePolicy;
import dev.towtank.controllers.gitops.sync.SyncStep.Action;
import dev.towtank.controllers.gitops.sync.SyncStep.Verb;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Decides one step of a sync at a time. A wave has ended when it is true that it has: nobody sleeps in between.
public final class SyncPlanner {

    private final Situation situation;
    private final List<Task> tasks;
    // Of objects that are gone since, results stay as they are.
    private final List<Result> results = new ArrayList<>();
    private final List<Action> actions = new ArrayList<>();

    private SyncPlanner(Situation situation) {
        this.situation = situation;
        this.tasks = TaskList.of(situation).stream()
                .map(task -> task.with(task.result().map(result -> observed(task, result))))
                .toList();
        var known = new HashMap<Result.Place, Result>();
        tasks.forEach(task -> task.result().ifPresent(result -> known.putIfAbsent(result.place(), result)));
        situation.results().forEach(result -> results.add(known.getOrDefault(result.place(), result)));
    }

    public static SyncStep next(Situation situation) {
        return new SyncPlanner(situation).step();
    }

    private SyncStep step() {
        if (situation.results().isEmpty()) {
            var refused = refused();
            if (!refused.isEmpty()) {
                results.addAll(refused);
                return end("Failed", invalid().orElse("one or more objects failed to apply (dry run)"));
            }
        }
        if (situation.wishes().isDryRun()) {
            tasks.forEach(task -> results.add(Result.of(task, "Synced", "Succeeded", "dry run")));
            return end("Succeeded", "successfully synced (dry run)");
        }
        boolean isMultiStep = isMultiStep();
        var running = select(task -> task.isRunning() && (isMultiStep || task.isHook() || task.isDefinition()));
        if (!running.isEmpty()) {
            return waiting(running, false);
        }
        var going = select(
                task -> task.result().filter(it -> it.status().equals("Pruned")).isPresent()
                        && task.object().isDeleting());
        if (!going.isEmpty()) {
            return waiting(going, true);
        }
        select(task -> task.isHook() && task.isCompleted()).forEach(this::release);
        if (tasks.stream().anyMatch(task -> task.phase() != Phase.SYNC_FAIL && task.hasFailed())) {
            return failing();
        }
        var pending = select(task -> task.phase() != Phase.SYNC_FAIL && task.isPending());
        if (pending.isEmpty()) {
            deleteHooks(DeletePolicy.HOOK_SUCCEEDED);
            return end("Succeeded", "successfully synced (no more tasks)");
        }
        return run(pending);
    }

    private List<Task> select(Predicate<Task> wanted) {
        return tasks.stream().filter(wanted).toList();
    }

    private boolean isMultiStep() {
        var ordinary = select(task -> task.phase() != Phase.SYNC_FAIL);
        return !ordinary.isEmpty()
                && (ordinary.getFirst().phase() != ordinary.getLast().phase()
                        || ordinary.getFirst().wave() != ordinary.getLast().wave());
    }

    /// How a running task stands, by what lives now.
    private static Result observed(Task task, Result result) {
        if (!result.isRunning()) {
            return result;
        }
        if (task.object().live().isEmpty()) {
            return result.failed("Error", "Resource " + task.key() + " is missing, it might have been deleted");
        }
        var health = task.object().health();
        if (health.isEmpty() || Marks.hasOption(task.object().object(), "SkipHealthCheck=true")) {
            return result.with("Succeeded", result.message());
        }
        return task.isHook() ? ofHook(result, health.get()) : ofResource(result, health.get());
    }

    private static Result ofHook(Result result, Health health) {
        return switch (health.status()) {
            case HEALTHY -> result.with("Succeeded", health.message());
            case UNKNOWN, DEGRADED -> result.with("Failed", health.message());
            case PROGRESSING, SUSPENDED, MISSING -> result.with("Running", health.message());
        };
    }

    private static Result ofResource(Result result, Health health) {
        return switch (health.status()) {
            case HEALTHY -> result.with("Succeeded", health.message().isEmpty() ? result.message() : health.message());
            case DEGRADED -> result.with("Failed", health.message());
            case UNKNOWN, PROGRESSING, SUSPENDED, MISSING -> result;
        };
    }

    /// What the server would not take, and what no other object of this sync makes possible.
    private List<Result> refused() {
        var refused = new ArrayList<Result>();
        for (var task : tasks) {
            task.object()
                    .refusal()
                    .filter(refusal -> !isHelped(task, refusal))
                    .ifPresent(refusal -> refused.add(Result.of(task, "SyncFailed", "Failed", refusal.message())));
        }
        return refused;
    }

    /// What makes no sense to try, and why; empty where the server was asked and said no.
    private Optional<String> invalid() {
        var why = tasks.stream()
                .flatMap(task -> task.object().refusal().filter(refusal -> !isHelped(task, refusal)).stream())
                .filter(refusal ->
                        refusal.cause() == Refusal.Cause.UNKNOWN_KIND || refusal.cause() == Refusal.Cause.NOT_PERMITTED)
                .map(Refusal::message)
                .distinct()
                .sorted()
                .collect(Collectors.joining("; "));
        return why.isEmpty()
                ? Optional.empty()
                : Optional.of("one or more synchronization tasks are not valid: " + why);
    }

    private boolean isHelped(Task task, Refusal refusal) {
        return switch (refusal.cause()) {
            case UNKNOWN_KIND ->
                Marks.hasOption(task.object().object(), "SkipDryRunOnMissingResource=true")
                        || situation.wishes().options().contains("SkipDryRunOnMissingResource=true")
                        || tasks.stream().anyMatch(other -> TaskList.defines(other, task));
            case NO_NAMESPACE ->
                tasks.stream()
                        .anyMatch(other -> other.key().kind().equals("Namespace")
                                && other.key().name().equals(task.key().namespace()));
            case REFUSED, NOT_PERMITTED -> false;
        };
    }

    private SyncStep run(List<Task> pending) {
        var first = pending.getFirst();
        var group = pending.stream()
                .filter(task -> task.phase() == first.phase() && task.wave() == first.wave())
                .toList();
        if (group.stream().anyMatch(Task::isDefinition)) {
            // What they define is only known when they are.
            group = definitionsFirst(group);
        }
        var old = group.stream().filter(this::isLeftover).toList();
        if (!old.isEmpty()) {
            old.stream().filter(task -> !task.object().isDeleting()).forEach(this::delete);
            old.forEach(this::release);
            return waiting(old, true);
        }
        var asking = group.stream().filter(this::asksForConsent).toList();
        if (!asking.isEmpty()) {
            return new SyncStep(actions, results, "Running", waitingFor("pruning confirmation of", asking), false);
        }
        var images = new BuiltImages(tasks);
        var parts = group.stream()
                .collect(Collectors.partitioningBy(task -> images.of(task).isPresent()));
        var lacking = parts.getOrDefault(true, List.of());
        var ready = parts.getOrDefault(false, List.of());
        if (ready.isEmpty()) {
            return waitingForImages(lacking, images);
        }
        ready.stream().filter(Task::isPrune).forEach(this::prune);
        ready.stream().filter(task -> !task.isPrune()).forEach(this::apply);
        boolean isLast = ready.size() == pending.size() && ready.stream().noneMatch(Task::isHook);
        return new SyncStep(actions, results, "Running", begun(ready), isLast);
    }

    /// Nobody starts without the image that a build of the same application makes.
    private SyncStep waitingForImages(List<Task> lacking, BuiltImages images) {
        for (var task : lacking) {
            images.of(task)
                    .flatMap(BuiltImages.Lack::failure)
                    .ifPresent(why ->
                            results.add(Result.of(task, "SyncFailed", "Failed", "its image is not built: " + why)));
        }
        var build = images.of(lacking.getFirst()).orElseThrow().build();
        var more = lacking.size() == 1 ? "" : " and " + (lacking.size() - 1) + " more";
        return new SyncStep(
                actions,
                results,
                "Running",
                "waiting for healthy state of " + build.key() + ", whose image "
                        + lacking.getFirst().key() + more + (lacking.size() == 1 ? " needs" : " need"),
                false);
    }

    private boolean asksForConsent(Task task) {
        var wishes = situation.wishes();
        return task.isPrune()
                && wishes.prune()
                && !wishes.isConfirmed()
                && wishes.pruning(task.object()).equals("confirm");
    }

    private static List<Task> definitionsFirst(List<Task> group) {
        return group.stream()
                .filter(task -> KindOrder.rank(task.key().kind()) <= KindOrder.rank("CustomResourceDefinition"))
                .toList();
    }

    /// Whether a hook of an earlier sync has to go before this one can run.
    private boolean isLeftover(Task task) {
        return task.isDeletedBy(DeletePolicy.BEFORE_HOOK_CREATION)
                && task.object().live().isPresent()
                && !isOurs(task);
    }

    private boolean isOurs(Task task) {
        return task.object()
                .live()
                .filter(live -> live.string("metadata", "annotations", Marks.OPERATION)
                        .equals(situation.wishes().operation()))
                .isPresent();
    }

    private void apply(Task task) {
        var expected = Result.of(task, "Synced", "Running", "");
        if (task.isHook() && isOurs(task)) {
            // It was begun, and nobody could write that down.
            results.add(expected);
            return;
        }
        var target = task.object().target().orElseThrow();
        actions.add(
                new Action(Verb.APPLY, task.key(), task.isHook() ? ofThisSync(target) : target, Optional.of(expected)));
    }

    private Json.Obj ofThisSync(Json.Obj hook) {
        var finalizers = new ArrayList<>(hook.array("metadata", "finalizers").strings());
        finalizers.add(Marks.HOOK_FINALIZER);
        return hook.with(List.of("metadata", "finalizers"), Json.Arr.ofStrings(finalizers))
                .with(
                        List.of("metadata", "annotations", Marks.OPERATION),
                        Json.of(situation.wishes().operation()));
    }

    private void prune(Task task) {
        if (!situation.wishes().prune()) {
            results.add(Result.of(task, "PruneSkipped", "Succeeded", "ignored (requires pruning)"));
        } else if (situation.wishes().pruning(task.object()).equals("false")) {
            results.add(Result.of(task, "PruneSkipped", "Succeeded", "ignored (no prune)"));
        } else {
            actions.add(new Action(
                    Verb.DELETE,
                    task.key(),
                    task.object().object(),
                    Optional.of(Result.of(task, "Pruned", "Succeeded", "pruned"))));
        }
    }

    private void delete(Task task) {
        task.object()
                .live()
                .ifPresent(live -> actions.add(new Action(Verb.DELETE, task.key(), live, Optional.empty())));
    }

    private void release(Task task) {
        task.object()
                .live()
                .filter(live -> live.array("metadata", "finalizers").strings().contains(Marks.HOOK_FINALIZER))
                .ifPresent(live -> actions.add(new Action(Verb.RELEASE, task.key(), live, Optional.empty())));
    }

    private void deleteHooks(DeletePolicy policy) {
        select(task -> task.isDeletedBy(policy) && !task.isPending()).forEach(this::delete);
    }

    private SyncStep failing() {
        var refused = select(task -> task.phase() != Phase.SYNC_FAIL && task.isRefused());
        var message = reasons(
                refused.isEmpty() || refused.stream().anyMatch(Task::isHook)
                        ? "one or more synchronization tasks completed unsuccessfully"
                        : "one or more objects failed to apply",
                refused.isEmpty() ? select(task -> task.phase() != Phase.SYNC_FAIL && task.hasFailed()) : refused);
        var cures = select(task -> task.phase() == Phase.SYNC_FAIL);
        var waiting = cures.stream().filter(Task::isPending).toList();
        if (!waiting.isEmpty()) {
            return run(waiting);
        }
        deleteHooks(DeletePolicy.HOOK_FAILED);
        var failed = cures.stream().filter(Task::hasFailed).toList();
        return end(
                "Failed",
                failed.isEmpty() ? message : message + "\n" + reasons("one or more SyncFail hooks failed", failed));
    }

    private static String reasons(String message, List<Task> failed) {
        var why = failed.stream()
                .flatMap(task -> task.result().stream())
                .map(Result::message)
                .filter(text -> !text.isEmpty())
                .distinct()
                .collect(Collectors.joining(","));
        return why.isEmpty() ? message : message + ", reason: " + why;
    }

    private SyncStep end(String state, String message) {
        return new SyncStep(actions, results, state, message, false);
    }

    /// Claims may be waited for by nobody, which is known when they are there.
    private String begun(List<Task> group) {
        var gates = group.stream()
                .filter(task -> !task.key().kind().equals("PersistentVolumeClaim"))
                .toList();
        return gates.isEmpty()
                ? "applied " + group.getFirst().key() + more(group)
                : waiting(gates, false).message();
    }

    private static String more(List<Task> group) {
        boolean onlyHooks = group.stream().allMatch(Task::isHook);
        return group.size() == 1 ? "" : " and " + (group.size() - 1) + " more " + (onlyHooks ? "hooks" : "resources");
    }

    private SyncStep waiting(List<Task> group, boolean forDeletion) {
        boolean hasHooks = group.stream().anyMatch(Task::isHook);
        var what = forDeletion
                ? "deletion of" + (hasHooks ? " hook" : "")
                : hasHooks ? "completion of hook" : "healthy state of";
        return new SyncStep(actions, results, "Running", waitingFor(what, group), false);
    }

    private static String waitingFor(String what, List<Task> group) {
        var first = Stream.concat(group.stream().filter(Task::isHook), group.stream())
                .findFirst()
                .orElseThrow();
        return "waiting for " + what + " " + first.key() + more(group);
    }
}
