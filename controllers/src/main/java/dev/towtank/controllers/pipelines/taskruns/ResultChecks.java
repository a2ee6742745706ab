package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.ResultSpec;
import dev.towtank.controllers.pipelines.runs.ParamChecks;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Whether results are what the task declares.
record ResultChecks(List<ResultSpec> declared) {

    /// @param results those that are
    record Outcome(List<Json.Obj> results, Optional<String> problem) {}

    Outcome check(List<Json.Obj> results) {
        var right = new ArrayList<Json.Obj>();
        var wrong = new TreeMap<String, String>();
        for (var result : results) {
            var expected = spec(result).map(ResultSpec::effectiveType);
            if (expected.isPresent() && !expected.get().equals(result.string("type"))) {
                wrong.put(
                        result.string("name"),
                        "task result is expected to be \"%s\" type but was initialized to a different type \"%s\""
                                .formatted(expected.get(), result.string("type")));
            } else {
                right.add(result);
            }
        }
        if (!wrong.isEmpty()) {
            var all = wrong.entrySet().stream()
                    .map(entry -> " \"" + entry.getKey() + "\": " + entry.getValue())
                    .collect(Collectors.joining(","));
            return new Outcome(
                    right,
                    Optional.of(
                            "Provided results don't match declared results; may be invalid JSON or missing result declaration: "
                                    + all));
        }
        return new Outcome(right, missingKeys(right));
    }

    private Optional<ResultSpec> spec(Json.Obj result) {
        return declared.stream()
                .filter(spec -> spec.name().equals(result.string("name")))
                .findFirst();
    }

    private Optional<String> missingKeys(List<Json.Obj> results) {
        var missing = new TreeMap<String, List<String>>();
        for (var result : results) {
            var keys = spec(result)
                    .filter(spec -> spec.effectiveType().equals(ParamValue.OBJECT))
                    .map(spec -> spec.properties().keySet().stream()
                            .filter(key -> !result.object("value").has(key))
                            .sorted()
                            .toList())
                    .orElse(List.of());
            if (!keys.isEmpty()) {
                missing.put(result.string("name"), keys);
            }
        }
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("missing keys for these results which are required in TaskResult's properties "
                        + ParamChecks.goMap(missing));
    }
}
