package dev.towtank.archive.query;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// Which archived runs; absent parts mean all of them. The newest come first.
///
/// @param since when the run began, or where it never did, was archived
/// @param name of the run
/// @param limit how many at most
public record RunQuery(
        Optional<String> namespace,
        Optional<Instant> since,
        Optional<ArchivedRun.Outcome> outcome,
        Optional<String> pipeline,
        Optional<String> name,
        Map<String, String> labels,
        int limit) {

    public static final RunQuery ALL = new RunQuery(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), 50);

    public RunQuery {
        labels = Map.copyOf(labels);
        if (limit < 1 || limit > 10_000) {
            throw new IllegalArgumentException("a limit is between 1 and 10000, not " + limit);
        }
    }

    public RunQuery in(String wanted) {
        return new RunQuery(Optional.of(wanted), since, outcome, pipeline, name, labels, limit);
    }

    public RunQuery since(Instant wanted) {
        return new RunQuery(namespace, Optional.of(wanted), outcome, pipeline, name, labels, limit);
    }

    public RunQuery with(ArchivedRun.Outcome wanted) {
        return new RunQuery(namespace, since, Optional.of(wanted), pipeline, name, labels, limit);
    }

    public RunQuery ofPipeline(String wanted) {
        return new RunQuery(namespace, since, outcome, Optional.of(wanted), name, labels, limit);
    }

    public RunQuery named(String wanted) {
        return new RunQuery(namespace, since, outcome, pipeline, Optional.of(wanted), labels, limit);
    }

    public RunQuery labelled(Map<String, String> wanted) {
        return new RunQuery(namespace, since, outcome, pipeline, name, wanted, limit);
    }

    public RunQuery atMost(int wanted) {
        return new RunQuery(namespace, since, outcome, pipeline, name, labels, wanted);
    }
}
