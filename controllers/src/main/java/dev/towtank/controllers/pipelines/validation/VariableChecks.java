package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.Matrix;
import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.ParamSpec;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.PipelineSpec;
import dev.towtank.controllers.pipelines.api.PipelineTask;
import dev.towtank.controllers.pipelines.api.When;
import dev.towtank.controllers.pipelines.substitution.ResultReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/// Checks of the variables that the tasks of a pipeline use.
final class VariableChecks {

    private static final Set<String> PREFIXES =
            Set.of("params", "tasks", "finally", "context", "workspaces", "results");

    private VariableChecks() {}

    static List<String> texts(ParamValue value) {
        return switch (value) {
            case ParamValue.Text(var text) -> List.of(text);
            case ParamValue.Array(var items) -> items;
            case ParamValue.Keyed(var entries) -> List.copyOf(entries.values());
        };
    }

    /// Runs a check over the variables of params and conditions.
    private static Problems each(PipelineTask task, BiFunction<List<String>, String, Problems> check) {
        var problems = Problems.none();
        for (var param : task.params()) {
            var names = ResultReference.in(param.value());
            problems.add(check.apply(names, "value").viaFieldKey("params", param.name()));
        }
        for (int i = 0; i < task.when().size(); i++) {
            var names = ResultReference.in(task.when().get(i));
            problems.add(check.apply(names, "").viaFieldIndex("when", i));
        }
        return problems;
    }

    static Problems executionStatus(PipelineSpec spec) {
        var names = PipelineChecks.names(spec.tasks());
        return PipelineChecks.each(spec.tasks(), "tasks", task -> each(task, VariableChecks::noStatus))
                .add(PipelineChecks.each(
                        spec.finals(),
                        "finally",
                        task -> each(task, (used, path) -> statusOfKnown(used, path, names))));
    }

    private static boolean isStatus(String name) {
        return name.startsWith("tasks.") && (name.endsWith(".status") || name.endsWith(".reason"));
    }

    private static Problems noStatus(List<String> used, String path) {
        boolean isWrong = used.stream().noneMatch(ResultReference::looksLike)
                && used.stream().anyMatch(VariableChecks::isStatus);
        return isWrong
                ? Problems.invalid(
                        "pipeline tasks can not refer to execution status of any other pipeline task or aggregate status"
                                + " of tasks",
                        path)
                : Problems.none();
    }

    private static Problems statusOfKnown(List<String> used, String path, Set<String> names) {
        var problems = Problems.none();
        if (used.stream().anyMatch(ResultReference::looksLike)) {
            return problems;
        }
        for (var name : used) {
            if (isStatus(name) && !name.equals("tasks.status")) {
                var task = name.substring("tasks.".length(), name.lastIndexOf('.'));
                problems.addIf(
                        !names.contains(task),
                        "invalid value: pipeline task " + task + " is not defined in the pipeline",
                        path);
            }
        }
        return problems;
    }

    static Problems resultsInFinally(PipelineTask task, Set<String> names, Set<String> finalNames) {
        return each(task, (used, path) -> {
            var problems = Problems.none();
            used.forEach(name -> ResultReference.parse(name).ifPresent(reference -> {
                var start =
                        "invalid value: invalid task result reference, final task has task result reference from a ";
                if (finalNames.contains(reference.task())) {
                    problems.add(Problems.generic(start + "final task " + reference.task(), path));
                } else if (!names.contains(reference.task())) {
                    problems.add(Problems.generic(
                            start + "task " + reference.task() + " which is not defined in the pipeline", path));
                }
            }));
            return problems;
        });
    }

    static Problems prefixes(PipelineTask task) {
        var problems = Problems.none().add(each(task, VariableChecks::prefixes));
        if (!task.isMatrixed()) {
            return problems;
        }
        var matrix = task.matrix().orElseThrow();
        for (var param : matrix.params()) {
            problems.add(
                    prefixes(ResultReference.in(param.value()), "value").viaFieldKey("matrix.params", param.name()));
        }
        for (int i = 0; i < matrix.include().size(); i++) {
            for (var param : matrix.include().get(i).params()) {
                problems.add(prefixes(ResultReference.in(param.value()), "value")
                        .viaFieldKey("params", param.name())
                        .viaFieldIndex("matrix.include", i));
            }
        }
        return problems;
    }

