package dev.towtank.controllers.workloads.jobs;

import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.controllers.workloads.pods.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// How far the indexes of an indexed Job are. Of any other Job it knows nothing.
final class JobIndexState {

    private final JobSpec spec;
    private final List<Pod> pods;
    private final Indexes succeeded;
    private final Optional<Indexes> failed;
    private final Map<Long, Pod> replaceable = new HashMap<>();

    /// @param lookAgain when the first index may be tried again, where none may now
    record Creatable(List<Long> indexes, Optional<Instant> lookAgain) {}

    JobIndexState(JobSpec spec, List<Pod> pods) {
        this.spec = spec;
        this.pods = spec.isIndexed() ? pods : List.of();
        var status = spec.object().status();
        long completions = spec.completions().orElse(0L);
        var newSucceeded = new HashSet<Long>();
        var newFailed = new HashSet<Long>();
        for (var pod : this.pods) {
            if (JobSpec.isTracked(pod)) {
                spec.index(pod).filter(_ -> pod.hasSucceeded()).ifPresent(newSucceeded::add);
                spec.index(pod).filter(_ -> failsIndex(pod)).ifPresent(newFailed::add);
            }
        }
        this.succeeded =
                Indexes.parse(status.string("completedIndexes"), completions).plus(Indexes.of(newSucceeded));
        this.failed = spec.isIndexed() && spec.hasBackoffLimitPerIndex()
                ? Optional.of(Indexes.parse(status.string("failedIndexes"), completions)
                        .plus(Indexes.of(newFailed)))
                : Optional.empty();
        failed.ifPresent(this::findReplaceable);
    }

    private boolean failsIndex(Pod pod) {
        if (spec.backoffLimitPerIndex().isEmpty() || !spec.considersFailed(pod)) {
            return false;
        }
        var verdict = spec.failurePolicy().judge(pod);
        return verdict.failsIndex()
                || (verdict.counts()
                        && JobPods.failures(pod) >= spec.backoffLimitPerIndex().get());
    }

    /// The last failed pod of each index that is to be tried again.
    private void findReplaceable(Indexes failedIndexes) {
        var active = indexes(pods.stream().filter(Pod::isActive).toList());
        var byAttempt = Comparator.<Pod>comparingLong(pod -> JobPods.failures(pod) + JobPods.ignored(pod))
                .thenComparing(PodBackoff::finished);
        for (var pod : pods) {
            if (JobSpec.isTracked(pod) && spec.considersFailed(pod)) {
                spec.index(pod)
                        .filter(index -> !succeeded.has(index) && !failedIndexes.has(index) && !active.contains(index))
                        .ifPresent(index -> replaceable.merge(
                                index, pod, (one, other) -> byAttempt.compare(one, other) > 0 ? one : other));
            }
        }
    }

    private static Set<Long> indexes(List<Pod> pods) {
        var indexes = new HashSet<Long>();
        pods.forEach(pod -> JobSpec.anyIndex(pod).ifPresent(indexes::add));
        return indexes;
    }

    Indexes succeeded() {
        return succeeded;
    }

    Optional<Indexes> failed() {
        return failed;
    }

    Optional<Pod> replaced(long index) {
        return Optional.ofNullable(replaceable.get(index));
    }

    boolean isAwaitingReplacement(Pod pod) {
        return spec.index(pod)
                .flatMap(this::replaced)
                .filter(replaced -> replaced.uid().equals(pod.uid()))
                .isPresent();
    }

    Optional<JobSync.Outcome> outcome() {
        if (!spec.isIndexed()) {
            return Optional.empty();
        }
        long failures = failed.map(Indexes::size).orElse(0L);
        if (failed.isPresent()
                && spec.maxFailedIndexes().filter(most -> failures > most).isPresent()) {
            return Optional.of(JobSync.Outcome.failure(
                    "MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes"));
        }
        if (failures > 0 && failures + succeeded.size() >= spec.completions().orElse(0L)) {
            return Optional.of(JobSync.Outcome.failure("FailedIndexes", "Job has failed indexes"));
        }
        return policySuccess();
    }

    private Optional<JobSync.Outcome> policySuccess() {
        var rules = spec.spec().objects("successPolicy", "rules");
        for (int i = 0; i < rules.size() && succeeded.size() > 0; i++) {
            var rule = rules.get(i);
            long count = rule.integerOr(Long.MAX_VALUE, "succeededCount");
            boolean met;
            if (rule.has("succeededIndexes")) {
                var wanted = Indexes.parse(
                        rule.string("succeededIndexes"), spec.completions().orElse(0L));
                long common = wanted.common(succeeded);
                met = wanted.size() > 0 && (common == wanted.size() || common >= count);
            } else {
                met = succeeded.size() >= count;
            }
            if (met) {
                return Optional.of(new JobSync.Outcome(true, "SuccessPolicy", "Matched rules at index " + i));
            }
        }
        return Optional.empty();
    }

    /// The first indexes that nobody works on and that may be tried now.
    Creatable next(List<Pod> active, long count, Instant now) {
        var busy = succeeded.plus(Indexes.of(indexes(active)));
        if (spec.replacesOnlyFailed()) {
            busy = busy.plus(
                    Indexes.of(indexes(pods.stream().filter(Pod::isTerminating).toList())));
        }
        busy = failed.map(busy::plus).orElse(busy);
        var ready = new ArrayList<Long>();
        Optional<Instant> wait = Optional.empty();
        for (long index : busy.missing(count, spec.completions().orElse(0L))) {
            var until = replaced(index)
                    .map(pod -> PodBackoff.until(pod, JobPods.failures(pod) + JobPods.ignored(pod) + 1))
                    .filter(moment -> moment.isAfter(now));
            if (until.isEmpty()) {
                ready.add(index);
            }
            wait = Times.earliest(wait, until);
        }
        return new Creatable(ready, wait);
    }

    /// Active pods that are too many: first those whose index is worked on twice or not asked for.
    List<Pod> surplus(List<Pod> active, long atLeast) {
        var surplus = new ArrayList<Pod>();
        var left = new ArrayList<Pod>();
        if (spec.isIndexed()) {
            var byIndex = new HashMap<Long, Pod>();
            for (var pod : active.stream().sorted(Pod.LEAST_USEFUL).toList()) {
                spec.index(pod)
                        .ifPresentOrElse(
                                index -> {
                                    var before = byIndex.put(index, pod);
                                    if (before != null) {
                                        surplus.add(before);
                                    }
                                },
                                () -> surplus.add(pod));
            }
            left.addAll(byIndex.values());
        } else {
            left.addAll(active);
        }
        left.stream()
                .sorted(Pod.LEAST_USEFUL)
                .limit(Math.max(0, atLeast - surplus.size()))
                .forEach(surplus::add);
        return surplus;
    }
}
