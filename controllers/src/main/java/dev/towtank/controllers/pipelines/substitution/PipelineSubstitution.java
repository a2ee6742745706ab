package dev.towtank.controllers.pipelines.substitution;

import static dev.towtank.controllers.pipelines.substitution.ReplacedFields.items;
import static dev.towtank.controllers.pipelines.substitution.ReplacedFields.member;
import static dev.towtank.controllers.pipelines.substitution.ReplacedFields.texts;

import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.substitution.ReplacedFields.Leaf;
import dev.towtank.controllers.pipelines.substitution.ReplacedFields.Members;
import dev.towtank.model.Json;
import java.util.List;

/// Puts replacements into the tasks of a pipeline.
public final class PipelineSubstitution {

    private static final Members REFERENCE = texts("name").and("params", Leaf.PARAMS);
    private static final Members PARAMS = member("params", Leaf.PARAMS);
    private static final Members TASK = PARAMS.and("workspaces", items(texts("subPath")))
            .and("when", Leaf.WHEN)
            .and("taskRef", REFERENCE)
            .and("pipelineRef", REFERENCE)
            .and("displayName", Leaf.TEXT);
    private static final Members ERRORS = texts("onError");

    private PipelineSubstitution() {}

    /// Params, context and workspaces, which are known before the first task runs. They reach embedded tasks as
    /// well, where a param that the pipeline task gives has its own value.
    public static Json.Obj apply(Json.Obj pipelineSpec, Replacements replacements) {
        if (replacements.isEmpty()) {
            return pipelineSpec;
        }
        var spec = pipelineSpec;
        var filling = new Filling(replacements, new Growth());
        for (var list : List.of("tasks", "finally")) {
            if (spec.get(list) instanceof Json.Arr tasks) {
                spec = spec.with(
                        list, tasks.map(task -> task instanceof Json.Obj object ? early(object, filling) : task));
            }
        }
        return spec;
    }

    private static Json.Obj early(Json.Obj task, Filling filling) {
        var changed =
                withMatrix(ReplacedFields.apply(ERRORS, ReplacedFields.apply(TASK, task, filling), filling), filling);
        // The rest of the name to display of a matrixed task is made for each combination.
        if (isMatrixed(task) && task.get("displayName") instanceof Json.Str(var name)) {
            changed = changed.with(
                    "displayName", Json.of(filling.replacements().ofContext().apply(name)));
        }
        if (!(changed.get("taskSpec") instanceof Json.Obj taskSpec)) {
            return changed;
        }
        var own = withOwnParams(filling.replacements(), changed.array("params"));
        return changed.with("taskSpec", TaskSubstitution.apply(taskSpec, filling.with(own)));
    }

    private static Replacements withOwnParams(Replacements replacements, Json.Arr params) {
        var own = Replacements.builder().putAll(replacements);
        for (var param : params.objects()) {
            var value = param.get("value");
            if (value == null) {
                continue;
            }
            for (var pattern : VariableNames.quoted("params", param.string("name"))) {
                overlay(own, replacements, pattern, param.string("name"), ParamValue.read(value));
            }
        }
        return own.build();
    }

    // Only a name that the pipeline knows is overlaid; others reach the task when its own params are put in.
    private static void overlay(
            Replacements.Builder own, Replacements known, String pattern, String name, ParamValue value) {
        if (known.strings().containsKey(pattern)) {
            own.put(pattern, value.textOrEmpty());
        }
        if (known.arrays().containsKey(pattern)) {
            own.put(pattern, value instanceof ParamValue.Array(var items) ? items : List.<String>of());
        }
        if (known.objects().containsKey(pattern) && value instanceof ParamValue.Keyed(var entries)) {
            own.put(pattern, entries);
            entries.forEach((key, text) -> own.put("params." + name + "." + key, text));
        }
    }

    /// Results and execution status, which are known when the task is about to run.
    public static Json.Obj applyToTask(Json.Obj pipelineTask, Replacements replacements) {
        return replacements.isEmpty()
                ? pipelineTask
                : withReplacements(pipelineTask, new Filling(replacements, new Growth()));
    }

    private static Json.Obj withReplacements(Json.Obj pipelineTask, Filling filling) {
        return withMatrix(ReplacedFields.apply(TASK, pipelineTask, filling), filling);
    }

    /// Also into its embedded task, for the results that it uses without declaring them.
    public static Json.Obj applyToTaskAndSpec(Json.Obj pipelineTask, Replacements replacements) {
        var task = applyToTask(pipelineTask, replacements);
        return task.get("taskSpec") instanceof Json.Obj taskSpec
                ? task.with("taskSpec", TaskSubstitution.apply(taskSpec, replacements))
                : task;
    }

    private static boolean isMatrixed(Json.Obj task) {
        return task.array("matrix", "params").size() > 0
                || task.array("matrix", "include").size() > 0;
    }

    private static Json.Obj withMatrix(Json.Obj task, Filling filling) {
        if (!(task.get("matrix") instanceof Json.Obj matrix)) {
            return task;
        }
        var changed = ReplacedFields.apply(
                PARAMS, matrix, filling.with(filling.replacements().withoutObjects()));
        changed = ReplacedFields.apply(
                member("include", items(PARAMS)),
                changed,
                filling.with(filling.replacements().onlyStrings()));
        return task.with("matrix", changed);
    }
}
