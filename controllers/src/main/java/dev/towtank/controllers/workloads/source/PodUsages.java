package dev.towtank.controllers.workloads.source;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.cluster.pods.Usage;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What pods use, measured as long as somebody asks.
public final class PodUsages implements AutoCloseable {

    private final Outside<Question, Map<String, Usage>> outside;

    private record Question(ObjectName pod, String uid) {}

    /// @param fresh how often they are measured
    public PodUsages(PodAccess access, Cache pods, Duration fresh, Timers timers) {
        this.outside = new Outside<>(
                "usage of pods",
                question -> pods.get(question.pod)
                        .filter(pod -> pod.uid().equals(question.uid))
                        .map(access::usage)
                        .orElse(Map.of()),
                Outside.Limits.USUAL.freshFor(fresh),
                timers);
    }

    /// Wakes those who asked when there is something new.
    public Outside<?, ?> waker() {
        return outside;
    }

    /// By the names of pods and containers; those of whom nothing is known yet are left out.
    public Map<String, Map<String, Usage>> of(ObjectName asker, List<Resource> pods) {
        Map<String, Map<String, Usage>> found = new HashMap<>();
        for (var pod : pods) {
            outside.ask(asker, new Question(ObjectName.of(pod), pod.uid()))
                    .newest()
                    .filter(usage -> !usage.isEmpty())
                    .ifPresent(usage -> found.put(pod.name(), usage));
        }
        return found;
    }

    @Override
    public void close() {
        outside.close();
    }
}
