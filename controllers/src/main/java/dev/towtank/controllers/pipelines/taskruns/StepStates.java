package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.ResultSpec;
import dev.towtank.controllers.pipelines.api.TaskSpec;
import dev.towtank.controllers.pipelines.entrypoint.TerminationMessage;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What the containers of the steps say, and the results they left.
///
/// @param isOver whether results count: they do when all has ended
/// @param printed results that came with a log
record StepStates(TaskSpec task, boolean isOver, PrintedResults printed) {

    private static final Pattern STEP_RESULT = Pattern.compile("\\$\\(steps\\.([^.]+)\\.results\\.([^.)\\[]+)\\)");

    /// @param states as `status.steps` shows them
    /// @param results of the task; of several writers the last one counts
    record Result(List<Json.Obj> states, List<Json.Obj> results, Json.Obj artifacts) {}

    Result of(Resource pod, List<Json.Obj> before) {
        var states = new ArrayList<Json.Obj>();
        var results = new LinkedHashMap<String, Json.Obj>();
        var artifacts = new Artifacts();
        if (isOver) {
            printed.ofTask().forEach(entry -> results.put(entry.key(), result(entry, task.results())));
        }
        for (var status : PodFailure.statuses(pod)) {
            if (PodFailure.isStep(status)) {
                var message = TerminationMessage.parse(status.string("state", "terminated", "message"));
                var found =
                        message.map(text -> found(status.string("name"), text)).orElse(Found.NONE);
                states.add(state(status, message, found, before));
                found.task().forEach(result -> results.put(result.string("name"), result));
                artifacts.add(found.artifacts());
                artifacts.add(found.taskArtifacts());
            }
        }
        return new Result(states, List.copyOf(results.values()), artifacts.json());
    }

    private record Found(List<Json.Obj> task, List<Json.Obj> step, Json.Obj artifacts, Json.Obj taskArtifacts) {
        static final Found NONE = new Found(List.of(), List.of(), Json.Obj.EMPTY, Json.Obj.EMPTY);
    }

    private Found found(String container, TerminationMessage message) {
        if (!isOver) {
            return Found.NONE;
        }
        var own = task.steps().stream()
                .filter(step -> ("step-" + step.name()).equals(container))
                .findFirst()
                .map(step -> step.results())
                .orElse(List.of());
        var taskResults = new ArrayList<Json.Obj>();
        message.ofType(TerminationMessage.TASK_RESULT).forEach(entry -> taskResults.add(result(entry, task.results())));
        var stepResults = Stream.concat(
                        message.ofType(TerminationMessage.STEP_RESULT).stream(), printed.ofStep(container).stream())
                .map(entry -> result(entry, own))
                .toList();
        stepResults.forEach(result -> {
            var taken = takenBy(container, result.string("name"));
            taken.forEach(name -> taskResults.add(result.with("name", Json.of(name))));
        });
        return new Found(
                taskResults,
                stepResults,
                artifacts(message.ofType(TerminationMessage.STEP_ARTIFACTS)),
                artifacts(message.ofType(TerminationMessage.TASK_ARTIFACTS)));
    }

    /// The results of the task that are nothing but a result of this step.
    private List<String> takenBy(String container, String result) {
        return task.results().stream()
                .filter(spec -> {
                    var matcher = STEP_RESULT.matcher(
                            spec.value().map(ParamValue::textOrEmpty).orElse(""));
                    return matcher.matches()
                            && ("step-" + matcher.group(1)).equals(container)
                            && matcher.group(2).equals(result);
                })
                .map(ResultSpec::name)
                .toList();
    }

    private static Json.Obj result(TerminationMessage.Entry entry, List<ResultSpec> declared) {
        var isText = declared.stream()
                .filter(spec -> spec.name().equals(entry.key()))
                .anyMatch(spec -> spec.effectiveType().equals(ParamValue.STRING));
        var value = isText ? ParamValue.of(entry.value()) : parsed(entry.value());
        return Json.Obj.builder()
                .put("name", entry.key())
                .put("type", value.type())
                .put("value", value.json())
                .build();
    }

