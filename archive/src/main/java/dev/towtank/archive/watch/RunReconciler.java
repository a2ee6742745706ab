package dev.towtank.archive.watch;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Decides about one run: hold it, archive it, mark it, let it go.
public final class RunReconciler {

    private final WatchSettings settings;

    public RunReconciler(WatchSettings settings) {
        this.settings = settings;
    }

    /// Whether a run waits to be archived before it goes.
    public static boolean isHeld(Resource run) {
        return run.finalizers().contains(RunKinds.finalizer(run));
    }

    /// Where nothing is archived, nothing waits for that.
    public static Plan letGo(Resource run) {
        return isHeld(run) ? released(run) : Plan.NONE;
    }

    /// Whether nothing more will be written to any log of a pod.
    public static boolean hasEnded(Resource pod) {
        return RunStatus.hasEnded(pod);
    }

    /// Whether a PipelineRun may have waited for the state that its child is in.
    public static boolean mayMatterToItsOwner(Resource child) {
        return RunStatus.isDone(child) && !child.annotations().containsKey(Marks.CHILD_READY);
    }

    public Decision decide(Observed<Json.Obj> observed, RunFacts facts, Instant now) {
        var run = observed.object();
        boolean held = isHeld(run);
        if (!isOurs(run)) {
            return Decision.of(held && run.isDeleting() ? released(run) : Plan.NONE);
        }
        if (!held) {
            return Decision.of(run.isDeleting() ? Plan.NONE : held(run));
        }
        if (run.isDeleting()) {
            return leaving(observed, facts, now);
        }
        if (facts.hasOwner()) {
            // Archived together with its PipelineRun.
            return Decision.NONE;
        }
        if (!RunStatus.isDone(run)) {
            return settings.incomplete() ? asItIs(run, facts) : Decision.NONE;
        }
        // Whatever ends later wakes the run.
        return hasAllEnded(facts) ? finished(run, facts, now) : Decision.NONE;
    }

    private boolean isOurs(Resource run) {
        var manager = run.spec().string("managedBy");
        return manager.isEmpty() || settings.managedBy().contains(manager);
    }

    private static Plan held(Resource run) {
        var finalizers = new ArrayList<>(run.finalizers());
        finalizers.add(RunKinds.finalizer(run));
        return finalizers(run, finalizers);
    }

    private static Plan released(Resource run) {
        var finalizers = new ArrayList<>(run.finalizers());
        finalizers.remove(RunKinds.finalizer(run));
        return finalizers(run, finalizers);
    }

    private static Plan finalizers(Resource run, List<String> finalizers) {
        return Plan.NONE.patch(
                RunKinds.of(run),
                run,
                Json.Obj.of("metadata", Json.Obj.of("finalizers", Json.Arr.ofStrings(finalizers))));
    }

    private static boolean hasAllEnded(RunFacts facts) {
        return facts.children().stream().allMatch(RunStatus::isDone)
                && facts.pods().stream().allMatch(RunStatus::hasEnded);
    }

    private Decision asItIs(Resource run, RunFacts facts) {
        if (Marks.digest(run, false).equals(facts.archived().get(run.uid()))) {
            return Decision.NONE;
        }
        var names = Marks.annotations(run, Marks.result(run), false);
        var deed = new Archiving(run, List.of(), List.of(), List.of(), false);
        return new Decision(
                Optional.of(deed),
                marked(
                        run,
                        Map.of(
                                Marks.RESULT,
                                names.getOrDefault(Marks.RESULT, ""),
                                Marks.RECORD,
                                names.getOrDefault(Marks.RECORD, ""))));
    }

    private Decision finished(Resource run, RunFacts facts, Instant now) {
        return isArchived(run, facts)
                ? Decision.of(marks(run, facts).then(deletion(run, now)))
                : new Decision(Optional.of(deed(run, facts)), marks(run, facts));
    }

    /// It goes once it is archived as it is now: with what its logs hold, be it finished or not.
    private Decision leaving(Observed<Json.Obj> observed, RunFacts facts, Instant now) {
        var run = observed.object();
        if (isArchived(run, facts)) {
            return Decision.of(released(run));
        }
        var deadline = settings.storeDeadline()
                .flatMap(limit -> RunStatus.completed(run).map(end -> end.plus(limit)));
        if (deadline.isPresent()
                && now.isAfter(deadline.get())
                && observed.problem().isPresent()) {
            return Decision.of(Plan.of(Change.Event.warning(
                            run,
                            "NotStored",
                            "Deleted without being archived: "
                                    + observed.problem().get()))
                    .then(released(run)));
        }
        return new Decision(Optional.of(deed(run, facts)), released(run));
    }

    private Archiving deed(Resource run, RunFacts facts) {
        return new Archiving(run, facts.children(), facts.pods(), settings.events() ? facts.events() : List.of(), true);
    }

    private static boolean isArchived(Resource run, RunFacts facts) {
        return isArchived(run, facts.archived())
                && facts.children().stream().allMatch(child -> isArchived(child, facts.archived()));
    }

    private static boolean isArchived(Resource run, Map<String, String> archived) {
        return Marks.digest(run, true).equals(archived.get(run.uid()));
    }

    private Plan marks(Resource run, RunFacts facts) {
        var result = Marks.result(run);
        var plan = marked(run, Marks.annotations(run, result, settings.events()));
        for (var child : facts.children()) {
            plan = plan.then(marked(child, Marks.annotations(child, result, settings.events())));
        }
        return plan;
    }

    private static Plan marked(Resource run, Map<String, String> annotations) {
        var missing = Json.Obj.builder();
        annotations.forEach((name, value) -> {
            if (!value.equals(run.annotations().get(name))) {
                missing.put(name, value);
            }
        });
        var fields = missing.build();
        return fields.size() == 0
                ? Plan.NONE
                : Plan.NONE.patch(RunKinds.of(run), run, Json.Obj.of("metadata", Json.Obj.of("annotations", fields)));
    }

    private Plan deletion(Resource run, Instant now) {
        var completed = RunStatus.completed(run);
        if (settings.grace().isEmpty() || completed.isEmpty() || !mayBeDeleted(run)) {
            return Plan.NONE;
        }
        var due = completed.get().plus(settings.grace().get());
        return now.isBefore(due) ? Plan.lookAgainAt(due) : Plan.NONE.delete(RunKinds.of(run), run);
    }

    private boolean mayBeDeleted(Resource run) {
        boolean isOwned = run.owners().stream().anyMatch(owner -> owner.kind().equals("PipelineRun"))
                || (settings.checkOwner() && !run.owners().isEmpty());
        return !isOwned && settings.deletable().matches(run.json());
    }
}
