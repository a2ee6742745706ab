package dev.towtank.controllers.pipelines.substitution;

import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.PipelineResult;
import dev.towtank.controllers.pipelines.api.Result;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The results of a run of a pipeline, made of those of its tasks.
///
/// @param results those that could be made
/// @param invalid names of those that a task should have made possible and did not
public record PipelineResults(List<Result> results, List<String> invalid) {

    /// Of a task that did not succeed nothing is expected, so a result that needs one is left out without
    /// complaint.
    ///
    /// @param taskResults by task and result
    /// @param statuses `Succeeded`, `Failed` or `None` by task
    public static PipelineResults of(
            List<PipelineResult> declared,
            Map<String, Map<String, ParamValue>> taskResults,
            Map<String, String> statuses) {
        var made = new ArrayList<Result>();
        var growth = new Growth();
        var invalid = new ArrayList<String>();
        for (var result : declared) {
            var names = ResultReference.in(result.value());
            if (names.isEmpty()) {
                continue;
            }
            var problems = new LinkedHashSet<Problem>();
            var variables = Replacements.builder();
            names.forEach(name -> find(name, taskResults, statuses, variables).ifPresent(problems::add));
            if (problems.isEmpty()) {
                var value = variables.build().apply(result.value(), growth);
                made.add(new Result(result.name(), "", value.json()));
            } else if (problems.contains(Problem.MISSING)) {
                invalid.add(result.name());
            }
        }
        return new PipelineResults(made, invalid);
    }

    /// The message of the failed run.
    public Optional<String> complaint() {
        return invalid.isEmpty()
                ? Optional.empty()
                : Optional.of("invalid pipelineresults [" + String.join(" ", invalid)
                        + "], the referenced results don't exist");
    }

    private enum Problem {
        MISSING,
        NOT_EXPECTED
    }

    private static Optional<Problem> find(
            String name,
            Map<String, Map<String, ParamValue>> taskResults,
            Map<String, String> statuses,
            Replacements.Builder variables) {
        var reference = ResultReference.parse(name).orElse(null);
        if (reference == null) {
            return Optional.of(Problem.MISSING);
        }
        var value = taskResults.getOrDefault(reference.task(), Map.of()).get(reference.result());
        if (value == null) {
            var status = statuses.get(reference.task());
            return Optional.of(status == null || status.equals("Succeeded") ? Problem.MISSING : Problem.NOT_EXPECTED);
        }
        return take(reference, name, value, variables) ? Optional.empty() : Optional.of(Problem.MISSING);
    }

    private static boolean take(
            ResultReference reference, String name, ParamValue value, Replacements.Builder variables) {
        var bare = name.endsWith("[*]") ? name.substring(0, name.length() - "[*]".length()) : name;
        switch (value) {
            case ParamValue.Text(var text) when reference.key().isEmpty() -> variables.put(name, text);
            case ParamValue.Array(var items) when reference.isWhole() -> variables.put(bare, items);
            case ParamValue.Array(var items)
            when reference.key().isEmpty() && reference.index().orElse(0) < items.size() ->
                variables.put(name, items.get(reference.index().orElse(0)));
            case ParamValue.Keyed(var entries) when reference.key().isEmpty() -> variables.put(bare, entries);
            case ParamValue.Keyed(var entries)
            when entries.containsKey(reference.key()) -> variables.put(name, entries.getOrDefault(reference.key(), ""));
            case ParamValue.Text _, ParamValue.Array _, ParamValue.Keyed _ -> {
                return false;
            }
        }
        return true;
    }

    /// All names of tasks that results are made of.
    public static Set<String> tasksOf(List<PipelineResult> declared) {
        var tasks = new LinkedHashSet<String>();
        declared.forEach(result -> ResultReference.in(result.value())
                .forEach(name -> ResultReference.parse(name).ifPresent(reference -> tasks.add(reference.task()))));
        return tasks;
    }
}
