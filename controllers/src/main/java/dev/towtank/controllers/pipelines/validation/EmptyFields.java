package dev.towtank.controllers.pipelines.validation;

import dev.towtank.model.Json;
import java.util.List;

/// The fields that Tekton writes though there is nothing in them. Whatever has passed its webhooks has them, so typed
/// clients, golden files and diffs expect them.
///
/// @param isBeta whether the object is in v1beta1, where some have other names
record EmptyFields(boolean isBeta) {

    private static final Json EMPTY_TEXT = Json.of("");

    Json.Obj apply(Json.Obj object) {
        return TreeChanges.object(object, "spec", spec -> switch (object.string("kind")) {
            case "Task" -> task(spec);
            case "Pipeline" -> pipeline(spec);
            case "TaskRun" -> workspaces(overrides(TreeChanges.object(spec, "taskSpec", this::task)));
            case "PipelineRun" -> pipelineRun(spec);
            case "CustomRun" -> workspaces(TreeChanges.object(spec, "customSpec", EmptyFields::embedded));
            default -> spec;
        });
    }

    private static Json.Obj put(Json.Obj object, String field, Json empty) {
        var present = object.get(field);
        boolean isMissing = present == null || (present instanceof Json.Null && !(empty instanceof Json.Null));
        return isMissing ? object.with(field, empty) : object;
    }

    private Json.Obj resources(Json.Obj container) {
        return put(container, isBeta ? "resources" : "computeResources", Json.Obj.EMPTY);
    }

    private Json.Obj task(Json.Obj spec) {
        var result = TreeChanges.object(spec, "stepTemplate", this::resources);
        for (var list : List.of("steps", "sidecars")) {
            result = TreeChanges.each(result, list, container -> {
                var named = put(resources(container), "name", EMPTY_TEXT);
                var complete = TreeChanges.each(named, "workspaces", usage -> put(usage, "mountPath", EMPTY_TEXT));
                return TreeChanges.each(complete, "ports", port -> put(port, "protocol", Json.of("TCP")));
            });
        }
        return result;
    }

    private static Json.Obj embedded(Json.Obj spec) {
        return put(put(spec, "metadata", Json.Obj.EMPTY), "spec", Json.Null.NULL);
    }

    private Json.Obj pipeline(Json.Obj spec) {
        var result = spec;
        for (var list : List.of("tasks", "finally")) {
            result = TreeChanges.each(result, list, this::pipelineTask);
        }
        return TreeChanges.each(result, "results", each -> put(each, "description", EMPTY_TEXT));
    }

    private Json.Obj pipelineTask(Json.Obj task) {
        var result = TreeChanges.object(task, "taskSpec", spec -> embedded(task(spec)));
        return TreeChanges.object(result, "pipelineSpec", this::pipeline);
    }

    private Json.Obj pipelineRun(Json.Obj spec) {
        var result = TreeChanges.object(spec, "pipelineSpec", this::pipeline);
        result = TreeChanges.each(result, "taskRunSpecs", this::overrides);
        return workspaces(isBeta ? result : put(result, "taskRunTemplate", Json.Obj.EMPTY));
    }

    private Json.Obj overrides(Json.Obj spec) {
        var suffix = isBeta ? "Overrides" : "Specs";
        return TreeChanges.each(
                TreeChanges.each(spec, "step" + suffix, this::resources), "sidecar" + suffix, this::resources);
    }

    private static Json.Obj workspaces(Json.Obj spec) {
        return TreeChanges.each(
                spec, "workspaces", binding -> TreeChanges.object(binding, "volumeClaimTemplate", EmptyFields::claim));
    }

    private static Json.Obj claim(Json.Obj claim) {
        var result = put(put(claim, "metadata", Json.Obj.EMPTY), "spec", Json.Obj.EMPTY);
        result = TreeChanges.object(result, "spec", spec -> put(spec, "resources", Json.Obj.EMPTY));
        return put(result, "status", Json.Obj.EMPTY);
    }
}