    private static ParamValue parsed(String text) {
        try {
            var json = JsonText.parse(text);
            return json instanceof Json.Arr || json instanceof Json.Obj ? ParamValue.read(json) : ParamValue.of(text);
        } catch (JsonText.Malformed e) {
            return ParamValue.of(text);
        }
    }

    private static Json.Obj artifacts(List<TerminationMessage.Entry> entries) {
        try {
            return entries.isEmpty()
                    ? Json.Obj.EMPTY
                    : JsonText.parseObject(entries.getFirst().value());
        } catch (JsonText.Malformed e) {
            return Json.Obj.EMPTY;
        }
    }

    private Json.Obj state(Json.Obj status, Optional<TerminationMessage> message, Found found, List<Json.Obj> before) {
        var name = status.string("name");
        var state = status.object("state");
        var builder = Json.Obj.builder();
        if (state.has("terminated") && message.isPresent()) {
            state = state.with("terminated", terminated(state.object("terminated"), message.get()));
        }
        state.forEach(builder::put);
        var stepName = name.substring("step-".length());
        builder.put("name", stepName).put("container", name).putNonEmpty("imageID", status.string("imageID"));
        builder.putNonEmpty("results", new Json.Arr(List.copyOf(found.step())));
        builder.putNonEmpty("inputs", found.artifacts().array("inputs"));
        builder.putNonEmpty("outputs", found.artifacts().array("outputs"));
        message.ifPresent(text -> builder.putNonEmpty(
                "terminationReason",
                text.internal("Reason")
                        .or(() -> text.internal("ExitCode").map(_ -> "Continued"))
                        .orElse(status.string("state", "terminated", "reason"))));
        before.stream()
                .filter(old -> old.string("name").equals(stepName) && old.has("provenance"))
                .forEach(old -> builder.put("provenance", old.object("provenance")));
        return builder.build();
    }

    private static Json.Obj terminated(Json.Obj terminated, TerminationMessage message) {
        var rest = message.entries().stream()
                .filter(entry -> entry.type() != TerminationMessage.INTERNAL)
                .toList();
        var result = terminated;
        result = rest.isEmpty()
                ? result.without("message")
                : result.with("message", Json.of(new TerminationMessage(rest).text()));
        var startedAt = message.internal("StartedAt").flatMap(StepStates::second);
        if (startedAt.isPresent()) {
            result = result.with("startedAt", Json.of(startedAt.get()));
        }
        var code = message.internal("ExitCode");
        return code.isPresent() ? result.with("exitCode", Json.of(Long.parseLong(code.get()))) : result;
    }

    private static Optional<String> second(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant())
                    .map(moment ->
                            Instant.ofEpochSecond(moment.getEpochSecond()).toString());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /// Artifacts of all steps together; what has one name is one.
    private static final class Artifacts {
        private final Map<String, Map<String, Json>> byDirection = new LinkedHashMap<>();

        void add(Json.Obj artifacts) {
            for (var direction : List.of("inputs", "outputs")) {
                artifacts
                        .objects(direction)
                        .forEach(artifact -> byDirection
                                .computeIfAbsent(direction, _ -> new LinkedHashMap<>())
                                .merge(artifact.string("name"), artifact, Artifacts::together));
            }
        }

        private static Json together(Json one, Json other) {
            if (!(one instanceof Json.Obj first) || !(other instanceof Json.Obj second)) {
                return other;
            }
            var values = new ArrayList<>(first.array("values").items());
            second.array("values").items().stream()
                    .filter(value -> !values.contains(value))
                    .forEach(values::add);
            return first.with("values", new Json.Arr(values));
        }

        Json.Obj json() {
            var json = Json.Obj.builder();
            byDirection.forEach((direction, all) -> json.put(direction, new Json.Arr(List.copyOf(all.values()))));
            return json.build();
        }
    }
}
