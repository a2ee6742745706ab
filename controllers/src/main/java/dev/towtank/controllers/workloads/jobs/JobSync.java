package dev.towtank.controllers.workloads.jobs;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.controllers.workloads.pods.StatusConditions;
import dev.towtank.controllers.workloads.pods.Times;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.batch.Jobs;
import dev.towtank.model.kinds.core.Pods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// One look at a Job that is not finished.
final class JobSync {

    /// Why a Job ends, and how.
    record Outcome(boolean success, String reason, String message) {
        static Outcome failure(String reason, String message) {
            return new Outcome(false, reason, message);
        }

        String firstCondition() {
            return success ? "SuccessCriteriaMet" : "FailureTarget";
        }

        String lastCondition() {
            return success ? "Complete" : "Failed";
        }
    }

    private final JobSpec spec;
    private final Instant now;
    private final boolean hadProblem;
    private final Accounts accounts;
    private final JobIndexState indexes;
    private final Predicate<String> taken;

    private final List<Pod> pods;
    private final List<Pod> active;
    private final Plan.Builder actions = new Plan.Builder();
    private final List<Change.Event> events = new ArrayList<>();

    private StatusConditions conditions;
    private Optional<Instant> startTime;
    private Optional<Instant> completionTime = Optional.empty();
    private Optional<Instant> lookAgain = Optional.empty();
    private boolean createsPods;
    private long activeCount;
    private long ready;
    private long terminating;

    JobSync(JobSpec spec, List<Pod> pods, Predicate<String> taken, boolean hadProblem, Instant now) {
        this.spec = spec;
        this.pods = pods;
        this.taken = taken;
        this.hadProblem = hadProblem;
        this.now = now;
        this.active = pods.stream().filter(Pod::isActive).toList();
        this.activeCount = active.size();
        this.ready = active.stream().filter(Pod::isReady).count();
        this.terminating = pods.stream().filter(Pod::isTerminating).count();
        this.accounts = new Accounts(spec, pods);
        this.indexes = new JobIndexState(spec, pods);
        this.conditions = StatusConditions.of(spec.object().status());
        this.startTime = Times.parse(spec.object().status().get("startTime"));
    }

    Plan run() {
        if (startTime.isEmpty() && !spec.isSuspended()) {
            startTime = Optional.of(now);
        }
        var outcome = outcome();
        if (outcome.isPresent()) {
            active.forEach(pod -> delete(pod, false));
        } else {
            if (!spec.object().isDeleting()) {
                manage();
            }
            outcome = completion();
            if (outcome.isEmpty() && !spec.object().isDeleting()) {
                noteSuspension();
            }
        }
        var released = accounts.settle(outcome, indexes);
        outcome.ifPresent(this::end);
        var plan = new Plan.Builder();
        if (createsPods) {
            // Even if nothing changes: where this Job is old, and pods were counted since that seem to be missing here,
            // the write is refused, and with it the pods in their place.
            plan.add(new Change.SetStatus(Jobs.KIND, spec.object(), status()));
        } else {
            plan.setStatus(Jobs.KIND, spec.object(), status());
        }
        events.forEach(plan::add);
        released.forEach(pod -> plan.patch(Pods.KIND, pod.object(), released(pod)));
        return plan.add(actions.build()).build(lookAgain);
    }

    /// Taking the finalizer from a pod that is counted.
    static Json.Obj released(Pod pod) {
        var rest = new ArrayList<>(pod.object().finalizers());
        rest.remove(JobSpec.FINALIZER);
        return Json.Obj.of("metadata", Json.Obj.of("finalizers", Json.Arr.ofStrings(rest)));
    }

    private Optional<Outcome> outcome() {
        return known("SuccessCriteriaMet", true)
                .or(() -> known("FailureTarget", false))
                .or(this::policyFailure)
                .or(this::limitExceeded)
                .or(this::deadlineExceeded)
                .or(() -> indexes.outcome());
    }

