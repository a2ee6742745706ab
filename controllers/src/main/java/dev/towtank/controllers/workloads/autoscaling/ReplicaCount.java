package dev.towtank.controllers.workloads.autoscaling;

import dev.towtank.cluster.pods.Usage;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.controllers.workloads.pods.Times;
import dev.towtank.model.Json;
import dev.towtank.model.Quantity;
import dev.towtank.model.kinds.ResourceLists;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// How many replicas one resource asks for: so many that what pods use comes to its target.
///
/// @param resource `cpu` or `memory`
/// @param container of which alone the use counts; empty for all of the pod
record ReplicaCount(String resource, String container, Tolerance tolerance) {

    /// A pod that has not run for so long may still be starting.
    private static final Duration STARTING = Duration.ofMinutes(5);

    private static final Duration FIRST_READINESS = Duration.ofSeconds(30);

    /// How far from its target the use may be without consequences.
    record Tolerance(double down, double up) {
        boolean includes(double ratio) {
            return 1 - down <= ratio && ratio <= 1 + up;
        }
    }

    /// @param utilization in percent of what was requested, where the target is such
    /// @param average what a pod uses, in thousandths
    record Proposal(long replicas, long utilization, long average) {}

    /// It cannot be told; the message is upstream's.
    static final class Unknown extends Exception {
        private static final long serialVersionUID = 1;

        Unknown(String message) {
            super(message, null, false, false);
        }

        String text() {
            return String.valueOf(getMessage());
        }
    }

    /// What is known of the pods.
    ///
    /// @param used by names of pods, in thousandths, of those that count
    /// @param ready how many count
    private record Measured(Map<String, Long> used, int ready, Set<String> unready, Set<String> missing) {}

    /// @param percent of what the pods request
    Proposal forUtilization(
            long current, long percent, List<Pod> pods, Map<String, Map<String, Usage>> usage, Instant now)
            throws Unknown {
        var measured = measured(pods, usage, now);
        Map<String, Long> requests = new HashMap<>();
        for (var pod : pods) {
            requests.put(pod.name(), request(pod));
        }
        long utilization = utilization(measured.used, requests);
        double ratio = utilization / (double) percent;
        var guessed = new HashMap<>(measured.used);
        long assumed = Math.max(100, percent);
        for (var pod : measured.missing) {
            guessed.put(pod, ratio < 1 ? requests.getOrDefault(pod, 0L) * assumed / 100 : 0L);
        }
        addUnready(guessed, measured, ratio);
        long average =
                measured.used.values().stream().mapToLong(Long::longValue).sum() / measured.used.size();
        long replicas = guessed.size() == measured.used.size()
                ? scaled(current, ratio, measured.ready)
                : carefully(current, ratio, utilization(guessed, requests) / (double) percent, guessed.size());
        return new Proposal(replicas, utilization, average);
    }

    /// @param target in thousandths for each pod
    Proposal forAverage(long current, long target, List<Pod> pods, Map<String, Map<String, Usage>> usage, Instant now)
            throws Unknown {
        var measured = measured(pods, usage, now);
        long average = average(measured.used);
        double ratio = average / (double) target;
        var guessed = new HashMap<>(measured.used);
        for (var pod : measured.missing) {
            guessed.put(pod, ratio < 1 ? target : 0L);
        }
        addUnready(guessed, measured, ratio);
        long replicas = guessed.size() == measured.used.size()
                ? scaled(current, ratio, measured.ready)
                : carefully(current, ratio, average(guessed) / (double) target, guessed.size());
        return new Proposal(replicas, 0, average);
    }

    /// Those that are not ready yet will carry their part: more than that is needed only beyond them.
    private static void addUnready(Map<String, Long> guessed, Measured measured, double ratio) {
        if (ratio > 1) {
            measured.unready.forEach(pod -> guessed.put(pod, 0L));
        }
    }

    private long scaled(long current, double ratio, int ready) {
        return tolerance.includes(ratio) ? current : (long) Math.ceil(ratio * ready);
    }

    /// Guesses may make the change smaller, never turn it around.
    private long carefully(long current, double ratio, double guessed, int count) {
        boolean turned = (ratio < 1 && guessed > 1) || (ratio > 1 && guessed < 1);
        if (tolerance.includes(guessed) || turned) {
            return current;
        }
        long replicas = (long) Math.ceil(guessed * count);
        boolean wrongWay = (guessed < 1 && replicas > current) || (guessed > 1 && replicas < current);
        return wrongWay ? current : replicas;
    }

