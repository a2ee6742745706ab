package dev.towtank.controllers.pipelines.substitution;

import dev.towtank.controllers.pipelines.api.Artifacts;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What the results and artifacts of finished tasks stand for in the tasks that use them.
public final class ResultVariables {

    private ResultVariables() {}

    /// One result of a task, in every spelling.
    public static Replacements of(String task, String result, ParamValue value) {
        var variables = Replacements.builder();
        for (var pattern : VariableNames.quoted("tasks." + task + ".results", result)) {
            TaskVariables.putAt(variables, pattern, value);
            if (value instanceof ParamValue.Keyed(var entries)) {
                boolean dotted = !pattern.endsWith("]");
                entries.forEach(
                        (key, text) -> variables.put(dotted ? pattern + "." + key : pattern + "[" + key + "]", text));
            }
        }
        return variables.build();
    }

    /// What a custom task says its result is: a JSON list of strings is an array, all else is text.
    public static ParamValue custom(String text) {
        if (text.startsWith("[")) {
            try {
                var value = ParamValue.read(JsonText.parse(text));
                if (value instanceof ParamValue.Array(var items) && !items.isEmpty()) {
                    return value;
                }
            } catch (JsonText.Malformed e) {
                return ParamValue.of(text);
            }
        }
        return ParamValue.of(text);
    }

    /// The complaint about an index that an array has not got.
    public static Optional<String> outOfBounds(ResultReference reference, ParamValue value) {
        if (value instanceof ParamValue.Array(var items)
                && reference.index().isPresent()
                && reference.index().getAsInt() >= items.size()) {
            return Optional.of("array Result Index " + reference.index().getAsInt() + " for Task " + reference.task()
                    + " Result " + reference.result() + " is out of bound of size " + items.size());
        }
        return Optional.empty();
    }

    /// `tasks.<task>.inputs.<name>` and `tasks.<task>.outputs.<name>`; without a name the first.
    public static Replacements artifacts(String task, Artifacts artifacts) {
        var variables = Replacements.builder();
        put(variables, "tasks." + task + ".inputs", artifacts.inputs());
        put(variables, "tasks." + task + ".outputs", artifacts.outputs());
        return variables.build();
    }

    private static void put(Replacements.Builder variables, String prefix, List<Artifacts.Artifact> artifacts) {
        for (int i = 0; i < artifacts.size(); i++) {
            var values = new ArrayList<Json>();
            artifacts.get(i).values().forEach(value -> values.add(Records.write(value)));
            var text = new Json.Arr(values).toString();
            variables.put(prefix + "." + artifacts.get(i).name(), text);
            if (i == 0) {
                variables.put(prefix, text);
            }
        }
    }
}
