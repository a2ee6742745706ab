package dev.towtank.controllers.workloads.replicas;

import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Scales a Deployment as it is, without rolling out anything: when it is paused, or when its size changes half-way.
final class Scaling {

    private final Rollout rollout;
    private final DeploymentSpec spec;

    Scaling(Rollout rollout) {
        this.rollout = rollout;
        this.spec = rollout.spec;
    }

    /// Whether the size changed since the ReplicaSets were last scaled.
    static boolean isDue(Rollout rollout) {
        return active(rollout.all()).stream()
                .anyMatch(set -> Revisions.has(set, Revisions.DESIRED)
                        && Revisions.number(set, Revisions.DESIRED) != rollout.spec.replicas());
    }

    private static List<Resource> active(List<Resource> sets) {
        return sets.stream().filter(set -> Rollout.replicas(set) > 0).toList();
    }

    void run() {
        var active = active(rollout.all());
        if (active.size() <= 1) {
            activeOrLatest(active).forEach(set -> rollout.scale(set, spec.replicas()));
        } else if (rollout.newest().filter(this::isSaturated).isPresent()) {
            rollout.activeOld().forEach(set -> rollout.scale(set, 0));
        } else if (spec.isRolling()) {
            proportionally(active);
        }
    }

    private List<Resource> activeOrLatest(List<Resource> active) {
        if (!active.isEmpty()) {
            return active;
        }
        var old = rollout.old();
        return rollout.newest().map(List::of).orElse(old.isEmpty() ? List.of() : List.of(old.getLast()));
    }

    private boolean isSaturated(Resource set) {
        return Rollout.replicas(set) == spec.replicas()
                && Revisions.has(set, Revisions.DESIRED)
                && Revisions.number(set, Revisions.DESIRED) == spec.replicas()
                && Rollout.available(set) == spec.replicas();
    }

    /// Spreads what is added or taken over the ReplicaSets by their share, the rest to the biggest.
    private void proportionally(List<Resource> active) {
        long allowed = spec.replicas() > 0 ? spec.maxReplicas() : 0;
        long toAdd = allowed - Rollout.sum(active);
        var sets = sorted(active, toAdd);
        long added = 0;
        var sizes = new ArrayList<Long>();
        for (var set : sets) {
            long share = toAdd == 0 ? 0 : share(set, toAdd, added);
            sizes.add(Rollout.replicas(set) + share);
            added += share;
        }
        for (int i = 0; i < sets.size(); i++) {
            long size = i == 0 ? Math.max(0, sizes.get(i) + toAdd - added) : sizes.get(i);
            rollout.scaleAlways(sets.get(i), size);
        }
    }

    private static List<Resource> sorted(List<Resource> active, long toAdd) {
        var bySize = Comparator.comparingLong(Rollout::replicas).reversed();
        var byAge = toAdd > 0 ? Revisions.OLDEST_FIRST.reversed() : Revisions.OLDEST_FIRST;
        return toAdd == 0
                ? active
                : active.stream().sorted(bySize.thenComparing(byAge)).toList();
    }

    private long share(Resource set, long toAdd, long added) {
        long fraction = fraction(set);
        return toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added);
    }

    private long fraction(Resource set) {
        long replicas = Rollout.replicas(set);
        if (spec.replicas() == 0) {
            return -replicas;
        }
        long before = Revisions.number(set, Revisions.MAXIMUM);
        if (before == 0) {
            before = rollout.deployment().status().integer("replicas");
        }
        return before == 0 ? 0 : Math.round((double) replicas * spec.maxReplicas() / before) - replicas;
    }
}
