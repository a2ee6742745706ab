package dev.towtank.controllers.workloads.jobs;

import dev.towtank.cluster.Backoff;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.controllers.workloads.pods.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// How long a Job waits before it replaces a pod that failed: longer after each failure in a row.
///
/// It is told from the pods themselves, so a restart forgets nothing.
final class PodBackoff {

    private static final Backoff WAITS = new Backoff(Duration.ofSeconds(10), Duration.ofMinutes(10));

    private PodBackoff() {}

    /// When the next pod may start, given all pods that ended.
    static Optional<Instant> until(List<Pod> succeeded, List<Pod> failed) {
        var lastSuccess = succeeded.stream().map(PodBackoff::finished).max(Instant::compareTo);
        var failures = failed.stream()
                .map(PodBackoff::finished)
                .filter(moment -> lastSuccess.isEmpty() || moment.isAfter(lastSuccess.get()))
                .toList();
        return failures.stream().max(Instant::compareTo).map(last -> last.plus(WAITS.after(failures.size())));
    }

    /// When an index may be tried again after its pod failed.
    static Instant until(Pod failed, long failures) {
        return finished(failed).plus(WAITS.after((int) Math.min(failures, Integer.MAX_VALUE)));
    }

    static Instant finished(Pod pod) {
        var ends = pod.containerStatuses().stream()
                .map(status -> Times.parse(status.at("state", "terminated", "finishedAt")))
                .toList();
        if (!ends.isEmpty() && ends.stream().allMatch(Optional::isPresent)) {
            return ends.stream()
                    .flatMap(Optional::stream)
                    .max(Instant::compareTo)
                    .orElseThrow();
        }
        return pod.condition("Ready")
                .filter(condition -> condition.string("status").equals("False"))
                .flatMap(condition -> Times.parse(condition.get("lastTransitionTime")))
                .or(() -> deleted(pod))
                .orElseGet(pod::created);
    }

    private static Optional<Instant> deleted(Pod pod) {
        long grace = pod.object().metadata().integer("deletionGracePeriodSeconds");
        return pod.object().deletionTimestamp().map(moment -> moment.minus(Duration.ofSeconds(grace)));
    }
}