    private Measured measured(List<Pod> pods, Map<String, Map<String, Usage>> usage, Instant now) throws Unknown {
        if (usage.values().stream().allMatch(Map::isEmpty)) {
            throw new Unknown("unable to get metrics for resource " + resource
                    + ": no metrics returned from resource metrics API");
        }
        if (pods.isEmpty()) {
            throw new Unknown("no pods returned by selector while calculating replica count");
        }
        Map<String, Long> used = new HashMap<>();
        Set<String> unready = new HashSet<>();
        Set<String> missing = new HashSet<>();
        for (var pod : pods) {
            var containers = counted(usage.getOrDefault(pod.name(), Map.of()));
            if (pod.isDeleting() || pod.hasFailed()) {
                continue;
            }
            if (pod.phase().equals("Pending") || pod.phase().isEmpty()) {
                unready.add(pod.name());
            } else if (containers.isEmpty()) {
                missing.add(pod.name());
            } else if (resource.equals("cpu") && isUnready(pod, containers, now)) {
                unready.add(pod.name());
            } else {
                used.put(pod.name(), containers.stream().mapToLong(this::amount).sum());
            }
        }
        if (used.isEmpty()) {
            throw new Unknown("did not receive metrics for targeted pods (pods might be unready)");
        }
        return new Measured(used, used.size(), unready, missing);
    }

    private List<Usage> counted(Map<String, Usage> containers) {
        return container.isEmpty()
                ? List.copyOf(containers.values())
                : containers.containsKey(container) ? List.of(containers.get(container)) : List.of();
    }

    /// What a pod uses while it starts says nothing about what it will use.
    private static boolean isUnready(Pod pod, List<Usage> containers, Instant now) {
        var ready = pod.condition("Ready");
        var started = Times.parse(pod.object().json().at("status", "startTime"));
        if (ready.isEmpty() || started.isEmpty()) {
            return true;
        }
        var changed = Times.parse(ready.get().get("lastTransitionTime")).orElse(started.get());
        boolean isFalse = ready.get().string("status").equals("False");
        if (started.get().plus(STARTING).isAfter(now)) {
            return isFalse
                    || containers.stream()
                            .anyMatch(use -> use.at().minus(use.window()).isBefore(changed));
        }
        return isFalse && started.get().plus(FIRST_READINESS).isAfter(changed);
    }

    private long amount(Usage usage) {
        return resource.equals("cpu") ? usage.nanoCores() / 1_000_000 : usage.memoryBytes() * 1000;
    }

    private static long average(Map<String, Long> used) {
        return used.values().stream().mapToLong(Long::longValue).sum() / used.size();
    }

    private static long utilization(Map<String, Long> used, Map<String, Long> requests) throws Unknown {
        long asked = used.keySet().stream()
                .mapToLong(pod -> requests.getOrDefault(pod, 0L))
                .sum();
        if (asked == 0) {
            throw new Unknown("no metrics returned matched known pods");
        }
        return used.values().stream().mapToLong(Long::longValue).sum() * 100 / asked;
    }

    private long request(Pod pod) throws Unknown {
        var spec = pod.object().spec();
        if (container.isEmpty() && spec.object("resources", "requests").size() > 0) {
            return amount(spec.object("resources", "requests"))
                    .orElseThrow(
                            () -> new Unknown("missing pod-level request for " + resource + " in Pod " + pod.name()));
        }
        long sum = 0;
        boolean found = container.isEmpty();
        for (var each : running(spec)) {
            var name = each.string("name");
            if (container.isEmpty() || container.equals(name)) {
                found = true;
                sum += amount(each.object("resources", "requests"))
                        .orElseThrow(() -> new Unknown(
                                "missing request for " + resource + " in container " + name + " of Pod " + pod.name()));
            }
        }
        if (!found) {
            throw new Unknown("container " + container + " not found in Pod " + pod.name());
        }
        return sum;
    }

    private static List<Json.Obj> running(Json.Obj spec) {
        var all = new ArrayList<>(spec.objects("containers"));
        spec.objects("initContainers").stream()
                .filter(each -> each.string("restartPolicy").equals("Always"))
                .forEach(all::add);
        return all;
    }

    private Optional<Long> amount(Json.Obj requests) {
        return ResourceLists.quantity(requests.get(resource)).map(Quantity::milliValue);
    }
}
