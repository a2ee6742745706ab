package dev.towtank.app.report;

import dev.towtank.app.report.RunStory.Attempt;
import dev.towtank.app.report.RunStory.Outcome;
import dev.towtank.app.report.RunStory.Part;
import dev.towtank.app.report.RunStory.Step;
import dev.towtank.app.report.RunStory.Task;
import dev.towtank.app.report.RunStory.Value;
import dev.towtank.cluster.pods.StandIn;
import dev.towtank.controllers.pipelines.api.When;
import dev.towtank.controllers.pipelines.substitution.WhenConditions;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads the story of a run out of its objects.
public final class StoryReader {
    private static final Pattern RESULT_OF = Pattern.compile("\\$\\(tasks\\.([^.)\\s]+)\\.");
    /// How a sidecar ends that was told to.
    private static final Set<Long> STOPPED = Set.of(0L, 137L, 143L);

    private static final String WHEN_FALSE = "When Expressions evaluated to false";
    private static final Pattern NUMBERED = Pattern.compile(".*-(\\d+)");

    private final RunSource source;
    private final Json.Obj run;

    private StoryReader(RunSource source) {
        this.source = source;
        this.run = source.run();
    }

    /// @param now when the source was asked, for what still runs
    public static RunStory read(RunSource source, Instant now) {
        return new StoryReader(source).read(now);
    }

    private RunStory read(Instant now) {
        boolean pipeline = run.string("kind").equals("PipelineRun");
        var spec = pipeline ? run.object("status", "pipelineSpec") : run.object("status", "taskSpec");
        var reference = run.object("spec", pipeline ? "pipelineRef" : "taskRef");
        return new RunStory(
                run.string("kind"),
                run.string("metadata", "name"),
                run.string("metadata", "namespace"),
                reference.string("resolver").isEmpty()
                        ? reference.string("name")
                        : "by resolver " + reference.string("resolver"),
                outcome(run.object("status")),
                params(run.objects("spec", "params"), spec.objects("params")),
                values(run.objects("status", "results")),
                pipeline ? tasks(spec) : List.of(alone()),
                source.surroundings(),
                now);
    }

    private Task alone() {
        var part = part(run, run.string("metadata", "name"));
        return new Task(part.name(), List.of(), false, part.outcome(), List.of(part), "");
    }

    private List<Task> tasks(Json.Obj spec) {
        var names =
                spec.objects("tasks").stream().map(task -> task.string("name")).toList();
        var tasks = new ArrayList<Task>();
        spec.objects("tasks").forEach(task -> tasks.add(task(task, before(task, names), false)));
        spec.objects("finally").forEach(task -> tasks.add(task(task, List.of(), true)));
        return tasks;
    }

    /// The tasks that another waits for, because it says so or needs their results.
    private static List<String> before(Json.Obj task, List<String> names) {
        var before = new LinkedHashSet<>(task.array("runAfter").strings());
        var used = RESULT_OF.matcher(JsonText.write(task.without("taskSpec")));
        while (used.find()) {
            before.add(used.group(1));
        }
        before.retainAll(names);
        before.remove(task.string("name"));
        return List.copyOf(before);
    }

    private Task task(Json.Obj task, List<String> before, boolean last) {
        var name = task.string("name");
        var parts = source.children().stream()
                .filter(child -> child.string("metadata", "labels", "tekton.dev/pipelineTask")
                        .equals(name))
                .map(child -> part(child, partName(task, child)))
                .map(part -> task.string("onError").equals("continue") ? part.ignored() : part)
                .toList();
        var skipped = run.objects("status", "skippedTasks").stream()
                .filter(each -> each.string("name").equals(name))
                .findFirst();
        var outcome = parts.isEmpty()
                ? notRun(skipped.isPresent())
                : whole(parts.stream().map(Part::outcome).toList());
        return new Task(
                name,
                before,
                last,
                outcome,
                parts,
                skipped.map(StoryReader::why).orElse(""));
    }

    /// Runs of a matrix are told apart by their values; where none says which, by their numbers.
    private String partName(Json.Obj task, Json.Obj child) {
        var name = task.string("name");
        if (!isMatrix(name)) {
            return name;
        }
        var matrix = task.object("matrix");
        var varied = Stream.concat(
                        matrix.objects("params").stream(),
                        matrix.objects("include").stream().flatMap(each -> each.objects("params").stream()))
                .map(param -> param.string("name"))
                .collect(Collectors.toSet());
        var values = child.objects("spec", "params").stream()
                .filter(param -> varied.contains(param.string("name")))
                .map(param -> param.string("name") + "=" + text(param.get("value")))
                .collect(Collectors.joining(", "));
        var number = NUMBERED.matcher(child.string("metadata", "name"));
        if (!values.isEmpty()) {
            return name + " " + values;
        }
        return number.matches() ? name + "-" + number.group(1) : name;
    }

    private boolean isMatrix(String task) {
        return source.children().stream()
                        .filter(child -> child.string("metadata", "labels", "tekton.dev/pipelineTask")
                                .equals(task))
                        .count()
                > 1;
    }

    private Outcome notRun(boolean skipped) {
        return new Outcome(skipped ? State.SKIPPED : State.WAITING, "", "", Optional.empty(), Optional.empty());
    }

    /// A run that stops gives that as the reason for whatever has not run, and takes away what it said before.
    private static String why(Json.Obj skipped) {
        var when = when(skipped);
        var reason = skipped.string("reason");
        return reason.equals(WHEN_FALSE) || isFalse(skipped)
                ? WHEN_FALSE + (when.isEmpty() ? "" : ": when " + when)
                : reason;
    }

