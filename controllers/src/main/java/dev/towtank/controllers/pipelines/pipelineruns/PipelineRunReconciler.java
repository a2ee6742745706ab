package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.pipelines.api.PipelineRun;
import dev.towtank.controllers.pipelines.graph.Progress;
import dev.towtank.controllers.pipelines.graph.RunState;
import dev.towtank.controllers.pipelines.graph.Schedule;
import dev.towtank.controllers.pipelines.graph.Situation;
import dev.towtank.controllers.pipelines.graph.StartGate;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.controllers.pipelines.runs.RunStatus.Outcome;
import dev.towtank.controllers.pipelines.substitution.Growth;
import dev.towtank.controllers.pipelines.substitution.PipelineVariables;
import dev.towtank.controllers.pipelines.substitution.Replacements;
import dev.towtank.controllers.pipelines.substitution.TaskSubstitution;
import dev.towtank.controllers.pipelines.taskruns.RunClaims;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Decides what a PipelineRun needs next: runs of its tasks, a new status, an end.
public final class PipelineRunReconciler implements Reconciler<PipelineRun, PipelineRunFacts> {

    private static final String MANAGER = "tekton.dev/pipeline";
    // The status of a large run is large: it is not written for every task, and the larger the less often.
    private static final int LARGE = 200;
    private static final int MUCH_LARGER = 2500;
    private static final Duration PAUSE = Duration.ofSeconds(2);

    @Override
    public Plan reconcile(Observed<PipelineRun> observed, PipelineRunFacts facts, Instant now) {
        var run = observed.object();
        var value = observed.value();
        if (run.isDeleting() || isOfOthers(value)) {
            return Plan.NONE;
        }
        if (value.isDone()) {
            return tidy(run, facts);
        }
        return new Look(run, value, facts, now).decide();
    }

    static boolean isOfOthers(PipelineRun run) {
        return run.spec().managedBy().filter(by -> !by.equals(MANAGER)).isPresent();
    }

    /// Claims that go with the end of the run.
    private static Plan tidy(Resource run, PipelineRunFacts facts) {
        var asked = run.annotations()
                .getOrDefault("tekton.dev/auto-cleanup-pvc", "")
                .equals("true");
        var plan = Plan.NONE;
        if (asked || facts.settings().removesClaims()) {
            for (var claim : RunClaims.of(run)) {
                var found = facts.world().claim(claim.name());
                plan = found.isPresent() ? plan.delete(PersistentVolumeClaims.KIND, found.get()) : plan;
            }
        }
        return plan;
    }

    /// One look at one run.
    private static final class Look {
        private final Resource run;
        private final PipelineRun value;
        private final PipelineRunFacts facts;
        private final Instant now;
        private final RunStatus before;
        private final Children children;
        private final Timeouts timeouts;

        Look(Resource run, PipelineRun value, PipelineRunFacts facts, Instant now) {
            this.run = run;
            this.value = value;
            this.facts = facts;
            this.now = now;
            this.before = RunStatus.of(run);
            this.children = facts.children();
            this.timeouts = Timeouts.of(value, facts.settings());
        }

        Plan decide() {
            if (value.isPending() && !before.json().has("startTime")) {
                return named().then(write(before.with(
                        Outcome.running("PipelineRunPending", "PipelineRun \"%s\" is pending".formatted(run.name())),
                        now)));
            }
            var status = started();
            if (value.isCancelled()) {
                return Cancellation.cancel(children.all())
                        .then(named())
                        .then(end(
                                status,
                                Outcome.failed("Cancelled", "PipelineRun \"%s\" was cancelled".formatted(run.name()))));
            }
            try {
                return goOn(status);
            } catch (Growth.TooLong e) {
                return Cancellation.cancel(children.all())
                        .then(end(
                                status,
                                Outcome.failed(
                                        "PipelineValidationFailed",
                                        "Failed to apply parameters to PipelineRun %s/%s: %s%s"
                                                .formatted(
                                                        run.namespace(), run.name(), RunStatus.USER_ERROR, e.text()))));
            }
        }

        private Plan goOn(RunStatus status) {
            var known = facts.draft().blueprint();
            if (known.isPresent()) {
                return proceed(status, known.get());
            }
            return switch (new BlueprintBuilder(run, value, facts).build()) {
                case BlueprintBuilder.Result.Waiting(var outcome, var ask) ->
                    ask.then(named()).then(write(status.with(outcome, now)));
                case BlueprintBuilder.Result.Failed(var outcome, var definition) ->
                    Cancellation.cancel(children.all())
                            .then(definition.map(this::labelled).orElseGet(this::named))
                            .then(end(
                                    definition
                                            .map(found -> withDefinition(status, found))
                                            .orElse(status),
                                    outcome));
                case BlueprintBuilder.Result.Ready(var blueprint) -> proceed(status, blueprint);
            };
        }

        private Plan named() {
            return PipelineRunMetadata.put(run, PipelineRunMetadata.named(run, value));
        }

        private Plan labelled(Definition definition) {
            return PipelineRunMetadata.put(run, PipelineRunMetadata.merged(run, value, definition));
        }

