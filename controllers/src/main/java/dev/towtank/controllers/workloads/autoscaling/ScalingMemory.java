package dev.towtank.controllers.workloads.autoscaling;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// What an autoscaler recommended and did lately.
///
/// @param recommended before anything held it back
/// @param added how many replicas more
/// @param removed how many less
public record ScalingMemory(List<Moment> recommended, List<Moment> added, List<Moment> removed) {

    public static final ScalingMemory NONE = new ScalingMemory(List.of(), List.of(), List.of());

    /// The longest window and period that a behavior may have.
    private static final Duration LONGEST = Duration.ofHours(1);

    public record Moment(Instant at, long replicas) {}

    public ScalingMemory {
        recommended = List.copyOf(recommended);
        added = List.copyOf(added);
        removed = List.copyOf(removed);
    }

    boolean isEmpty() {
        return recommended.isEmpty();
    }

    ScalingMemory recommending(long replicas, Instant now) {
        return new ScalingMemory(plus(recommended, replicas, now), added, removed);
    }

    ScalingMemory scaled(long from, long to, Instant now) {
        return to > from
                ? new ScalingMemory(recommended, plus(added, to - from, now), removed)
                : new ScalingMemory(recommended, added, plus(removed, from - to, now));
    }

    private static List<Moment> plus(List<Moment> moments, long replicas, Instant now) {
        var kept = new ArrayList<Moment>();
        for (var moment : moments) {
            if (moment.at.isAfter(now.minus(LONGEST))) {
                kept.add(moment);
            }
        }
        kept.add(new Moment(now, replicas));
        return kept;
    }

    /// How many came to be, less how many went, within the last seconds.
    long change(long seconds, Instant now) {
        return sum(added, seconds, now) - sum(removed, seconds, now);
    }

    private static long sum(List<Moment> moments, long seconds, Instant now) {
        return within(moments, seconds, now).stream()
                .mapToLong(Moment::replicas)
                .sum();
    }

    List<Moment> recommendedWithin(long seconds, Instant now) {
        return within(recommended, seconds, now);
    }

    private static List<Moment> within(List<Moment> moments, long seconds, Instant now) {
        var since = now.minusSeconds(seconds);
        return moments.stream().filter(moment -> moment.at.isAfter(since)).toList();
    }
}
