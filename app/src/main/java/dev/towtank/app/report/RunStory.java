package dev.towtank.app.report;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Everything that a page tells of a run.
///
/// @param kind `PipelineRun` or `TaskRun`
/// @param tasks in the order of the pipeline, the ones in `finally` last; of a TaskRun, the one
/// @param surroundings versions, and how processes were fenced in
/// @param told when this was true
public record RunStory(
        String kind,
        String name,
        String namespace,
        String definition,
        Outcome outcome,
        List<Value> params,
        List<Value> results,
        List<Task> tasks,
        Map<String, String> surroundings,
        Instant told) {

    public RunStory {
        params = List.copyOf(params);
        results = List.copyOf(results);
        tasks = List.copyOf(tasks);
    }

    /// How and when something ended, or that it has not yet.
    record Outcome(State state, String reason, String message, Optional<Instant> began, Optional<Instant> ended) {

        Outcome ignored() {
            return new Outcome(state.ignored(), reason, message, began, ended);
        }

        /// How long it took, or has been running at a time.
        Optional<Duration> time(Instant now) {
            return began.map(start -> Duration.between(start, ended.orElse(now)));
        }
    }

    /// @param note such as that it is the default; empty for none
    record Value(String name, String value, String note) {}

    /// A task of the pipeline.
    ///
    /// @param after the tasks that come before it
    /// @param last it is one of `finally`
    /// @param parts what ran for it: one, several when it has a matrix, none when it was skipped
    /// @param skipped why it did not run; empty otherwise
    record Task(String name, List<String> after, boolean last, Outcome outcome, List<Part> parts, String skipped) {
        Task {
            after = List.copyOf(after);
            parts = List.copyOf(parts);
        }

        int retries() {
            return parts.stream().mapToInt(part -> part.attempts().size() - 1).sum();
        }
    }

    /// One run of a task.
    ///
    /// @param name of the task, with a number when it has several
    /// @param run the name of the object
    /// @param attempts the last one is what counts
    record Part(
            String name, String run, Outcome outcome, List<Value> params, List<Value> results, List<Attempt> attempts) {
        /// As it counts in a pipeline that goes on whatever becomes of it.
        Part ignored() {
            var all = new ArrayList<>(attempts);
            all.add(all.removeLast().ignored());
            return new Part(name, run, outcome.ignored(), params, results, all);
        }

        /// The one whose end tells most of why it failed, where there is one that wrote something.
        Optional<Step> culprit() {
            return attempts.getLast().steps().stream()
                    .filter(step -> step.outcome().state().isBad())
                    .findFirst()
                    .filter(step -> !step.log().text().isBlank());
        }

        Part {
            params = List.copyOf(params);
            results = List.copyOf(results);
            attempts = List.copyOf(attempts);
        }
    }

    record Attempt(int number, Outcome outcome, List<Step> steps) {
        Attempt {
            steps = List.copyOf(steps);
        }

        Attempt ignored() {
            return new Attempt(number, outcome.ignored(), steps);
        }

        /// What its steps wrote, each under its name.
        String output() {
            return steps.stream()
                    .filter(step -> !step.log().text().isBlank())
                    .map(step -> "[" + step.name() + "]\n"
                            + ReportPage.plain(step.log().text()))
                    .collect(Collectors.joining("\n"));
        }
    }

    /// @param sidecar it ran beside the others, and was stopped at their end
    /// @param note what else is to be said of its end; empty for nothing
    record Step(String name, String image, boolean sidecar, Outcome outcome, String note, RunSource.Log log) {}

    boolean isPipeline() {
        return kind.equals("PipelineRun");
    }

    Stream<Part> parts() {
        return tasks.stream().flatMap(task -> task.parts().stream());
    }
}