    private static Problems prefixes(List<String> used, String path) {
        var problems = Problems.none();
        for (var name : used) {
            problems.addIf(
                    !PREFIXES.contains(name.split("\\.", 2)[0]),
                    "invalid value: invalid variable reference " + GoText.quote("$(" + name + ")")
                            + ", must start with a valid prefix: params, tasks, finally, context, workspaces, or results;"
                            + " if you meant a shell variable, use ${VAR} instead",
                    path);
        }
        return problems;
    }

    /// What a pipeline declares, for looking up what its tasks use.
    private record Declared(Set<String> names, Set<String> arrays, Map<String, Set<String>> objectKeys) {

        static Declared of(List<ParamSpec> params) {
            var keys = new HashMap<String, Set<String>>();
            ParamChecks.ofType(ParamValue.OBJECT, params).stream()
                    .filter(param -> !param.properties().isEmpty())
                    .forEach(param -> keys.put(param.name(), param.properties().keySet()));
            return new Declared(ParamChecks.names(params), ParamChecks.namesOf(ParamValue.ARRAY, params), keys);
        }

        Problems text(String text) {
            return common(text).add(Variables.prohibited(text, "params", arrays));
        }

        Problems item(String text) {
            return common(text).add(Variables.isolated(text, "params", arrays));
        }

        private Problems common(String text) {
            var problems = Problems.none().add(Variables.unknown(text, "params", names));
            objectKeys.forEach((object, keys) -> problems.add(Variables.unknown(text, "params\\." + object, keys)));
            return problems.add(Variables.prohibitedAsWhole(text, "params", objectKeys.keySet()));
        }
    }

    /// That tasks use what the pipeline declares, in the right places.
    static Problems taskParams(List<PipelineTask> tasks, List<ParamSpec> params) {
        var declared = Declared.of(params);
        var problems = Problems.none();
        for (int i = 0; i < tasks.size(); i++) {
            var task = tasks.get(i);
            var found = Problems.none().add(ParamChecks.ofTask(task.params()).via("params"));
            task.params().forEach(param -> found.add(param(param, declared)));
            task.matrix().filter(_ -> task.isMatrixed()).ifPresent(matrix -> found.add(matrix(matrix, declared)));
            for (int j = 0; j < task.when().size(); j++) {
                found.add(when(task.when().get(j), declared).viaFieldIndex("when", j));
            }
            problems.add(found.viaIndex(i));
        }
        return problems;
    }

    private static Problems param(Param param, Declared declared) {
        var problems = Problems.none();
        switch (param.value()) {
            case ParamValue.Array(var items) -> {
                for (int i = 0; i < items.size(); i++) {
                    problems.add(declared.item(items.get(i)).viaFieldIndex("value", i));
                }
            }
            case ParamValue.Keyed(var entries) ->
                entries.forEach((key, text) -> problems.add(declared.text(text).viaFieldKey("properties", key)));
            case ParamValue.Text(var text) ->
                problems.add(
                        Variables.isWholeReference(text, "params")
                                ? Variables.unknown(text, "params", declared.names)
                                : declared.text(text));
        }
        return problems.viaFieldKey("params", param.name());
    }

    private static Problems matrix(Matrix matrix, Declared declared) {
        var problems = Problems.none();
        for (var include : matrix.include()) {
            for (int i = 0; i < include.params().size(); i++) {
                var text = include.params().get(i).value().textOrEmpty();
                problems.add(declared.text(text).viaFieldIndex("matrix.include.params", i));
            }
        }
        for (var param : matrix.params()) {
            if (param.value() instanceof ParamValue.Array(var items)) {
                for (int i = 0; i < items.size(); i++) {
                    problems.add(declared.item(items.get(i))
                            .viaFieldIndex("value", i)
                            .viaFieldKey("matrix.params", param.name()));
                }
            }
        }
        return problems;
    }

    private static Problems when(When when, Declared declared) {
        var problems = Problems.none().add(declared.text(when.input()).via("input"));
        for (var value : when.values()) {
            var reference = value.startsWith("$(params.") && value.endsWith("[*])")
                    ? value.substring("$(params.".length(), value.length() - "[*])".length())
                    : value;
            problems.add(
                    (declared.arrays.contains(reference) ? declared.item(value) : declared.text(value)).via("values"));
        }
        return problems;
    }
}
