package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Cluster.Propagation;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.gitops.ApplicationFacts.Condition;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.gitops.health.Health;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.controllers.gitops.sync.Marks;
import dev.towtank.controllers.gitops.sync.SyncStep;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Takes an Application away: hooks that come before, its objects by descending waves, hooks that come after.
///
/// @param facts what is left of it, and its hooks
record ApplicationDeletion(Resource application, ApplicationFacts facts, Instant now) {

    static final String BEFORE = "PreDelete";
    static final String AFTER = "PostDelete";

    private static final String OBJECTS = "resources-finalizer.argocd.argoproj.io";
    private static final String BEFORE_FINALIZER = "pre-delete-finalizer.argocd.argoproj.io";
    private static final String AFTER_FINALIZER = "post-delete-finalizer.argocd.argoproj.io";

    /// Whether hooks are still to be run, which only the repository knows.
    static boolean needsHooks(Resource application) {
        return application.finalizers().stream()
                .anyMatch(each -> each.equals(BEFORE_FINALIZER) || each.equals(AFTER_FINALIZER));
    }

    /// Keeps an Application until its hooks have run, as long as it has some.
    ///
    /// @param phases those of a deletion that have hooks
    static Plan prepared(Resource application, Set<String> phases) {
        var wanted = new ArrayList<>(application.finalizers());
        keep(wanted, BEFORE_FINALIZER, phases.contains(BEFORE));
        keep(wanted, AFTER_FINALIZER, phases.contains(AFTER));
        return wanted.equals(application.finalizers()) ? Plan.NONE : finalizers(application, wanted);
    }

    private static void keep(List<String> finalizers, String one, boolean isWanted) {
        if (!isWanted) {
            finalizers.remove(one);
        } else if (!finalizers.contains(one)) {
            finalizers.add(one);
        }
    }

    private static Plan finalizers(Resource application, List<String> wanted) {
        var fields = Json.Obj.of("metadata", Json.Obj.of("finalizers", Json.Arr.ofStrings(wanted)));
        return Plan.none().patch(GitOpsKinds.APPLICATION, application, fields);
    }

    private Plan without(Predicate<String> finalizer) {
        return finalizers(
                application,
                application.finalizers().stream().filter(finalizer.negate()).toList());
    }

    Plan next() {
        var finalizers = application.finalizers();
        var hooks = facts.deletion().orElse(new ApplicationFacts.Deletion(List.of(), List.of()));
        if (finalizers.contains(BEFORE_FINALIZER)) {
            return hooked(BEFORE, hooks.before(), BEFORE_FINALIZER);
        }
        if (finalizers.stream().anyMatch(each -> each.startsWith(OBJECTS))) {
            return objects();
        }
        return finalizers.contains(AFTER_FINALIZER) ? hooked(AFTER, hooks.after(), AFTER_FINALIZER) : Plan.NONE;
    }

    /// The last wave first, and each only when the one before is gone.
    private Plan objects() {
        boolean isApproved = Operations.isApproved(application, application.deletionTimestamp());
        var options = ApplicationSpec.of(application).options();
        var going = facts.remains().stream()
                .filter(each -> !SyncOptions.outlives(each.object(), options) && !isItself(each))
                .toList();
        var asking = isApproved
                ? Optional.<Managed>empty()
                : going.stream()
                        .filter(each -> SyncOptions.needsConsent(each.object(), options))
                        .findFirst();
        if (asking.isPresent()) {
            return told(asking.get().key() + " is deleted only when somebody agrees: annotate the Application with "
                    + Operations.APPROVED + " and the time of now");
        }
        if (going.isEmpty()) {
            return without(each -> each.startsWith(OBJECTS));
        }
        int last =
                going.stream().mapToInt(each -> Marks.wave(each.object())).max().orElse(0);
        var actions = removal(
                going.stream().filter(each -> Marks.wave(each.object()) == last).toList());
        boolean inBackground = application.finalizers().contains(OBJECTS + "/background");
        return act(actions, inBackground ? Propagation.BACKGROUND : Propagation.FOREGROUND);
    }

    private boolean isItself(Managed managed) {
        return managed.object()
                .string("metadata", "uid")
                .equals(application.metadata().string("uid"));
    }

    private Plan act(List<SyncStep.Action> actions, Propagation propagation) {
        return actions.isEmpty()
                ? Plan.NONE
                : Plan.of(new Change.Act(new SyncDeed(application, actions, propagation, Set.of()), Deed.Sequel.NONE));
    }

