package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.PipelineRun;
import dev.towtank.controllers.pipelines.graph.RunState;
import dev.towtank.controllers.pipelines.graph.Schedule;
import dev.towtank.controllers.pipelines.graph.SkipReason;
import dev.towtank.controllers.pipelines.graph.StartGate;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.controllers.pipelines.runs.RunStatus.Outcome;
import dev.towtank.controllers.pipelines.substitution.PipelineResults;
import dev.towtank.controllers.pipelines.substitution.Replacements;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// What a run's status says about how it stands.
///
/// @param created the runs that this look creates
/// @param finallyGate decides about `finally` tasks
record RunReport(
        Resource run,
        PipelineRun value,
        Blueprint blueprint,
        Children children,
        TaskValues values,
        Schedule schedule,
        StartGate finallyGate,
        Timeouts timeouts,
        List<ChildBuilder.Child> created) {

    private static final int LONGEST_PROBLEMS = 1024;

    /// The condition, by the states of all tasks; those just created are not over.
    Outcome outcome(RunStatus status, Instant now) {
        if (Timeouts.isOver(timeouts.pipelineEnd(status), now)) {
            return Outcome.failed(
                    "PipelineRunTimeout",
                    "PipelineRun \"%s\" failed to finish within \"%s\""
                            .formatted(run.name(), Durations.format(timeouts.pipeline())));
        }
        var counts = schedule.counts(finallyGate);
        var tasksTimedOut = Timeouts.isOver(timeouts.tasksEnd(status), now);
        var isOver = counts.incomplete() == 0;
        if (tasksTimedOut && isOver) {
            return Outcome.failed(
                    "PipelineRunTimeout",
                    "PipelineRun \"%s\" failed due to tasks failed to finish within \"%s\""
                            .formatted(
                                    run.name(),
                                    timeouts.tasks().map(Durations::format).orElse("")));
        }
        return isOver ? finalOutcome() : interim(tasksTimedOut);
    }

    private Outcome finalOutcome() {
        var counts = schedule.counts(finallyGate);
        var message = counts.finalMessage();
        if (counts.invalid() > 0) {
            return Outcome.failed(
                    "PipelineValidationFailed",
                    message + ", Failed Validation: %d (%s)".formatted(counts.invalid(), problems()));
        }
        if (counts.failed() > 0 || counts.timedOut() > 0) {
            return Outcome.failed("Failed", message);
        }
        if (value.isGracefullyCancelled() || value.isGracefullyStopped()) {
            return Outcome.failed("Cancelled", "PipelineRun \"%s\" was cancelled".formatted(run.name()));
        }
        if (counts.cancelled() > 0) {
            return Outcome.failed("Cancelled", message);
        }
        return Outcome.succeeded(counts.skipped() > 0 ? "Completed" : "Succeeded", message);
    }

    private String problems() {
        var text = schedule.invalid().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .collect(Collectors.joining("; "));
        return text.length() > LONGEST_PROBLEMS ? text.substring(0, LONGEST_PROBLEMS) + "..." : text;
    }

    private Outcome interim(boolean tasksTimedOut) {
        var counts = schedule.counts(finallyGate);
        var finallyDone = schedule.isFinallyDone(finallyGate);
        String reason;
        if (tasksTimedOut && !finallyDone) {
            reason = "PipelineRunTimeoutRunningFinally";
        } else if (value.isGracefullyCancelled()) {
            reason = "CancelledRunningFinally";
        } else if (value.isGracefullyStopped()) {
            reason = "StoppedRunningFinally";
        } else if (counts.cancelled() > 0
                || (counts.failed() > 0 && blueprint.graph().finallyTasks().isEmpty())) {
            reason = "PipelineRunStopping";
        } else {
            reason = "Running";
        }
        return Outcome.running(reason, counts.runningMessage());
    }

    Json.Arr childReferences() {
        var references = new ArrayList<Json>();
        var newByTask = created.stream()
                .collect(Collectors.groupingBy(child -> child.object().labels().getOrDefault(Children.TASK_LABEL, "")));
        for (var task : blueprint.tasks().values()) {
            var known = children.of(task.name());
            known.forEach(child -> references.add(reference(task, child)));
            newByTask.getOrDefault(task.name(), List.of()).stream()
                    .map(child -> ChildRun.of(child.object()))
                    .filter(child ->
                            known.stream().noneMatch(other -> other.name().equals(child.name())))
                    .forEach(child -> references.add(reference(task, child)));
        }
        return new Json.Arr(references);
    }

    private Json.Obj reference(PlannedTask task, ChildRun child) {
        var reference = Json.Obj.builder()
                .put("apiVersion", child.apiVersion())
                .put("kind", child.kind())
                .put("name", child.name())
                .put("pipelineTaskName", task.name());
        reference.putNonEmpty("displayName", displayName(task, child.run()));
        return reference.putNonEmpty("whenExpressions", when(task)).build();
    }

    private Json.Arr when(PlannedTask task) {
        return task.json().has("when")
                ? values.completeJson(task, Replacements.NONE).array("when")
                : Json.Arr.EMPTY;
    }

    private String displayName(PlannedTask task, Resource child) {
        var name = task.value().displayName();
        var includes = task.value().matrix().map(matrix -> matrix.include()).orElse(List.of());
        if (name.isEmpty() && includes.isEmpty()) {
            return "";
        }
        var texts = new LinkedHashMap<String, String>();
        child.spec()
                .objects("params")
                .forEach(param -> texts.put("params." + param.string("name"), param.string("value")));
        var variables = Replacements.ofStrings(texts);
        var combined = includes.stream()
                .filter(include ->
                        !include.name().isEmpty() && include.params().stream().allMatch(param -> matches(param, texts)))
                .map(include -> variables.apply(include.name()))
                .collect(Collectors.joining(" "));
        if (!combined.isEmpty()) {
            return combined;
        }
        return name.contains("$(tasks.")
                ? variables.apply(values.complete(task, Replacements.NONE).displayName())
                : variables.apply(name);
    }

    private static boolean matches(Param param, Map<String, String> texts) {
        return param.value().textOrEmpty().equals(texts.get("params." + param.name()));
    }

    Json.Arr skippedTasks() {
        var skipped = new ArrayList<Json>();
        schedule.skipped(finallyGate).forEach((name, reason) -> {
            var task = blueprint.task(name);
            var entry = Json.Obj.builder().put("name", name).put("reason", reason.text());
            if (!task.isFinally() || reason == SkipReason.WHEN_FALSE) {
                entry.putNonEmpty("whenExpressions", skippedWhen(task));
            }
            skipped.add(entry.build());
        });
        return new Json.Arr(skipped);
    }

    private Json.Arr skippedWhen(PlannedTask task) {
        if (!task.json().has("when")) {
            return Json.Arr.EMPTY;
        }
        var more = task.isFinally() ? values.statuses(task, schedule) : Replacements.NONE;
        return values.completeJson(task, more).array("when");
    }

    /// The results of the pipeline, and what is wrong with them.
    PipelineResults results() {
        var taskResults = new LinkedHashMap<String, Map<String, ParamValue>>();
        var statuses = new LinkedHashMap<String, String>();
        for (var name : PipelineResults.tasksOf(blueprint.spec().results())) {
            var task = Optional.ofNullable(blueprint.tasks().get(name));
            taskResults.put(
                    name,
                    task.map(found -> children.results(name, found.value().isMatrixed()))
                            .orElse(Map.of()));
            statuses.put(name, children.state(name) == RunState.SUCCEEDED ? "Succeeded" : "Failed");
        }
        return PipelineResults.of(blueprint.spec().results(), taskResults, statuses);
    }

    static Json.Arr json(PipelineResults results) {
        return new Json.Arr(results.results().stream()
                .<Json>map(result -> Json.Obj.of("name", Json.of(result.name()), "value", result.raw()))
                .toList());
    }
}
