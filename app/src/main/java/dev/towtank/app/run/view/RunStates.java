package dev.towtank.app.run.view;

import dev.towtank.app.run.view.RunState.Attempt;
import dev.towtank.app.run.view.RunState.Phase;
import dev.towtank.app.run.view.RunState.Run;
import dev.towtank.app.run.view.RunState.Step;
import dev.towtank.app.run.view.RunState.Task;
import dev.towtank.cluster.pods.StandIn;
import dev.towtank.controllers.pipelines.api.PipelineTask;
import dev.towtank.controllers.pipelines.substitution.ResultReference;
import dev.towtank.model.Json;
import dev.towtank.model.Records;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads objects of the API as the state of a run. Pure.
public final class RunStates {

    /// On what was taken from an earlier run: the name of that run.
    public static final String REUSED_FROM = "towtank.dev/reused-from";

    private final Resource run;
    private final Collection<Resource> children;
    private final Json.Obj definition;
    private final Predicate<String> isLogOpen;

    /// @param children TaskRuns, CustomRuns and PipelineRuns that the run may own
    /// @param definition the spec of its pipeline, until its status has one
    /// @param isLogOpen whether the log of a `pod/container` is still to be shown: such a step is not over yet
    public RunStates(Resource run, Collection<Resource> children, Json.Obj definition, Predicate<String> isLogOpen) {
        this.run = run;
        this.children = children;
        this.definition = definition;
        this.isLogOpen = isLogOpen;
    }

    public RunState state() {
        var tasks = run.kind().equals("PipelineRun") ? pipelineTasks() : List.of(onlyTask());
        var condition = succeeded(run);
        var phase = phase(run, condition);
        boolean isShown = tasks.stream().noneMatch(task -> task.phase() == Phase.RUNNING);
        return new RunState(
                run.name(),
                run.namespace(),
                run.kind(),
                title(),
                phase.isOver() && !isShown ? Phase.RUNNING : phase,
                condition.string("reason"),
                condition.string("message"),
                time(run.status().string("startTime")),
                time(run.status().string("completionTime")),
                tasks,
                results(run));
    }

    /// By name.
    private static Json.Obj results(Resource object) {
        var results = Json.Obj.builder();
        object.status()
                .objects("results")
                .forEach(result -> results.put(
                        result.string("name"),
                        Optional.ofNullable(result.get("value")).orElse(Json.Null.NULL)));
        return results.build();
    }

    private String title() {
        var isPipeline = run.kind().equals("PipelineRun");
        var name = run.spec().string(isPipeline ? "pipelineRef" : "taskRef", "name");
        return name.isEmpty() ? "" : (isPipeline ? "pipeline " : "task ") + name;
    }

    private Task onlyTask() {
        var title = run.spec().string("taskRef", "name");
        var only = run(run, "");
        return new Task(title.isEmpty() ? run.name() : title, false, only.phase(), List.of(), "", List.of(only));
    }

    private List<Task> pipelineTasks() {
        var spec = run.status().has("pipelineSpec") ? run.status().object("pipelineSpec") : definition;
        return Stream.concat(
                        spec.objects("tasks").stream().map(task -> task(task, false)),
                        spec.objects("finally").stream().map(task -> task(task, true)))
                .toList();
    }

    private Task task(Json.Obj json, boolean isFinally) {
        var name = json.string("name");
        var skipped = run.status().objects("skippedTasks").stream()
                .filter(each -> each.string("name").equals(name))
                .findFirst();
        var runs = runs(json, name);
        var after = isFinally ? List.<String>of() : after(json);
        if (skipped.isPresent() && runs.isEmpty()) {
            return new Task(name, isFinally, Phase.SKIPPED, after, skipped.get().string("reason"), runs);
        }
        var phase = together(runs);
        boolean isOver = succeeded(run).string("status").matches("True|False");
        return new Task(name, isFinally, phase == Phase.WAITING && isOver ? Phase.SKIPPED : phase, after, "", runs);
    }

    private static List<String> after(Json.Obj json) {
        var task = Records.read(PipelineTask.class, json);
        Set<String> names = new LinkedHashSet<>(task.runAfter());
        ResultReference.of(task).forEach(reference -> names.add(reference.task()));
        return List.copyOf(names);
    }