    private static boolean isFalse(Json.Obj skipped) {
        var expressions = skipped.objects("whenExpressions");
        // What depends on a task that never ran is neither true nor false.
        boolean isKnown =
                expressions.stream().noneMatch(each -> JsonText.write(each).contains("$("));
        return isKnown
                && WhenConditions.evaluate(
                                expressions.stream().map(StoryReader::condition).toList())
                        instanceof WhenConditions.Outcome.DoesNotHold;
    }

    private static When condition(Json.Obj json) {
        return new When(
                json.string("input"),
                json.string("operator"),
                json.array("values").strings(),
                json.string("cel"));
    }

    private static String when(Json.Obj skipped) {
        var conditions = skipped.objects("whenExpressions").stream()
                .map(when -> "'" + when.string("input") + "' " + when.string("operator") + " "
                        + when.array("values").strings())
                .collect(Collectors.joining(" and "));
        var cel = skipped.objects("whenExpressions").stream()
                .map(when -> when.string("cel"))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(" and "));
        return cel.isEmpty() ? conditions : cel;
    }

    private static Outcome whole(List<Outcome> parts) {
        var state = State.of(parts.stream().map(Outcome::state).toList());
        var first = parts.stream().flatMap(part -> part.began().stream()).min(Instant::compareTo);
        boolean open = parts.stream().anyMatch(part -> part.ended().isEmpty());
        var last = parts.stream().flatMap(part -> part.ended().stream()).max(Instant::compareTo);
        var telling =
                parts.stream().filter(part -> part.state() == state).findFirst().orElse(parts.getFirst());
        return new Outcome(state, telling.reason(), telling.message(), first, open ? Optional.empty() : last);
    }

    private Part part(Json.Obj child, String name) {
        var status = child.object("status");
        var attempts = new ArrayList<Attempt>();
        for (var earlier : status.objects("retriesStatus")) {
            attempts.add(attempt(attempts.size() + 1, earlier));
        }
        attempts.add(attempt(attempts.size() + 1, status));
        var first = attempts.getFirst().outcome();
        var end = attempts.getLast().outcome();
        return new Part(
                name,
                child.string("metadata", "name"),
                new Outcome(end.state(), end.reason(), end.message(), first.began(), end.ended()),
                params(child.objects("spec", "params"), status.objects("taskSpec", "params")),
                values(status.objects("results")),
                attempts);
    }

    private Attempt attempt(int number, Json.Obj status) {
        var images = status.objects("taskSpec", "steps").stream()
                .collect(Collectors.toMap(step -> step.string("name"), step -> step.string("image"), (one, _) -> one));
        var steps = Stream.concat(status.objects("steps").stream(), status.objects("sidecars").stream())
                .map(step -> step(status.string("podName"), step, images.getOrDefault(step.string("name"), "")))
                .toList();
        return new Attempt(number, outcome(status), steps);
    }

    private Step step(String pod, Json.Obj step, String image) {
        boolean sidecar = step.string("container").startsWith("sidecar-");
        long code = step.integer("terminated", "exitCode");
        boolean stopped = sidecar && STOPPED.contains(code);
        var state = stopped ? State.SUCCEEDED : State.ofStep(step);
        var note = new ArrayList<String>();
        if (code != 0 && !stopped && state != State.SKIPPED) {
            note.add("exit code " + code);
        }
        if (StandIn.isIn(step)) {
            note.add("on a stand-in");
        }
        if (step.string("terminationReason").equals("Continued")) {
            note.add("the task went on all the same");
        }
        var log = state == State.WAITING || pod.isEmpty()
                ? RunSource.Log.none("")
                : source.log(pod, step.string("container"));
        var began = step.has("running") ? step.string("running", "startedAt") : step.string("terminated", "startedAt");
        return new Step(
                step.string("name"),
                image.isEmpty() ? step.string("imageID") : image,
                sidecar,
                new Outcome(
                        state,
                        step.string("terminated", "reason"),
                        "",
                        time(began),
                        time(step.string("terminated", "finishedAt"))),
                String.join(", ", note),
                log);
    }

    private static Outcome outcome(Json.Obj status) {
        var condition = status.objects("conditions").stream()
                .filter(each -> each.string("type").equals("Succeeded"))
                .findFirst()
                .orElse(Json.Obj.EMPTY);
        return new Outcome(
                State.ofRun(condition),
                condition.string("reason"),
                condition.string("message"),
                time(status.string("startTime")),
                time(status.string("completionTime")));
    }

    private static Optional<Instant> time(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static List<Value> values(List<Json.Obj> values) {
        return values.stream()
                .map(value -> new Value(value.string("name"), text(value.get("value")), ""))
                .toList();
    }

    /// What was given, and the defaults of what was not.
    private static List<Value> params(List<Json.Obj> given, List<Json.Obj> declared) {
        var params = new ArrayList<>(values(given));
        for (var each : declared) {
            boolean missing =
                    given.stream().noneMatch(param -> param.string("name").equals(each.string("name")));
            if (missing && each.has("default")) {
                params.add(new Value(each.string("name"), text(each.get("default")), "default"));
            }
        }
        return params;
    }

    private static String text(@Nullable Json value) {
        return switch (value) {
            case null -> "";
            case Json.Str(var text) -> text;
            default -> JsonText.write(value);
        };
    }
}
