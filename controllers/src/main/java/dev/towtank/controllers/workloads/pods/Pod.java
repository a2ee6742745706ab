package dev.towtank.controllers.workloads.pods;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A pod as those see it who own pods.
public record Pod(Resource object) {

    /// Which of several active pods is best spared.
    public static final Comparator<Pod> LEAST_USEFUL = Comparator.comparing(
                    (Pod pod) -> !pod.nodeName().isEmpty())
            .thenComparingInt(Pod::progress)
            .thenComparing(Pod::isReady)
            .thenComparingLong(Pod::deletionCost)
            .thenComparing(pod -> pod.readySince().orElse(Instant.EPOCH), Comparator.reverseOrder())
            .thenComparing(Comparator.comparingLong(Pod::restarts).reversed())
            .thenComparing(Pod::created, Comparator.reverseOrder())
            .thenComparing(Pod::name);

    private static final String COST = "controller.kubernetes.io/pod-deletion-cost";

    public static List<Pod> all(List<Resource> objects) {
        return objects.stream().map(Pod::new).toList();
    }

    public String name() {
        return object.name();
    }

    public String uid() {
        return object.uid();
    }

    public Json.Obj labels() {
        return object.json().object("metadata", "labels");
    }

    public String label(String key) {
        return object.json().string("metadata", "labels", key);
    }

    public String annotation(String key) {
        return object.json().string("metadata", "annotations", key);
    }

    public String nodeName() {
        return object.json().string("spec", "nodeName");
    }

    /// Empty until somebody has looked at the pod.
    public String phase() {
        return object.json().string("status", "phase");
    }

    public boolean hasSucceeded() {
        return phase().equals("Succeeded");
    }

    public boolean hasFailed() {
        return phase().equals("Failed");
    }

    public boolean isFinished() {
        return hasSucceeded() || hasFailed();
    }

    public boolean isDeleting() {
        return object.isDeleting();
    }

    /// Counts as one of its owner's replicas.
    public boolean isActive() {
        return !isFinished() && !isDeleting();
    }

    public boolean isTerminating() {
        return !isFinished() && isDeleting();
    }

    private int progress() {
        return switch (phase()) {
            case "Running" -> 2;
            case "Unknown" -> 1;
            default -> 0;
        };
    }

    public Optional<Json.Obj> condition(String type) {
        for (var condition : object.json().objects("status", "conditions")) {
            if (condition.string("type").equals(type)) {
                return Optional.of(condition);
            }
        }
        return Optional.empty();
    }

    public boolean isTrue(String type) {
        return condition(type)
                .filter(condition -> condition.string("status").equals("True"))
                .isPresent();
    }

    public boolean isReady() {
        return isTrue("Ready");
    }

    public Optional<Instant> readySince() {
        return condition("Ready")
                .filter(condition -> condition.string("status").equals("True"))
                .flatMap(condition -> Times.parse(condition.get("lastTransitionTime")));
    }

    /// Ready for long enough.
    public boolean isAvailable(long minReadySeconds, Instant now) {
        if (!isReady()) {
            return false;
        }
        return minReadySeconds == 0
                || availableAt(minReadySeconds)
                        .filter(moment -> !moment.isAfter(now))
                        .isPresent();
    }

    /// When a pod that stays ready becomes available.
    public Optional<Instant> availableAt(long minReadySeconds) {
        return readySince().map(since -> since.plus(Duration.ofSeconds(minReadySeconds)));
    }

    /// The first moment at which one of these pods becomes available that is not yet.
    public static Optional<Instant> nextAvailable(List<Pod> pods, long minReadySeconds, Instant now) {
        return minReadySeconds == 0
                ? Optional.empty()
                : pods.stream()
                        .flatMap(pod -> pod.availableAt(minReadySeconds).stream())
                        .filter(moment -> moment.isAfter(now))
                        .min(Instant::compareTo);
    }

    public List<Json.Obj> containerStatuses() {
        return object.json().objects("status", "containerStatuses");
    }

    public List<Json.Obj> initContainerStatuses() {
        return object.json().objects("status", "initContainerStatuses");
    }

    public long restarts() {
        return containerStatuses().stream()
                .mapToLong(status -> status.integer("restartCount"))
                .sum();
    }

    public long deletionCost() {
        try {
            var cost = annotation(COST);
            return cost.isEmpty() ? 0 : Integer.parseInt(cost);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    public Instant created() {
        return object.creationTimestamp().orElse(Instant.EPOCH);
    }
}
