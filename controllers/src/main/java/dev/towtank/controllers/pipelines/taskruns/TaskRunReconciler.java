package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.pipelines.api.TaskRun;
import dev.towtank.controllers.pipelines.api.TaskSpec;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.controllers.pipelines.runs.RunStatus.Outcome;
import dev.towtank.controllers.pipelines.substitution.Growth;
import dev.towtank.controllers.pipelines.substitution.TaskSubstitution;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Records;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import dev.towtank.model.kinds.core.Pods;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Decides what a TaskRun needs next: its pod, a new status, an end.
public final class TaskRunReconciler implements Reconciler<TaskRun, TaskRunFacts> {

    public static final String MANAGER = "tekton.dev/pipeline";
    static final String ON_ERROR = "pipeline.tekton.dev/pipeline-task-on-error";

    private final TektonImages images;

    public TaskRunReconciler(TektonImages images) {
        this.images = images;
    }

    @Override
    public Plan reconcile(Observed<TaskRun> observed, TaskRunFacts facts, Instant now) {
        var run = observed.object();
        var value = observed.value();
        if (run.isDeleting()
                || value.spec().managedBy().filter(by -> !by.equals(MANAGER)).isPresent()) {
            return Plan.NONE;
        }
        if (value.isDone()) {
            return new TaskRunEnd(run, value, facts, images).tidy();
        }
        return new Look(run, value, facts, now).decide();
    }

    /// One look at one run.
    private final class Look {
        private final Resource run;
        private final TaskRun value;
        private final TaskRunFacts facts;
        private final Instant now;
        private final RunStatus before;

        Look(Resource run, TaskRun value, TaskRunFacts facts, Instant now) {
            this.run = run;
            this.value = value;
            this.facts = facts;
            this.now = now;
            this.before = RunStatus.of(run);
        }

        Plan decide() {
            if (value.isCancelled()) {
                var message = "TaskRun \"%s\" was cancelled. %s"
                        .formatted(run.name(), value.spec().statusMessage());
                return marked().then(new TaskRunEnd(run, value, facts, images)
                        .stop(before, started(), "TaskRunCancelled", withPrevious(message), now));
            }
            if (value.isPending()) {
                return marked().then(write(before.with(
                        Outcome.running("TaskRunPending", "TaskRun \"%s\" is pending".formatted(run.name())), now)));
            }
            var status = started();
            var deadline = deadline(status);
            if (deadline.filter(moment -> !now.isBefore(moment)).isPresent()) {
                return stop(
                        "TaskRunTimeout",
                        withPrevious("TaskRun \"%s\" failed to finish within \"%s\""
                                .formatted(run.name(), Durations.format(timeout()))));
            }
            var stuck = facts.pod().flatMap(pod -> new StuckContainers(run, pod, facts.settings(), now).problem());
            if (stuck.isPresent()) {
                return stop(stuck.get().reason(), stuck.get().message());
            }
            var plan = facts.pod().map(pod -> follow(pod, status)).orElseGet(() -> begin(status));
            return deadline.filter(_ -> !ends(plan))
                    .map(moment -> plan.then(Plan.lookAgainAt(moment)))
                    .orElse(plan);
        }

        private static boolean ends(Plan plan) {
            return plan.changes().stream()
                    .anyMatch(change -> change instanceof Change.SetStatus(var _, var _, var status)
                            && new RunStatus(status).isOver());
        }

        private RunStatus started() {
            if (before.json().has("startTime")) {
                return before;
            }
            var created = run.creationTimestamp().filter(moment -> moment.isAfter(now));
            return before.stamped("startTime", created.orElse(now));
        }

        private Duration timeout() {
            return value.spec().timeLimit().orElseGet(() -> facts.settings().timeout());
        }

        private Optional<Instant> deadline(RunStatus status) {
            return timeout().isZero() ? Optional.empty() : status.end("startTime", timeout());
        }

        /// What a run was waiting for when it was ended tells why it had come to nothing.
        private String withPrevious(String message) {
            return before.outcome()
                    .filter(outcome -> !List.of("Started", "Running", "Pending").contains(outcome.reason())
                            && !outcome.message().isEmpty())
                    .map(outcome ->
                            "%s\nPrevious status: [%s] %s".formatted(message, outcome.reason(), outcome.message()))
                    .orElse(message);
        }