        private RunStatus withDefinition(RunStatus at, Definition definition) {
            var next = at.json().has("pipelineSpec") ? at : at.with("pipelineSpec", definition.json());
            if (!facts.settings().flags().enableProvenanceInStatus()
                    || next.json().has("provenance")) {
                return next;
            }
            var provenance = new LinkedHashMap<String, Json>();
            provenance.put("featureFlags", facts.settings().provenance());
            definition
                    .source()
                    .flatMap(found -> found.source())
                    .ifPresent(source -> provenance.put("refSource", source));
            return next.with("provenance", Json.Obj.copyOf(provenance));
        }

        private RunStatus started() {
            var created = run.creationTimestamp().filter(moment -> moment.isAfter(now));
            return before.stamped("startTime", created.orElse(now));
        }

        private Plan end(RunStatus status, Outcome outcome) {
            return write(status.with(outcome, now).with("completionTime", RunStatus.time(now)));
        }

        private Plan proceed(RunStatus status, Blueprint blueprint) {
            var values = new TaskValues(run.namespace(), run.name(), blueprint, children);
            try {
                var goesOn = !value.isGracefullyCancelled()
                        && !Timeouts.isOver(timeouts.tasksEnd(status), now)
                        && !Timeouts.isOver(timeouts.pipelineEnd(status), now);
                var progress = facts.draft().progress().filter(_ -> goesOn).orElseGet(() -> values.progress(goesOn));
                return new Step(status, blueprint, values, progress).plan();
            } catch (TaskValues.Broken e) {
                return Cancellation.cancel(children.all()).then(end(status, e.outcome()));
            }
        }

        private Plan write(RunStatus status) {
            var plan = Plan.NONE.setStatus(PipelineKinds.PIPELINE_RUN, run, status.json());
            if (plan.changes().isEmpty()) {
                return plan;
            }
            for (var event : RunStatus.events(run, before, status)) {
                plan = plan.then(event);
            }
            return plan;
        }

        /// What follows from how far the run has come.
        private final class Step {
            private final Blueprint blueprint;
            private final TaskValues values;
            private final Progress progress;
            private final Schedule schedule;
            private final StartGate finallyGate;
            private RunStatus status;

            Step(RunStatus status, Blueprint blueprint, TaskValues values, Progress progress) {
                this.status = status;
                this.blueprint = blueprint;
                this.values = values;
                this.progress = progress;
                this.schedule = progress.in(situation(status));
                this.finallyGate = values.gate(schedule);
            }

            private Situation situation(RunStatus at) {
                return new Situation(
                        value.isGracefullyCancelled(),
                        value.isGracefullyStopped(),
                        Timeouts.isOver(timeouts.pipelineEnd(at), now),
                        Timeouts.isOver(timeouts.tasksEnd(at), now),
                        Timeouts.isOver(timeouts.finallyEnd(at), now));
            }

            Plan plan() {
                var plan = stopping();
                var created =
                        Timeouts.isOver(timeouts.pipelineEnd(status), now) ? List.<ChildBuilder.Child>of() : create();
                if (children.isEmpty()) {
                    plan = plan.then(claims());
                }
                plan = plan.then(Look.this.labelled(blueprint.definition()));
                for (var child : created) {
                    plan = plan.then(new Change.TryCreate(
                            child.kind(), child.object(), new ChildRefused(run, child.object(), before, status, now)));
                }
                return plan.then(report(created));
            }

            /// Ends what must not go on.
            private Plan stopping() {
                if (Timeouts.isOver(timeouts.pipelineEnd(status), now)) {
                    return Cancellation.timeOut(children.all());
                }
                if (value.isGracefullyCancelled()) {
                    return Cancellation.cancel(running(false));
                }
                if (Timeouts.isOver(timeouts.finallyEnd(status), now)) {
                    return Cancellation.timeOut(running(true));
                }
                return Timeouts.isOver(timeouts.tasksEnd(status), now)
                                && !status.json().has("finallyStartTime")
                        ? Cancellation.timeOut(running(false))
                        : Plan.NONE;
            }

            private List<ChildRun> running(boolean isFinally) {
                return blueprint.tasks().values().stream()
                        .filter(task -> task.isFinally() == isFinally)
                        .flatMap(task -> children.of(task.name()).stream())
                        .filter(child -> !child.isOver())
                        .toList();
            }

            private List<ChildBuilder.Child> create() {
                var builder = new ChildBuilder(
                        labelled(),
                        value,
                        blueprint,
                        facts.settings(),
                        timeouts,
                        bindings(),
                        facts.world().ancestors());
                var created = new ArrayList<ChildBuilder.Child>();
                for (var name : schedule.ready()) {
                    created.addAll(builder.children(blueprint.task(name), complete(name, Replacements.NONE)));
                }
                for (var name : schedule.readyFinally(finallyGate)) {
                    var task = blueprint.task(name);
                    created.addAll(builder.children(task, complete(name, values.statuses(task, schedule))));
                }
                if (schedule.isFinallyReached(finallyGate)) {
                    status = status.stamped("finallyStartTime", now);
                }
                created.addAll(missing(builder));
                return created;
            }