    private Optional<Outcome> known(String condition, boolean success) {
        return conditions
                .find(condition)
                .filter(found -> found.string("status").equals("True"))
                .map(found -> new Outcome(success, found.string("reason"), found.string("message")));
    }

    private Optional<Outcome> policyFailure() {
        var policy = spec.failurePolicy();
        return policy.rules().isEmpty()
                ? Optional.empty()
                : pods.stream()
                        .filter(spec::considersFailed)
                        .flatMap(pod -> policy.judge(pod).message().stream())
                        .findFirst()
                        .map(message -> Outcome.failure("PodFailurePolicy", message));
    }

    private Optional<Outcome> limitExceeded() {
        boolean exceeded = accounts.failed() > spec.backoffLimit();
        if (!exceeded && spec.restartsContainers()) {
            long restarts = pods.stream()
                    .filter(pod -> List.of("Running", "Pending").contains(pod.phase()))
                    .mapToLong(pod -> pod.restarts()
                            + pod.initContainerStatuses().stream()
                                    .mapToLong(status -> status.integer("restartCount"))
                                    .sum())
                    .sum();
            exceeded = spec.backoffLimit() == 0 ? restarts > 0 : restarts >= spec.backoffLimit();
        }
        return exceeded
                ? Optional.of(Outcome.failure("BackoffLimitExceeded", "Job has reached the specified backoff limit"))
                : Optional.empty();
    }

    private Optional<Outcome> deadlineExceeded() {
        if (spec.isSuspended() || spec.activeDeadline().isEmpty() || startTime.isEmpty()) {
            return Optional.empty();
        }
        var deadline = startTime.get().plus(spec.activeDeadline().get());
        if (deadline.isAfter(now)) {
            lookAgain = Times.earliest(lookAgain, Optional.of(deadline));
            return Optional.empty();
        }
        return Optional.of(Outcome.failure("DeadlineExceeded", "Job was active longer than specified deadline"));
    }

    private long succeeded() {
        return spec.isIndexed() ? indexes.succeeded().size() : accounts.succeeded();
    }

    private void manage() {
        if (spec.isSuspended()) {
            active.forEach(pod -> delete(pod, true));
            return;
        }
        long wanted = wanted();
        var surplus = indexes.surplus(active, Math.max(0, active.size() - wanted));
        if (!surplus.isEmpty()) {
            surplus.stream().limit(Accounts.MOST_AT_ONCE).forEach(pod -> delete(pod, true));
            return;
        }
        long going = spec.replacesOnlyFailed() ? terminating : 0;
        long missing = Math.min(wanted - going - active.size(), Accounts.MOST_AT_ONCE);
        if (missing > 0) {
            create(missing);
        }
    }

    private long wanted() {
        if (spec.completions().isEmpty()) {
            return succeeded() > 0 ? active.size() : spec.parallelism();
        }
        return Math.max(0, Math.min(spec.parallelism(), spec.completions().get() - succeeded()));
    }

    private void create(long missing) {
        if (!spec.hasBackoffLimitPerIndex()) {
            var until = accounts.backoff().filter(moment -> moment.isAfter(now));
            if (until.isPresent()) {
                lookAgain = Times.earliest(lookAgain, until);
                return;
            }
        }
        if (spec.isIndexed()) {
            var creatable = indexes.next(active, missing, now);
            if (creatable.indexes().isEmpty()) {
                lookAgain = Times.earliest(lookAgain, creatable.lookAgain());
            }
            creatable.indexes().forEach(index -> create(JobPods.indexed(spec, taken, index, indexes.replaced(index))));
        } else {
            JobPods.plain(spec, accounts.succeeded() + accounts.failed(), taken, missing)
                    .forEach(this::create);
        }
    }

