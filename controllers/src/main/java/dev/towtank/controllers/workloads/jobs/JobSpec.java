package dev.towtank.controllers.workloads.jobs;

import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.util.Optional;

/// What a Job asks for.
record JobSpec(Resource object) {

    static final String FINALIZER = "batch.kubernetes.io/job-tracking";
    static final String INDEX = "batch.kubernetes.io/job-completion-index";
    static final String INDEX_FAILURES = "batch.kubernetes.io/job-index-failure-count";
    static final String INDEX_IGNORED = "batch.kubernetes.io/job-index-ignored-failure-count";

    private static final String CONTROLLER = "kubernetes.io/job-controller";
    private static final long DEFAULT_BACKOFF_LIMIT = 6;

    Json.Obj spec() {
        return object.spec();
    }

    boolean isOurs() {
        var manager = spec().string("managedBy");
        return manager.isEmpty() || manager.equals(CONTROLLER);
    }

    boolean isSuspended() {
        return spec().flag("suspend");
    }

    boolean isIndexed() {
        return spec().string("completionMode").equals("Indexed");
    }

    long parallelism() {
        return spec().integerOr(1, "parallelism");
    }

    Optional<Long> completions() {
        return spec().get("completions") instanceof Json.Int(var number) ? Optional.of(number) : Optional.empty();
    }

    long backoffLimit() {
        return spec().integerOr(DEFAULT_BACKOFF_LIMIT, "backoffLimit");
    }

    Optional<Long> backoffLimitPerIndex() {
        return spec().get("backoffLimitPerIndex") instanceof Json.Int(var number)
                ? Optional.of(number)
                : Optional.empty();
    }

    boolean hasBackoffLimitPerIndex() {
        return spec().has("backoffLimitPerIndex");
    }

    Optional<Long> maxFailedIndexes() {
        return spec().get("maxFailedIndexes") instanceof Json.Int(var number) ? Optional.of(number) : Optional.empty();
    }

    Optional<Duration> activeDeadline() {
        return spec().get("activeDeadlineSeconds") instanceof Json.Int(var seconds)
                ? Optional.of(Duration.ofSeconds(seconds))
                : Optional.empty();
    }

    /// Whether a pod is replaced only when it has ended, not already when it is going.
    boolean replacesOnlyFailed() {
        return spec().string("podReplacementPolicy").equals("Failed");
    }

    boolean restartsContainers() {
        return spec().string("template", "spec", "restartPolicy").equals("OnFailure");
    }

    boolean considersFailed(Pod pod) {
        return pod.hasFailed() || (!replacesOnlyFailed() && pod.isDeleting() && !pod.hasSucceeded());
    }

    /// The index that a pod works on; nothing where it has none or one that nobody asked for.
    Optional<Long> index(Pod pod) {
        return anyIndex(pod)
                .filter(index -> completions().filter(most -> index < most).isPresent());
    }

    static Optional<Long> anyIndex(Pod pod) {
        var text = pod.annotation(INDEX);
        return text.matches("[0-9]{1,9}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
    }

    static boolean isTracked(Pod pod) {
        return pod.object().finalizers().contains(FINALIZER);
    }

    FailurePolicy failurePolicy() {
        return new FailurePolicy(spec().objects("podFailurePolicy", "rules"));
    }
}
