package dev.towtank.model.apply;

import dev.towtank.model.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Merges an applied list into the live one. Both orders are kept as far as they agree; where they do
/// not, that of the applied list counts. Items that only the live list has stay before the shared item
/// that they stood before.
final class ListMerge {

    private final Shape shape;
    private final List<Items.Item> live;
    private final List<Items.Item> applied;
    private final Map<PathStep, Json> liveByStep = new HashMap<>();
    private final Set<PathStep> appliedSteps = new HashSet<>();
    private final Deque<PathStep> shared = new ArrayDeque<>();
    private final Set<PathStep> done = new HashSet<>();
    private final List<Json> merged = new ArrayList<>();

    ListMerge(Json.Arr live, Json.Arr applied, Shape shape) {
        this.shape = shape;
        this.live = Items.of(live, shape);
        this.applied = Items.of(applied, shape);
        Items.grouped(live, shape).forEach((step, twins) -> {
            // Which of several twins the applied item means cannot be known: it replaces them all.
            liveByStep.put(step, twins.size() == 1 ? twins.getFirst() : Json.Null.NULL);
        });
        this.applied.forEach(item -> {
            appliedSteps.add(item.step());
            if (liveByStep.containsKey(item.step())) {
                shared.add(item.step());
            }
        });
    }

    Json.Arr merged() {
        int mine = 0;
        int theirs = 0;
        while (mine < live.size() || theirs < applied.size()) {
            var here = mine < live.size() ? live.get(mine) : null;
            if (here != null
                    && theirs < applied.size()
                    && here.step().equals(applied.get(theirs).step())) {
                take(applied.get(theirs++));
                mine++;
            } else if (here != null && isPassedOver(here.step())) {
                mine++;
            } else if (here != null && !appliedSteps.contains(here.step())) {
                merged.add(here.value());
                mine++;
            } else if (theirs < applied.size()) {
                take(applied.get(theirs++));
            } else {
                mine++;
            }
        }
        return new Json.Arr(merged);
    }

    /// A shared item whose turn it is not stands where the applied list has it.
    private boolean isPassedOver(PathStep step) {
        return appliedSteps.contains(step) && (done.contains(step) || !step.equals(shared.peek()));
    }

    private void take(Items.Item item) {
        @Nullable Json before = liveByStep.get(item.step());
        merged.add(OwnedTrees.merge(before, item.value(), shape.at(item.step())));
        done.add(item.step());
        if (item.step().equals(shared.peek())) {
            shared.remove();
        }
    }
}