    private void create(Resource pod) {
        createsPods = true;
        actions.create(Pods.KIND, pod);
        actions.add(Change.Event.normal(spec.object(), "SuccessfulCreate", "Created pod: " + pod.name()));
        // What could not be created last time is not counted before it is there.
        activeCount += hadProblem ? 0 : 1;
    }

    /// @param uncounted whether the pod goes without being counted as failed
    private void delete(Pod pod, boolean uncounted) {
        if (uncounted && JobSpec.isTracked(pod)) {
            actions.patch(Pods.KIND, pod.object(), released(pod));
        }
        actions.delete(Pods.KIND, pod.object());
        actions.add(Change.Event.normal(spec.object(), "SuccessfulDelete", "Deleted pod: " + pod.name()));
        activeCount--;
        terminating++;
        ready -= pod.isReady() ? 1 : 0;
    }

    private Optional<Outcome> completion() {
        boolean complete =
                spec.completions().map(wanted -> succeeded() >= wanted).orElse(succeeded() > 0) && activeCount == 0;
        return complete
                ? Optional.of(new Outcome(true, "CompletionsReached", "Reached expected number of succeeded pods"))
                : Optional.empty();
    }

    private void noteSuspension() {
        if (spec.isSuspended()) {
            if (ensure("Suspended", "True", "JobSuspended", "Job suspended")) {
                events.add(Change.Event.normal(spec.object(), "Suspended", "Job suspended"));
                startTime = Optional.empty();
            }
        } else if (conditions.find("Suspended").isPresent()
                && ensure("Suspended", "False", "JobResumed", "Job resumed")) {
            events.add(Change.Event.normal(spec.object(), "Resumed", "Job resumed"));
            startTime = Optional.of(now);
        }
    }

    /// @return whether the condition was not like this
    private boolean ensure(String type, String status, String reason, String message) {
        var known = conditions.find(type);
        if (known.isPresent()
                && known.get().string("status").equals(status)
                && known.get().string("reason").equals(reason)
                && known.get().string("message").equals(message)) {
            return false;
        }
        conditions = conditions.plus(
                StatusConditions.condition(type, status, reason, message, now).with("lastProbeTime", Times.json(now)));
        return true;
    }

    /// The last condition waits until every pod is counted and gone.
    private void end(Outcome outcome) {
        ensure(outcome.firstCondition(), "True", outcome.reason, outcome.message);
        if (accounts.hasUncounted() || terminating > 0) {
            return;
        }
        ensure(outcome.lastCondition(), "True", outcome.reason, outcome.message);
        if (!outcome.success) {
            events.add(Change.Event.warning(spec.object(), outcome.reason, outcome.message));
            return;
        }
        completionTime = Optional.of(now);
        if (spec.completions().filter(wanted -> succeeded() > wanted).isPresent()) {
            events.add(Change.Event.warning(
                    spec.object(),
                    "TooManySucceededPods",
                    "Too many succeeded pods running after completion count reached"));
        }
        events.add(Change.Event.normal(spec.object(), "Completed", "Job completed"));
    }

    private Json.Obj status() {
        var builder = Json.Obj.builder().putNonEmpty("conditions", conditions.json());
        startTime.ifPresent(moment -> builder.put("startTime", Times.json(moment)));
        completionTime.ifPresent(moment -> builder.put("completionTime", Times.json(moment)));
        builder.putNonEmpty("active", Json.of(activeCount));
        builder.putNonEmpty(
                "succeeded", Json.of(spec.isIndexed() ? indexes.succeeded().size() : accounts.countedSucceeded()));
        builder.putNonEmpty("failed", Json.of(accounts.countedFailed()));
        builder.put("terminating", terminating);
        if (spec.isIndexed()) {
            builder.putNonEmpty("completedIndexes", indexes.succeeded().toString());
            indexes.failed().ifPresent(failed -> builder.put("failedIndexes", failed.toString()));
        }
        return builder.put("uncountedTerminatedPods", accounts.uncounted())
                .put("ready", ready)
                .build();
    }
}
