package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.PipelineTask;
import dev.towtank.controllers.pipelines.substitution.ResultReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Whether tasks can be put in an order.
final class GraphCheck {

    private GraphCheck() {}

    static Optional<String> complaint(List<PipelineTask> tasks) {
        var needs = new LinkedHashMap<String, Set<String>>();
        for (var task : tasks) {
            var others = new TreeSet<>(task.runAfter());
            ResultReference.of(task).forEach(reference -> others.add(reference.task()));
            if (needs.put(task.name(), others) != null) {
                return Optional.of("task " + task.name()
                        + " is already present in Graph, can't add it again: duplicate pipeline task");
            }
        }
        var cycle = cycle(needs);
        if (cycle.isPresent()) {
            return cycle;
        }
        for (var entry : needs.entrySet()) {
            for (var other : entry.getValue()) {
                if (!needs.containsKey(other)) {
                    return Optional.of(
                            "couldn't add link between " + entry.getKey() + " and " + other + ": task " + entry.getKey()
                                    + " depends on " + other + " but " + other + " wasn't present in Pipeline");
                }
            }
        }
        return Optional.empty();
    }

    // Takes away what depends on nothing until nothing changes; what is left depends on itself.
    private static Optional<String> cycle(Map<String, Set<String>> needs) {
        var left = new TreeMap<String, TreeSet<String>>();
        var dependents = new HashMap<String, List<String>>();
        var free = new ArrayDeque<String>();
        var known = new HashSet<String>();
        needs.forEach((task, others) -> {
            if (others.isEmpty()) {
                return;
            }
            left.put(task, new TreeSet<>(others));
            for (var other : others) {
                dependents.computeIfAbsent(other, _ -> new ArrayList<>()).add(task);
                if (needs.getOrDefault(other, Set.of()).isEmpty() && known.add(other)) {
                    free.add(other);
                }
            }
        });
        while (!free.isEmpty()) {
            var done = free.remove();
            for (var dependent : dependents.getOrDefault(done, List.of())) {
                var others = left.get(dependent);
                if (others != null && others.remove(done) && others.isEmpty()) {
                    left.remove(dependent);
                    free.add(dependent);
                }
            }
        }
        return left.isEmpty()
                ? Optional.empty()
                : Optional.of("cycle detected; task " + GoText.quote(left.firstKey()) + " depends on "
                        + left.firstEntry().getValue().stream()
                                .map(GoText::quote)
                                .collect(Collectors.joining(", ")));
    }
}
