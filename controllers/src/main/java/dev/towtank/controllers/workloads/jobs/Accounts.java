package dev.towtank.controllers.workloads.jobs;

import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.model.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Counts the pods of a Job that ended, each exactly once.
///
/// A pod that ended is first noted as uncounted in the status. Then it loses its finalizer. Once that is seen, its uid
/// leaves the list and the counter rises, in one write.
final class Accounts {

    /// How many pods one look deals with: the status has to hold their uids.
    static final int MOST_AT_ONCE = 500;

    private final JobSpec spec;
    private final List<Pod> pods;
    private final FailurePolicy policy;
    private final Set<String> succeededUids = new LinkedHashSet<>();
    private final Set<String> failedUids = new LinkedHashSet<>();
    private final Set<String> tracked = new HashSet<>();
    private long countedSucceeded;
    private long countedFailed;
    private boolean reachedMost;

    Accounts(JobSpec spec, List<Pod> pods) {
        this.spec = spec;
        this.pods = pods;
        this.policy = spec.failurePolicy();
        var status = spec.object().status();
        this.countedSucceeded = status.integer("succeeded");
        this.countedFailed = status.integer("failed");
        succeededUids.addAll(
                status.array("uncountedTerminatedPods", "succeeded").strings());
        failedUids.addAll(status.array("uncountedTerminatedPods", "failed").strings());
        pods.stream().filter(JobSpec::isTracked).forEach(pod -> tracked.add(pod.uid()));
    }

    private boolean isValid(Pod pod) {
        return tracked.contains(pod.uid())
                && (!spec.isIndexed() || spec.index(pod).isPresent());
    }

    /// How many pods have succeeded, counted or not.
    long succeeded() {
        return countedSucceeded
                + succeededUids.size()
                + pods.stream()
                        .filter(pod -> pod.hasSucceeded() && isValid(pod) && !succeededUids.contains(pod.uid()))
                        .filter(pod -> !failedUids.contains(pod.uid()))
                        .count();
    }

    /// How many pods have failed in a way that matters, counted or not.
    long failed() {
        return countedFailed
                + failedUids.size()
                + pods.stream()
                        .filter(pod -> spec.considersFailed(pod) && isValid(pod) && !failedUids.contains(pod.uid()))
                        .filter(pod -> policy.judge(pod).counts())
                        .count();
    }

    Optional<Instant> backoff() {
        return PodBackoff.until(
                pods.stream().filter(Pod::hasSucceeded).toList(),
                pods.stream().filter(spec::considersFailed).toList());
    }

    /// Moves every pod one step on.
    ///
    /// @return the pods that lose their finalizer once the status is written
    List<Pod> settle(Optional<JobSync.Outcome> outcome, JobIndexState indexes) {
        countedSucceeded += count(succeededUids);
        countedFailed += count(failedUids);
        var released = new ArrayList<Pod>();
        for (var pod : pods) {
            if (!tracked.contains(pod.uid()) || !mayRelease(pod, outcome, indexes)) {
                continue;
            }
            released.add(pod);
            note(pod, outcome);
            if (released.size() >= MOST_AT_ONCE) {
                reachedMost = true;
                break;
            }
        }
        return released;
    }

    private long count(Set<String> uids) {
        long before = uids.size();
        uids.retainAll(tracked);
        return before - uids.size();
    }

    private boolean mayRelease(Pod pod, Optional<JobSync.Outcome> outcome, JobIndexState indexes) {
        if (spec.object().isDeleting() || outcome.isPresent() || pod.hasSucceeded()) {
            return true;
        }
        // A failed index waits for the pod that replaces this one and takes over its count of failures.
        return spec.considersFailed(pod) && !indexes.isAwaitingReplacement(pod);
    }

    private void note(Pod pod, Optional<JobSync.Outcome> outcome) {
        if (pod.hasSucceeded() && !failedUids.contains(pod.uid())) {
            if (!spec.isIndexed()) {
                succeededUids.add(pod.uid());
            }
            return;
        }
        boolean failed = spec.considersFailed(pod)
                || outcome.filter(end -> !end.success()).isPresent();
        if (failed && isValid(pod) && policy.judge(pod).counts()) {
            failedUids.add(pod.uid());
        }
    }

    long countedSucceeded() {
        return countedSucceeded;
    }

    long countedFailed() {
        return countedFailed;
    }

    boolean hasUncounted() {
        return reachedMost || !succeededUids.isEmpty() || !failedUids.isEmpty();
    }

    Json.Obj uncounted() {
        return Json.Obj.builder()
                .putNonEmpty("succeeded", Json.Arr.ofStrings(List.copyOf(succeededUids)))
                .putNonEmpty("failed", Json.Arr.ofStrings(List.copyOf(failedUids)))
                .build();
    }
}