        private Plan marked() {
            return TaskRunMetadata.put(run, TaskRunMetadata.marked(run));
        }

        private Plan labelled(TaskPreparation.Known known) {
            return TaskRunMetadata.put(run, TaskRunMetadata.merged(run, value, known.taskName(), known.found()));
        }

        private Plan stop(String reason, String message) {
            return new TaskRunEnd(run, value, facts, images).stop(before, before, reason, message, now);
        }

        private Plan write(RunStatus status) {
            return TaskRunEnd.write(run, value, before, status, now);
        }

        private Plan follow(Resource pod, RunStatus status) {
            var task = Records.read(TaskSpec.class, value.status().taskSpec().orElseGet(() -> taskSpecOf(status)));
            var ignores = run.annotations().getOrDefault(ON_ERROR, "").equals("continue");
            var podStatus = new PodReport(pod, task, facts.settings(), ignores);
            if (!podStatus.isOver() || !ResultsSidecar.hasStarted(pod)) {
                return follow(pod, podStatus, status, PrintedResults.NONE);
            }
            // Until the log is there nothing is told of the end, which would be without its results.
            return facts.world()
                    .log(pod, ResultsSidecar.CONTAINER)
                    .newest()
                    .map(log ->
                            PrintedResults.read(log, facts.settings().flags().maxResultSize()))
                    .map(printed -> follow(pod, podStatus, status, printed))
                    .orElse(Plan.NONE);
        }

        private Plan follow(Resource pod, PodReport podStatus, RunStatus status, PrintedResults printed) {
            if (printed.problem().isPresent()) {
                return stop(
                        TaskRunEnd.TOO_LARGE,
                        RunStatus.USER_ERROR
                                + " TaskRun \"\"%s\"\" failed: %s"
                                        .formatted(run.name(), printed.problem().get()));
            }
            var next = podStatus.applyTo(status, printed, now);
            var plan = !next.json().string("podName").isEmpty() ? Plan.NONE : Plan.lookAgainAt(podStatus.namedAt());
            if (PodReport.isReady(pod) && !pod.annotations().containsKey(PodBuilder.READY)) {
                plan = plan.patch(
                        Pods.KIND, pod, Json.Obj.of("metadata", annotations(Map.of(PodBuilder.READY, "READY"))));
            }
            if (next.outcome()
                            .filter(outcome -> outcome.reason().equals("ExceededNodeResources"))
                            .isPresent()
                    && !before.outcome().equals(next.outcome())) {
                plan = plan.then(Change.Event.warning(
                        run,
                        "ExceededNodeResources",
                        "Insufficient resources to schedule pod \"%s\"".formatted(pod.name())));
            }
            return plan.then(write(next));
        }

        // The pod was made, and we were gone before the status was: what it runs is found again the same way.
        private Json.Obj taskSpecOf(RunStatus status) {
            return new TaskPreparation(run, value, facts).prepare() instanceof TaskPreparation.Result.Ready ready
                    ? ready.spec()
                    : status.json().object("taskSpec");
        }

        private Plan begin(RunStatus status) {
            return switch (new TaskPreparation(run, value, facts).prepare()) {
                case TaskPreparation.Result.Waiting(var outcome, var ask) -> ask.then(write(status.with(outcome, now)));
                case TaskPreparation.Result.Failed failed -> fail(status, failed);
                case TaskPreparation.Result.Ready ready -> {
                    try {
                        yield create(status, ready);
                    } catch (Growth.TooLong e) {
                        yield fail(status, TaskPreparation.tooLong(e));
                    }
                }
            };
        }

        private Plan fail(RunStatus status, TaskPreparation.Result.Failed failed) {
            return failed.known()
                    .map(this::labelled)
                    .orElseGet(this::marked)
                    .then(write(failed.known()
                            .map(found -> withDefinition(status, found.spec(), found.found())
                                    .with("steps", TaskRunMetadata.steps(found.spec(), found.found())))
                            .orElse(status)
                            .with(failed.outcome(), now)
                            .stamped("completionTime", now)));
        }