    private List<Run> runs(Json.Obj task, String name) {
        var owned = children.stream()
                .filter(child -> child.controller()
                        .filter(owner -> owner.uid().equals(run.uid()))
                        .isPresent())
                .filter(child -> child.labels()
                        .getOrDefault("tekton.dev/pipelineTask", "")
                        .equals(name))
                .sorted(Comparator.comparing(Resource::name, RunStates::byLengthAndText))
                .toList();
        var runs = new ArrayList<Run>();
        for (var child : owned) {
            runs.add(run(child, label(task, child)));
            if (child.kind().equals("PipelineRun")) {
                nested(child).forEach(runs::add);
            }
        }
        return runs;
    }

    // So that the tenth combination of a matrix comes behind the second.
    private static int byLengthAndText(String one, String other) {
        int order = Integer.compare(one.length(), other.length());
        return order == 0 ? one.compareTo(other) : order;
    }

    private Stream<Run> nested(Resource pipelineRun) {
        return children.stream()
                .filter(child -> child.kind().equals("TaskRun"))
                .filter(child -> child.controller()
                        .filter(owner -> owner.uid().equals(pipelineRun.uid()))
                        .isPresent())
                .sorted(Comparator.comparing(Resource::name))
                .map(child -> run(child, child.labels().getOrDefault("tekton.dev/pipelineTask", child.name())));
    }

    private String label(Json.Obj task, Resource child) {
        var shown = run.status().objects("childReferences").stream()
                .filter(reference -> reference.string("name").equals(child.name()))
                .map(reference -> reference.string("displayName"))
                .filter(text -> !text.isEmpty() && !text.equals(task.string("displayName")))
                .findFirst();
        if (shown.isPresent()) {
            return shown.get();
        }
        var names = Stream.concat(
                        task.objects("matrix", "params").stream(),
                        task.objects("matrix", "include").stream().flatMap(each -> each.objects("params").stream()))
                .map(param -> param.string("name"))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return child.spec().objects("params").stream()
                .filter(param -> names.contains(param.string("name")))
                .map(param -> param.string("name") + "=" + display(param.get("value")))
                .collect(Collectors.joining(", "));
    }

    private static String display(@Nullable Json value) {
        return value == null ? "" : value.display();
    }

    private Run run(Resource object, String label) {
        var condition = succeeded(object);
        var phase = phase(object, condition);
        var pod = object.status().string("podName");
        var reusedFrom = object.annotations().getOrDefault(REUSED_FROM, "");
        // Nobody waits for the log of what ran elsewhere, nor of what is being ended and may take its time.
        boolean isEnded = phase == Phase.CANCELLED || condition.string("reason").endsWith("Timeout");
        boolean hasLog = reusedFrom.isEmpty() && !isEnded && phase != Phase.TIMED_OUT;
        var attempts = attempts(object, hasLog);
        var open =
                attempts.stream().filter(attempt -> isRunning(attempt.steps())).findFirst();
        if (open.isPresent()) {
            // What comes after an attempt is told when all of its log has been.
            return run(object, label, Phase.RUNNING, open.get(), attempts.subList(0, attempts.indexOf(open.get())));
        }
        var last = new Attempt(pod, steps(object.status(), hasLog ? pod : ""));
        return run(object, label, phase.isOver() && isRunning(last.steps()) ? Phase.RUNNING : phase, last, attempts);
    }

    private static boolean isRunning(List<Step> steps) {
        return steps.stream().anyMatch(step -> step.phase() == Phase.RUNNING);
    }

    private static Run run(Resource object, String label, Phase phase, Attempt attempt, List<Attempt> earlier) {
        var condition = succeeded(object);
        return new Run(
                object.name(),
                label,
                attempt.pod(),
                phase,
                condition.string("reason"),
                condition.string("message"),
                time(object.status().string("startTime")),
                time(object.status().string("completionTime")),
                earlier,
                (int) object.spec().integer("retries"),
                object.annotations().getOrDefault(REUSED_FROM, ""),
                attempt.steps(),
                attempt.pod().equals(object.status().string("podName")) ? sidecars(object) : List.of());
    }

    private static List<String> sidecars(Resource object) {
        return object.status().objects("sidecars").stream()
                .filter(sidecar -> sidecar.has("running") || sidecar.has("terminated"))
                .map(sidecar -> sidecar.string("container"))
                .toList();
    }

