package dev.towtank.app.runs;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// Which runs; what is absent means all of them.
///
/// @param namespace empty for all of them
/// @param limit how many at most, the newest first
public record RunFilter(
        String namespace,
        Optional<Instant> since,
        Optional<FoundRun.State> state,
        Optional<String> pipeline,
        Map<String, String> labels,
        int limit) {

    public RunFilter {
        labels = Map.copyOf(labels);
    }

    boolean matches(FoundRun run) {
        return since.map(moment -> !run.since().isBefore(moment)).orElse(true)
                && state.map(wanted -> run.state() == wanted).orElse(true)
                && pipeline.map(wanted -> run.pipeline().equals(wanted)).orElse(true)
                && labels.entrySet().stream().allMatch(label -> run.hasLabel(label.getKey(), label.getValue()));
    }
}
