package dev.towtank.app.run.view;

import dev.towtank.model.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// How a run stands: all that any output shows, and nothing else.
///
/// @param kind `PipelineRun` or `TaskRun`
/// @param title what it is a run of: `pipeline build`, `task hello`
/// @param results of the run, once it has any
public record RunState(
        String name,
        String namespace,
        String kind,
        String title,
        Phase phase,
        String reason,
        String message,
        Optional<Instant> started,
        Optional<Instant> finished,
        List<Task> tasks,
        Json.Obj results) {

    public RunState {
        tasks = List.copyOf(tasks);
    }

    public enum Phase {
        WAITING,
        RUNNING,
        SUCCEEDED,
        FAILED,
        /// Failed, and whoever wrote the task wanted to go on all the same.
        IGNORED,
        CANCELLED,
        TIMED_OUT,
        SKIPPED;

        public boolean isOver() {
            return this != WAITING && this != RUNNING;
        }

        public boolean isBad() {
            return this == FAILED || this == CANCELLED || this == TIMED_OUT;
        }

        public String word() {
            return switch (this) {
                case WAITING -> "waiting";
                case RUNNING -> "running";
                case SUCCEEDED -> "succeeded";
                case FAILED -> "failed";
                case IGNORED -> "failed-ignored";
                case CANCELLED -> "cancelled";
                case TIMED_OUT -> "timed-out";
                case SKIPPED -> "skipped";
            };
        }
    }

    /// A task of the pipeline, or the one task of a TaskRun.
    ///
    /// @param after names of the tasks that it waits for
    /// @param reason why it was skipped
    /// @param runs one for each combination of a matrix; otherwise one at most
    public record Task(String name, boolean isFinally, Phase phase, List<String> after, String reason, List<Run> runs) {
        public Task {
            after = List.copyOf(after);
            runs = List.copyOf(runs);
        }

        public Optional<Instant> started() {
            return runs.stream().flatMap(run -> run.started().stream()).min(Instant::compareTo);
        }

        /// Empty while any run goes on.
        public Optional<Instant> finished() {
            return phase.isOver()
                    ? runs.stream().flatMap(run -> run.finished().stream()).max(Instant::compareTo)
                    : Optional.empty();
        }

        public boolean isMatrix() {
            return runs.stream().anyMatch(run -> !run.label().isEmpty());
        }
    }

    /// One run of a task.
    ///
    /// @param name of the object
    /// @param label what tells it from the other runs of its task: `go=1.21`; empty for the only one
    /// @param pod where its steps are; empty before there is one
    /// @param attempts those before this one, which failed
    /// @param retriesAllowed how often at most
    /// @param reusedFrom the run that it was taken from, as it ended there; otherwise empty
    /// @param sidecars the containers of those that have begun
    public record Run(
            String name,
            String label,
            String pod,
            Phase phase,
            String reason,
            String message,
            Optional<Instant> started,
            Optional<Instant> finished,
            List<Attempt> attempts,
            int retriesAllowed,
            String reusedFrom,
            List<Step> steps,
            List<String> sidecars) {
        public Run {
            attempts = List.copyOf(attempts);
            steps = List.copyOf(steps);
            sidecars = List.copyOf(sidecars);
        }

        /// The step that failed, or that went on for too long. Where the run failed before its steps could start, as
        /// for
        /// lack of a Secret, these have its reason.
        public Optional<Step> culprit() {
            boolean isStarted = phase != Phase.FAILED
                    || reason.isEmpty()
                    || steps.stream().noneMatch(step -> step.reason().equals(reason));
            return steps.stream()
                    .filter(step -> isStarted && step.phase().isBad())
                    .findFirst();
        }

        /// How often it was tried before.
        public int retries() {
            return attempts.size();
        }
    }

    /// @param steps those that ran
    public record Attempt(String pod, List<Step> steps) {
        public Attempt {
            steps = List.copyOf(steps);
        }
    }

    /// @param isOnStandIn whether it runs on this machine's own programs, in the name of its image
    public record Step(
            String name,
            String container,
            Phase phase,
            Optional<Instant> started,
            Optional<Instant> finished,
            OptionalInt exitCode,
            String reason,
            boolean isOnStandIn) {

        /// With the times at which it was seen to begin and to end; its own where it was not.
        Step seen(Optional<Instant> began, Optional<Instant> ended) {
            return new Step(
                    name,
                    container,
                    phase,
                    began.or(() -> started),
                    ended.or(() -> finished),
                    exitCode,
                    reason,
                    isOnStandIn);
        }

        /// On its image.
        public Step(
                String name,
                String container,
                Phase phase,
                Optional<Instant> started,
                Optional<Instant> finished,
                OptionalInt exitCode,
                String reason) {
            this(name, container, phase, started, finished, exitCode, reason, false);
        }
    }

    public long tasksOver() {
        return tasks.stream().filter(task -> task.phase().isOver()).count();
    }

    /// `build` or `build go=1.21`, as logs and messages name it.
    public static String label(Task task, Run run) {
        return run.label().isEmpty() ? task.name() : task.name() + " " + run.label();
    }
}