        private Plan create(RunStatus status, TaskPreparation.Result.Ready ready) {
            var credentials = credentials();
            var labelled = TaskRunMetadata.merged(run, value, ready.taskName(), ready.found());
            if (credentials.problem().isPresent()) {
                var outcome = Outcome.failed(
                        "TaskRunValidationFailed", credentials.problem().get());
                return TaskRunMetadata.put(run, labelled)
                        .then(write(withDefinition(status, ready.spec(), ready.found())
                                .with(outcome, now)
                                .stamped("completionTime", now)));
            }
            var plan = Plan.NONE;
            for (var claim : TaskWorkspaces.claims(run.spec().objects("workspaces"), run)) {
                if (!facts.world().hasClaim(claim.name())) {
                    plan = plan.create(PersistentVolumeClaims.KIND, claim);
                }
            }
            plan = plan.then(TaskRunMetadata.put(run, labelled));
            var pod = pod(labelled, ready, credentials);
            // Without the name of the pod: whoever reads it goes there, and there is no pod yet.
            var next = withDefinition(status, ready.spec(), ready.found())
                    .with(Outcome.running("Pending", "Pending"), now);
            var claim = claimed(next);
            var refused = new PodRefused(run, value, before, withDefinition(status, ready.spec(), ready.found()), now);
            // People can wait for what they are told, the pod need not.
            plan = plan.then(part(claim, change -> !(change instanceof Change.Event)))
                    .then(new Change.TryCreate(Pods.KIND, pod, refused))
                    .then(part(claim, Change.Event.class::isInstance));
            if (!credentials.missing().isEmpty()) {
                plan = plan.then(Change.Event.warning(
                        run,
                        "FailedToRetrieveSecret",
                        "Unable to retrieve some secrets (%s); attempting to use them may not succeed."
                                .formatted(String.join(", ", credentials.missing()))));
            }
            return plan;
        }

        private static Plan part(Plan plan, Predicate<Change> wanted) {
            return new Plan(plan.changes().stream().filter(wanted).toList(), Optional.empty());
        }

        /// Comes before the pod: with an old view of the run it is refused, and no pod is made for a run that is over.
        private Plan claimed(RunStatus next) {
            var write = write(next);
            return write.changes().isEmpty() ? Plan.NONE.patch(PipelineKinds.TASK_RUN, run, Json.Obj.EMPTY) : write;
        }

        private TaskCredentials credentials() {
            if (!facts.settings().createsCredentials()) {
                return TaskCredentials.NONE;
            }
            var name = value.spec().serviceAccountName().isEmpty()
                    ? facts.settings().defaults().serviceAccount()
                    : value.spec().serviceAccountName();
            return facts.world()
                    .serviceAccount(name)
                    .map(account -> TaskCredentials.of(
                            account,
                            facts.world()::secret,
                            facts.settings().flags().requireGitSshSecretKnownHosts()))
                    .orElse(TaskCredentials.NONE);
        }

        private Resource pod(Resource labelled, TaskPreparation.Result.Ready ready, TaskCredentials credentials) {
            var template = value.spec().podTemplate().orElse(Json.Obj.EMPTY);
            return new PodBuilder(
                            labelled,
                            value,
                            ready.mounted(),
                            TaskSubstitution.applyToPodTemplate(template, ready.params()),
                            timeout(),
                            value.status().retriesStatus().size(),
                            credentials,
                            facts.world().limitRanges(),
                            facts.settings(),
                            images,
                            facts.images())
                    .build();
        }

        private RunStatus withDefinition(RunStatus status, Json.Obj spec, TaskPreparation.Found found) {
            var next = status.with("taskSpec", spec);
            if (!found.stepSources().isEmpty()) {
                next = next.with("steps", TaskRunMetadata.steps(found));
            }
            if (!facts.settings().flags().enableProvenanceInStatus()) {
                return next;
            }
            var provenance = new LinkedHashMap<String, Json>();
            provenance.put("featureFlags", facts.settings().provenance());
            next.json().object("provenance").forEach(provenance::put);
            found.task().flatMap(task -> task.source()).ifPresent(source -> provenance.put("refSource", source));
            return next.with("provenance", Json.Obj.copyOf(provenance));
        }
    }

    static Json.Obj annotations(Map<String, String> annotations) {
        return Json.Obj.of("annotations", Json.Obj.ofStrings(annotations));
    }
}