    /// What ends these objects, and lets go of those that wait for their end to be seen.
    static List<SyncStep.Action> removal(List<Managed> objects) {
        var actions = new ArrayList<SyncStep.Action>();
        for (var each : objects) {
            if (!each.isDeleting()) {
                actions.add(new SyncStep.Action(SyncStep.Verb.DELETE, each.key(), each.object(), Optional.empty()));
            }
            if (each.object().array("metadata", "finalizers").strings().contains(Marks.HOOK_FINALIZER)) {
                actions.add(new SyncStep.Action(SyncStep.Verb.RELEASE, each.key(), each.object(), Optional.empty()));
            }
        }
        return actions;
    }

    /// One wave of hooks after another. One that failed holds everything up until somebody has looked at it.
    private Plan hooked(String phase, List<Managed> hooks, String finalizer) {
        var failed = hooks.stream()
                .filter(each -> isOurs(each)
                        && each.health()
                                .filter(it -> it.is(Health.Code.DEGRADED))
                                .isPresent())
                .findFirst();
        if (failed.isPresent()) {
            var why = failed.get().health().orElseThrow().message();
            return told("the " + phase + " hook " + failed.get().key() + " failed" + (why.isEmpty() ? "" : ": " + why)
                    + ". It is tried again when it is deleted; without the finalizer " + finalizer
                    + " the application goes without it");
        }
        var refused = hooks.stream().filter(each -> each.refusal().isPresent()).findFirst();
        if (refused.isPresent()) {
            return told("the " + phase + " hook " + refused.get().key() + " cannot be made: "
                    + refused.get().refusal().orElseThrow().message());
        }
        var open = hooks.stream().filter(each -> !isDone(each)).toList();
        if (open.isEmpty()) {
            return act(leaving(hooks), Propagation.BACKGROUND).then(without(finalizer::equals));
        }
        int first =
                open.stream().mapToInt(each -> Marks.wave(each.object())).min().orElse(0);
        var actions = new ArrayList<SyncStep.Action>();
        for (var hook : open) {
            if (Marks.wave(hook.object()) == first) {
                step(hook).ifPresent(actions::add);
            }
        }
        return actions.isEmpty() ? Plan.NONE : whileItIsThere().then(act(actions, Propagation.BACKGROUND));
    }

    /// Fails where the application was seen late: it may be gone by now, and a hook that is made for it would stay for
    /// ever.
    private Plan whileItIsThere() {
        return Plan.of(new Change.SetStatus(GitOpsKinds.APPLICATION, application, application.status()));
    }

    private Plan told(String problem) {
        var status = ApplicationStatus.withConditions(
                application.status(), List.of(new Condition("DeletionError", problem)), now);
        return status.equals(application.status())
                ? Plan.NONE
                : Plan.none().setStatus(GitOpsKinds.APPLICATION, application, status);
    }

    private String mark() {
        return "delete/"
                + application.deletionTimestamp().map(Instant::toString).orElse("");
    }

    private boolean isOurs(Managed hook) {
        return hook.live()
                .filter(live ->
                        live.string("metadata", "annotations", Marks.OPERATION).equals(mark()))
                .isPresent();
    }

    private boolean isDone(Managed hook) {
        return isOurs(hook)
                && hook.health().map(it -> it.is(Health.Code.HEALTHY)).orElse(true);
    }

    private Optional<SyncStep.Action> step(Managed hook) {
        if (hook.live().isPresent()) {
            return isOurs(hook) || hook.isDeleting()
                    ? Optional.empty()
                    : Optional.of(new SyncStep.Action(
                            SyncStep.Verb.DELETE, hook.key(), hook.live().get(), Optional.empty()));
        }
        var target =
                hook.target().orElseThrow().with(List.of("metadata", "annotations", Marks.OPERATION), Json.of(mark()));
        return Optional.of(new SyncStep.Action(SyncStep.Verb.APPLY, hook.key(), target, Optional.empty()));
    }

    private static List<SyncStep.Action> leaving(List<Managed> hooks) {
        return hooks.stream()
                .filter(each -> Marks.deletePolicies(each.object()).contains(Marks.DeletePolicy.HOOK_SUCCEEDED))
                .map(each -> new SyncStep.Action(
                        SyncStep.Verb.DELETE, each.key(), each.live().orElseThrow(), Optional.empty()))
                .toList();
    }
}
