package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Cluster.Propagation;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.gitops.ApplicationFacts.Condition;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.controllers.gitops.sync.SyncPlanner;
import dev.towtank.controllers.gitops.sync.SyncStep;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Compares what a repository wants with what lives, and brings them together.
final class ApplicationReconciler implements Reconciler<Json.Obj, ApplicationFacts> {

    /// Asks for a look into the repository at once.
    private static final Duration UNREACHABLE_PAUSE = Duration.ofSeconds(5);

    static final String REFRESH = "argocd.argoproj.io/refresh";

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, ApplicationFacts facts, Instant now) {
        var application = primary.object();
        if (facts.isPending()) {
            return Plan.NONE;
        }
        if (application.isDeleting()) {
            return facts.problems().isEmpty()
                    ? new ApplicationDeletion(application, facts, now).next()
                    : undeletable(primary, facts, now);
        }
        var plan = facts.compared().isEmpty()
                ? failed(primary, facts, now)
                : ApplicationDeletion.prepared(
                                application, facts.compared().get().deletionHooks())
                        .then(compared(primary, facts, now))
                        .then(HookRefusals.events(
                                application,
                                primary.status().object("operationState"),
                                facts.compared().get()));
        return application.annotations().containsKey(REFRESH)
                ? refreshed(application).then(plan)
                : plan;
    }

    private static Plan refreshed(Resource application) {
        var fields = Json.Obj.of("metadata", Json.Obj.of("annotations", Json.Obj.of(REFRESH, Json.Null.NULL)));
        return Plan.none().patch(GitOpsKinds.APPLICATION, application, fields);
    }

    private static Plan written(Resource application, Json.Obj status, Instant now) {
        var old = application.status();
        return status.equals(old)
                ? Plan.NONE
                : Plan.none()
                        .setStatus(
                                GitOpsKinds.APPLICATION,
                                application,
                                status.with("reconciledAt", Json.of(Timestamps.seconds(now))));
    }

    private static Plan failed(Observed<Json.Obj> primary, ApplicationFacts facts, Instant now) {
        var application = primary.object();
        var spec = ApplicationSpec.of(application);
        var status = ApplicationStatus.withConditions(
                ApplicationStatus.unknown(primary.status(), spec, now), facts.problems(), now);
        if (facts.isUnreachable()) {
            // A sync that runs goes on when the cluster is back.
            return written(application, status, now).then(Plan.lookAgainAt(now.plus(UNREACHABLE_PAUSE)));
        }
        if (!application.json().has("operation")) {
            return written(application, status, now);
        }
        var first = facts.problems().getFirst();
        var state = status.object("operationState").size() > 0 && isRunning(status.object("operationState"))
                ? status.object("operationState")
                : Json.Obj.of(
                        "operation",
                        application.json().object("operation"),
                        "startedAt",
                        Json.of(Timestamps.seconds(now)));
        var ended = state.with("phase", Json.of("Error"))
                .with("message", Json.of(first.type() + ": " + first.message()))
                .with("finishedAt", Json.of(Timestamps.seconds(now)));
        return written(application, status.with("operationState", ended), now).then(withoutOperation(application));
    }

    private static boolean isRunning(Json.Obj state) {
        return state.string("phase").equals("Running");
    }

    private static Plan withoutOperation(Resource application) {
        return application.json().has("operation")
                ? Plan.none().patch(GitOpsKinds.APPLICATION, application, Json.Obj.of("operation", Json.Null.NULL))
                : Plan.NONE;
    }

    /// The wish goes before its end is told: what was done and is still wished for would be done again by a server that
    /// starts in between, while a sync that runs needs no wish to go on.
    private static Plan ended(Resource application, Json.Obj status, Instant now) {
        return withoutOperation(application).then(written(application, status, now));
    }

    private static Plan compared(Observed<Json.Obj> primary, ApplicationFacts facts, Instant now) {
        var application = primary.object();
        var spec = ApplicationSpec.of(application);
        var compared = facts.compared().orElseThrow();
        var status = ApplicationStatus.compared(primary.status(), spec, compared, now);
        var state = status.object("operationState");
        var conditions = new ArrayList<Condition>(facts.warnings());
        conditions.addAll(facts.problems());
        conditions.addAll(Contests.of(primary.status(), compared, now));
        compared.resources().stream()
                .flatMap(each -> each.refusal().stream())
                .filter(refusal -> refusal.cause() == Managed.Refusal.Cause.REFUSED
                        || refusal.cause() == Managed.Refusal.Cause.NOT_PERMITTED)
                .forEach(refusal -> conditions.add(new Condition("ComparisonError", refusal.message())));
        conditions.addAll(HookRefusals.of(state));
        if (isRunning(state)) {
            var told = ApplicationStatus.withConditions(status, conditions, now);
            return advanced(application, spec, facts, told, now);
        }
        if (state.string("phase").equals("Terminating")) {
            return terminated(application, facts.remains(), status, now);
        }
        if (application.json().has("operation")) {
            var told = ApplicationStatus.withConditions(status, conditions, now);
            return begun(application, spec, facts, told, now);
        }
        return switch (AutoSync.decide(spec, compared, state, now)) {
            case AutoSync.Nothing _ ->
                written(application, ApplicationStatus.withConditions(status, conditions, now), now);
            case AutoSync.Later(var at) ->
                written(application, ApplicationStatus.withConditions(status, conditions, now), now)
                        .then(Plan.lookAgainAt(at));
            case AutoSync.Refused(var why) -> {
                conditions.add(new Condition("SyncError", why));
                yield written(application, ApplicationStatus.withConditions(status, conditions, now), now);
            }
            case AutoSync.Begin(var operation) -> {
                var hours = facts.pace().windows().at(now, false, false);
                if (!hours.isOpen()) {
                    conditions.add(new Condition("SyncWindowWarning", "automated sync is " + hours.why()));
                }
                // First what there is to lose sight of, then what may change it.
                var told = written(application, ApplicationStatus.withConditions(status, conditions, now), now);
                yield hours.isOpen()
                        ? told.patch(GitOpsKinds.APPLICATION, application, Json.Obj.of("operation", operation))
                                .then(Change.Event.normal(
                                        application,
                                        "OperationStarted",
                                        "Initiated automated sync to '" + String.join(", ", compared.revisions())
                                                + "'"))
                        : told.then(later(hours));
            }
        };
    }

    private static Plan later(SyncWindows.Verdict hours) {
        return hours.changes().map(Plan::lookAgainAt).orElse(Plan.NONE);
    }

    private static Plan begun(
            Resource application, ApplicationSpec spec, ApplicationFacts facts, Json.Obj status, Instant now) {
        var operation = application.json().object("operation");
        var problem = Operations.problem(operation)
                .or(() -> facts.problems().stream().map(Condition::message).findFirst());
        if (problem.isEmpty()) {
            var begun = Operations.begun(operation, spec, facts.begins(), now);
            return written(application, status.with("operationState", begun), now);
        }
        var refused = Json.Obj.builder()
                .put("operation", operation)
                .put("phase", "Error")
                .put("message", problem.get())
                .put("startedAt", Timestamps.seconds(now))
                .put("finishedAt", Timestamps.seconds(now))
                .build();
        return written(application, status.with("operationState", refused), now).then(withoutOperation(application));
    }

    /// Hooks that run end with the operation.
    private static Plan terminated(Resource application, List<Managed> running, Json.Obj status, Instant now) {
        var ended = status.object("operationState")
                .with("phase", Json.of("Failed"))
                .with("message", Json.of("Operation terminated"))
                .with("finishedAt", Json.of(Timestamps.seconds(now)));
        var told = ended(application, status.with("operationState", ended), now);
        var actions = ApplicationDeletion.removal(running);
        return actions.isEmpty()
                ? told
                : Plan.of(new Change.Act(
                        new SyncDeed(application, actions, Propagation.BACKGROUND, Set.of()), new Afterwards(told)));
    }

    private record Afterwards(Plan plan) implements Deed.Sequel {
        @Override
        public Plan after(Json result) {
            return plan;
        }
    }

    private static Plan advanced(
            Resource application, ApplicationSpec spec, ApplicationFacts facts, Json.Obj status, Instant now) {
        var state = status.object("operationState");
        if (!ApplicationFacts.isStepping(state)) {
            if (isOvertaken(state, facts)) {
                var ended = state.with("phase", Json.of("Failed"));
                return ended(application, status.with("operationState", ended), now);
            }
            var due = Operations.retryAt(state);
            return due.isAfter(now)
                    ? written(application, status, now).then(Plan.lookAgainAt(due))
                    : written(application, status.with("operationState", retried(state, facts)), now);
        }
        var hours = facts.pace()
                .windows()
                .at(
                        now,
                        !state.flag("operation", "initiatedBy", "automated"),
                        !Operations.results(state).isEmpty());
        if (!hours.isOpen()) {
            var blocked = state.with("message", Json.of(SyncWindows.BLOCKED + ": " + hours.why()));
            return written(application, status.with("operationState", blocked), now)
                    .then(later(hours));
        }
        if (facts.sync().isEmpty()) {
            var message = facts.problems().stream()
                    .map(Condition::message)
                    .findFirst()
                    .orElse("");
            var step = new SyncStep(List.of(), Operations.results(state), "Error", message, false);
            return new Sequel(application, spec, status, step, now).after(Json.Null.NULL);
        }
        var step = SyncPlanner.next(facts.sync().get());
        var due = Operations.nextWaveAt(state, facts.pace().betweenWaves());
        if (due.isAfter(now) && step.actions().stream().anyMatch(action -> action.verb() == SyncStep.Verb.APPLY)) {
            return written(application, status, now).then(Plan.lookAgainAt(due));
        }
        var sequel = new Sequel(application, spec, status, step, now);
        return step.actions().isEmpty()
                ? sequel.after(Json.Null.NULL)
                : Plan.of(new Change.Act(
                        new SyncDeed(application, step.actions(), propagation(state), options(state)), sequel));
    }

    private static Json.Obj retried(Json.Obj state, ApplicationFacts facts) {
        return Operations.retried(
                state,
                facts.compared().map(ApplicationFacts.Compared::revisions).orElse(List.of()));
    }

    /// A newer commit may be the cure, so nobody waits for another attempt with the old one.
    private static boolean isOvertaken(Json.Obj state, ApplicationFacts facts) {
        return state.flag("operation", "initiatedBy", "automated")
                && facts.compared()
                        .filter(it -> !it.revisions().equals(Operations.revisions(state.object("operation", "sync"))))
                        .isPresent();
    }

    private static Set<String> options(Json.Obj state) {
        var options =
                new HashSet<>(state.array("operation", "sync", "syncOptions").strings());
        var strategy = state.object("operation", "sync", "syncStrategy");
        if (strategy.flag("apply", "force") || strategy.flag("hook", "force")) {
            options.add("Force=true");
        }
        return options;
    }

    private static Propagation propagation(Json.Obj state) {
        var options = options(state);
        if (options.contains("PrunePropagationPolicy=background")) {
            return Propagation.BACKGROUND;
        }
        return options.contains("PrunePropagationPolicy=orphan") ? Propagation.ORPHAN : Propagation.FOREGROUND;
    }

    /// Writes down how far the operation is.
    private record Sequel(Resource application, ApplicationSpec spec, Json.Obj status, SyncStep step, Instant now)
            implements Deed.Sequel {

        private static final Duration OFTEN = Duration.ofSeconds(1);
        private static final Duration SELDOM = Duration.ofSeconds(30);

        /// What a running hook writes changes no object, so that nobody would look.
        private Plan attended() {
            if (step.results().stream().noneMatch(each -> each.isHook() && each.isRunning())) {
                return Plan.NONE;
            }
            var began = Timestamps.parseSeconds(status.string("operationState", "startedAt"))
                    .orElse(now);
            var half = Duration.between(began, now).dividedBy(2);
            return Plan.lookAgainAt(
                    now.plus(half.compareTo(OFTEN) < 0 ? OFTEN : half.compareTo(SELDOM) > 0 ? SELDOM : half));
        }

        @Override
        public Plan after(Json result) {
            var done = result instanceof Json.Null ? step : step.after(SyncHands.read(result));
            var state = Operations.advanced(status.object("operationState"), done, now);
            var told = status.with("operationState", state);
            if (isRunning(state)) {
                return written(application, told, now)
                        .then(state.has("finishedAt") ? Plan.lookAgainAt(Operations.retryAt(state)) : attended());
            }
            boolean isGood = state.string("phase").equals("Succeeded");
            var whole = isGood && !state.flag("operation", "sync", "dryRun")
                    ? ApplicationStatus.withHistory(told, spec, state, now)
                    : told;
            var text = "Sync operation to " + state.string("syncResult", "revision")
                    + (isGood ? " succeeded" : " failed: " + state.string("message"));
            return ended(application, whole, now)
                    .then(
                            isGood
                                    ? Change.Event.normal(application, "OperationCompleted", text)
                                    : Change.Event.warning(application, "OperationCompleted", text));
        }
    }

    private static Plan undeletable(Observed<Json.Obj> primary, ApplicationFacts facts, Instant now) {
        return written(primary.object(), ApplicationStatus.withConditions(primary.status(), facts.problems(), now), now)
                .then(facts.isUnreachable() ? Plan.lookAgainAt(now.plus(UNREACHABLE_PAUSE)) : Plan.NONE);
    }
}