    /// Some are over before anybody saw them run.
    private List<Attempt> attempts(Resource object, boolean hasLog) {
        return object.status().objects("retriesStatus").stream()
                .map(earlier -> {
                    var pod = earlier.string("podName");
                    var ran = steps(earlier, hasLog ? pod : "").stream()
                            .filter(step -> step.exitCode().isPresent() && step.phase() != Phase.SKIPPED)
                            .toList();
                    return new Attempt(pod, ran);
                })
                .toList();
    }

    private List<Step> steps(Json.Obj status, String pod) {
        var steps = new ArrayList<Step>();
        boolean earlierOver = true;
        Optional<Instant> earlierEnd = Optional.empty();
        for (var json : status.objects("steps")) {
            var step = step(json, pod, earlierOver, earlierEnd);
            steps.add(step);
            earlierOver &= step.phase().isOver();
            earlierEnd = step.finished();
        }
        return steps;
    }

    /// All containers of a pod start together; a step runs when those before it are over.
    private Step step(Json.Obj json, String pod, boolean earlierOver, Optional<Instant> earlierEnd) {
        var container = json.string("container");
        var phase = Phase.WAITING;
        Optional<Instant> started = Optional.empty();
        Optional<Instant> finished = Optional.empty();
        var exit = OptionalInt.empty();
        if (json.get("terminated") instanceof Json.Obj end) {
            started = time(end.string("startedAt"));
            finished = time(end.string("finishedAt"));
            exit = OptionalInt.of((int) end.integer("exitCode"));
            phase = !pod.isEmpty() && isLogOpen.test(pod + "/" + container) ? Phase.RUNNING : endOf(json, end);
        } else if (json.has("running") && earlierOver) {
            phase = Phase.RUNNING;
            started = earlierEnd.or(() -> time(json.string("running", "startedAt")));
        }
        return new Step(
                json.string("name"),
                container,
                phase,
                started,
                finished,
                exit,
                json.string("terminationReason"),
                StandIn.isIn(json));
    }

    private static Phase endOf(Json.Obj step, Json.Obj end) {
        return switch (step.string("terminationReason")) {
            case "Skipped" -> Phase.SKIPPED;
            case "Continued" -> end.integer("exitCode") == 0 ? Phase.SUCCEEDED : Phase.IGNORED;
            case "TimeoutExceeded" -> Phase.TIMED_OUT;
            case "TaskRunCancelled", "Cancelled" -> Phase.CANCELLED;
            default -> end.integer("exitCode") == 0 ? Phase.SUCCEEDED : Phase.FAILED;
        };
    }

    private static Json.Obj succeeded(Resource object) {
        return object.status().objects("conditions").stream()
                .filter(condition -> condition.string("type").equals("Succeeded"))
                .findFirst()
                .orElse(Json.Obj.EMPTY);
    }

    private static Phase phase(Resource object, Json.Obj condition) {
        return switch (condition.string("status")) {
            case "True" -> Phase.SUCCEEDED;
            case "False" -> failure(object, condition.string("reason"));
            case "Unknown" -> object.status().has("startTime") ? Phase.RUNNING : Phase.WAITING;
            default -> Phase.WAITING;
        };
    }

    private static Phase failure(Resource object, String reason) {
        boolean isIgnored = object.annotations()
                .getOrDefault("pipeline.tekton.dev/pipeline-task-on-error", "")
                .equals("continue");
        return switch (reason) {
            case "Cancelled", "TaskRunCancelled", "CustomRunCancelled" ->
                // So it says where the run as a whole had no time left.
                object.spec().string("statusMessage").endsWith("has timed out.") ? Phase.TIMED_OUT : Phase.CANCELLED;
            case "PipelineRunTimeout", "TaskRunTimeout", "CustomRunTimedOut" ->
                isIgnored ? Phase.IGNORED : Phase.TIMED_OUT;
            default -> isIgnored || reason.equals("FailureIgnored") ? Phase.IGNORED : Phase.FAILED;
        };
    }

    private static Phase together(List<Run> runs) {
        if (runs.isEmpty()) {
            return Phase.WAITING;
        }
        if (!runs.stream().allMatch(run -> run.phase().isOver())) {
            return Phase.RUNNING;
        }
        for (var worst : List.of(Phase.TIMED_OUT, Phase.CANCELLED, Phase.FAILED, Phase.IGNORED)) {
            if (runs.stream().anyMatch(run -> run.phase() == worst)) {
                return worst;
            }
        }
        return Phase.SUCCEEDED;
    }

    private static Optional<Instant> time(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
