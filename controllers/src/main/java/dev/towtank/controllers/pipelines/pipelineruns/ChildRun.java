package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.controllers.pipelines.graph.RunState;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.model.Resource;

/// A run of a task, and what every look asks about it. Its tree is read once for each of its versions: to read those
/// of ten thousand at every look would keep all of them in memory.
record ChildRun(
        Resource run, String version, String apiVersion, String kind, String name, String task, RunState state) {

    static ChildRun of(Resource run) {
        // Two of the texts are the same in all children: one copy will do.
        return new ChildRun(
                run,
                run.resourceVersion(),
                run.apiVersion().intern(),
                run.kind().intern(),
                run.name(),
                run.labels().getOrDefault(Children.TASK_LABEL, ""),
                state(run));
    }

    boolean isOver() {
        return state.isOver();
    }

    /// The reason of its condition; empty while it has none.
    String reason() {
        return RunStatus.of(run).outcome().map(RunStatus.Outcome::reason).orElse("");
    }

    boolean isSameVersion(ChildRun other) {
        return version.equals(other.version);
    }

    private static RunState state(Resource run) {
        var outcome = RunStatus.of(run).outcome().filter(RunStatus.Outcome::isOver);
        if (outcome.isEmpty()) {
            return RunState.RUNNING;
        }
        if (!outcome.get().isFalse()) {
            return RunState.SUCCEEDED;
        }
        return switch (outcome.get().reason()) {
            case "TaskRunCancelled", "CustomRunCancelled" -> {
                var message = run.spec().string("statusMessage");
                yield message.equals(Children.TASK_TIMEOUT) || message.equals(Children.CUSTOM_TIMEOUT)
                        ? RunState.TIMED_OUT
                        : RunState.CANCELLED;
            }
            case "Cancelled" -> run.kind().equals("PipelineRun") ? RunState.CANCELLED : RunState.FAILED;
            case "PipelineRunTimeout" -> RunState.TIMED_OUT;
            default -> RunState.FAILED;
        };
    }
}