            // Children take the labels that the run itself is about to get.
            private Resource labelled() {
                return PipelineRunMetadata.merged(run, value, blueprint.definition());
            }

            private Json.Obj complete(String task, Replacements more) {
                return values.completeJson(blueprint.task(task), more);
            }

            /// Combinations of a matrix that we were gone before we could create.
            private List<ChildBuilder.Child> missing(ChildBuilder builder) {
                var missing = new ArrayList<ChildBuilder.Child>();
                if (value.isGracefullyCancelled() || Timeouts.isOver(timeouts.tasksEnd(status), now)) {
                    return missing;
                }
                for (var task : blueprint.tasks().values()) {
                    if (task.value().isMatrixed() && progress.run(task.name()) == RunState.RUNNING) {
                        var more = task.isFinally() ? values.statuses(task, schedule) : Replacements.NONE;
                        var names = children.of(task.name()).stream()
                                .map(ChildRun::name)
                                .toList();
                        builder.children(task, complete(task.name(), more)).stream()
                                .filter(child -> !names.contains(child.object().name()))
                                .forEach(missing::add);
                    }
                }
                return missing;
            }

            private List<Json.Obj> bindings() {
                var bindings = run.spec().array("workspaces");
                if (bindings.size() == 0 || !bindings.toString().contains("$(")) {
                    return bindings.objects();
                }
                var results = new LinkedHashMap<String, String>();
                if (bindings.toString().contains("$(tasks.")) {
                    blueprint
                            .tasks()
                            .values()
                            .forEach(task -> children.results(
                                            task.name(), task.value().isMatrixed())
                                    .forEach((name, result) -> results.put(
                                            "tasks." + task.name() + ".results." + name, result.textOrEmpty())));
                }
                var variables =
                        PipelineVariables.givenParams(value.spec().params()).and(Replacements.ofStrings(results));
                return TaskSubstitution.applyToWorkspaceBindings(bindings, variables)
                        .objects();
            }

            private Plan claims() {
                var plan = Plan.NONE;
                for (var claim : RunClaims.of(run)) {
                    if (!facts.world().hasClaim(claim.name())) {
                        plan = plan.create(PersistentVolumeClaims.KIND, claim);
                    }
                }
                return plan;
            }

            private Plan report(List<ChildBuilder.Child> created) {
                var report = new RunReport(
                        run, value, blueprint, children, values, schedule, finallyGate, timeouts, created);
                var outcome = report.outcome(status, now);
                var mayWait = isLarge() && !outcome.isOver() && sameReason(outcome) && justWritten();
                if (mayWait) {
                    return Plan.lookAgainAt(mayBeWritten());
                }
                var next = withDefinition(status, blueprint.definition())
                        .withNonEmpty("childReferences", report.childReferences())
                        .withNonEmpty("skippedTasks", report.skippedTasks())
                        .with(outcome, now);
                if (outcome.isOver()) {
                    next = ended(report, next);
                }
                var plan = outcome.isOver() ? write(next).then(problemEvents()) : write(next);
                return timeouts.next(next, now)
                        .filter(_ -> !outcome.isOver())
                        .map(moment -> plan.then(Plan.lookAgainAt(moment)))
                        .orElse(plan);
            }

            private RunStatus ended(RunReport report, RunStatus at) {
                var results = report.results();
                var next =
                        at.withNonEmpty("results", RunReport.json(results)).with("completionTime", RunStatus.time(now));
                return results.complaint()
                        .map(complaint -> next.with(
                                Outcome.failed(
                                        "CouldntGetPipelineResult",
                                        "Failed to get PipelineResult from TaskRun Results for PipelineRun %s: %s"
                                                .formatted(run.name(), complaint)),
                                now))
                        .orElse(next);
            }

            private boolean isLarge() {
                return blueprint.tasks().size() > LARGE;
            }

            private boolean sameReason(Outcome outcome) {
                return before.outcome()
                        .map(Outcome::reason)
                        .filter(outcome.reason()::equals)
                        .isPresent();
            }

            private Instant lastWritten() {
                return before.json().objects("conditions").stream()
                        .findFirst()
                        .map(condition -> Instant.parse(condition.string("lastTransitionTime")))
                        .orElse(Instant.EPOCH);
            }

            private Instant mayBeWritten() {
                return lastWritten()
                        .plus(PAUSE.multipliedBy(1 + blueprint.tasks().size() / MUCH_LARGER));
            }

            private boolean justWritten() {
                return now.isBefore(mayBeWritten());
            }

            private Plan problemEvents() {
                var plan = Plan.NONE;
                for (var problem : schedule.invalid().entrySet()) {
                    plan = plan.then(Change.Event.warning(
                            run,
                            "ResultValidationFailed",
                            "Task \"%s\" failed result validation: %s"
                                    .formatted(problem.getKey(), problem.getValue())));
                }
                return plan;
            }
        }
    }
}
