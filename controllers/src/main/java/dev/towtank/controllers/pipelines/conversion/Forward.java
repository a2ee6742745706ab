package dev.towtank.controllers.pipelines.conversion;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.ObjectBuilder;
import java.util.LinkedHashMap;
import java.util.Map;

/// One object from v1beta1 to v1.
final class Forward {

    private final Json.Obj source;
    private final Map<String, Json> annotations = new LinkedHashMap<>();
    private final ObjectBuilder deprecations = Json.Obj.builder();
    private final ObjectBuilder otherFields = Json.Obj.builder();
    private boolean hasDeprecations;
    private boolean hasOtherFields;

    Forward(Json.Obj source) {
        this.source = source;
    }

    Json.Obj convert() {
        var name = source.string("metadata", "name");
        var result = switch (source.string("kind")) {
            case "Task" -> Shapes.object(source, "spec", spec -> task(resources(spec, Shapes.RESOURCES), name, "spec"));
            case "Pipeline" ->
                Shapes.object(source, "spec", spec -> pipeline(resources(spec, Shapes.RESOURCES), "spec"));
            case "TaskRun" ->
                Shapes.object(
                        Shapes.object(source, "spec", spec -> taskRun(resources(spec, Shapes.RESOURCES), name)),
                        "status",
                        status -> taskRunStatus(status, name, "status"));
            default ->
                Shapes.object(
                        Shapes.object(source, "spec", spec -> pipelineRun(resources(spec, Shapes.RESOURCES))),
                        "status",
                        this::pipelineRunStatus);
        };
        return annotated(result);
    }

    private Json.Obj annotated(Json.Obj object) {
        if (hasDeprecations) {
            annotations.put(Shapes.DEPRECATIONS, deprecations.build());
        }
        if (hasOtherFields) {
            annotations.put(Shapes.OTHER_FIELDS, otherFields.build());
        }
        if (annotations.isEmpty()) {
            return object;
        }
        return Shapes.object(object, "metadata", metadata -> {
            var all = metadata.object("annotations").toBuilder();
            annotations.forEach((key, value) -> all.put(key, JsonText.write(value)));
            return metadata.with("annotations", all.build());
        });
    }

    private Json.Obj resources(Json.Obj spec, String annotation) {
        var resources = spec.get("resources");
        if (resources == null) {
            return spec;
        }
        annotations.put(annotation, resources);
        return spec.without("resources");
    }

    /// Takes away a field that v1 has no place for.
    private Json.Obj aside(Json.Obj object, String field, String path) {
        var value = object.get(field);
        if (value == null) {
            return object;
        }
        otherFields.put(path + "." + field, value);
        hasOtherFields = true;
        return object.without(field);
    }

    private Json.Obj task(Json.Obj spec, String name, String path) {
        deprecate(spec, name);
        var result = aside(spec, "resources", path);
        result = Shapes.each(
                result,
                "steps",
                step -> Shapes.without(
                        Shapes.renamed(step, "resources", "computeResources"), Shapes.STEP_DEPRECATIONS));
        result = Shapes.object(
                result,
                "stepTemplate",
                template -> Shapes.without(
                        Shapes.renamed(template, "resources", "computeResources")
                                .without("name"),
                        Shapes.STEP_DEPRECATIONS));
        return Shapes.each(result, "sidecars", sidecar -> Shapes.renamed(sidecar, "resources", "computeResources"));
    }

    private void deprecate(Json.Obj spec, String name) {
        var steps = Shapes.each(spec, "steps", step -> Shapes.only(step, Shapes.STEP_DEPRECATIONS))
                .array("steps");
        var template = spec.object("stepTemplate");
        var ofTemplate = Shapes.only(template, Shapes.STEP_DEPRECATIONS);
        if (template.has("name")) {
            ofTemplate = ofTemplate.with("name", Json.of(template.string("name")));
        }
        boolean isUsed = steps.objects().stream().anyMatch(step -> step.size() > 0) || ofTemplate.size() > 0;
        if (isUsed) {
            var entry = Json.Obj.of("deprecatedSteps", steps);
            deprecations.put(name, ofTemplate.size() > 0 ? entry.with("deprecatedStepTemplate", ofTemplate) : entry);
            hasDeprecations = true;
        }
    }

    private Json.Obj pipeline(Json.Obj spec, String path) {
        var result = Shapes.each(
                aside(spec, "resources", path), "tasks", (task, i) -> pipelineTask(task, path + ".tasks." + i));
        return Shapes.each(result, "finally", (task, i) -> pipelineTask(task, path + ".finally." + i));
    }

    private Json.Obj pipelineTask(Json.Obj task, String path) {
        var result = aside(task, "resources", path);
        result = Shapes.object(result, "taskRef", ref -> aside(ref, "bundle", path + ".taskRef"));
        result = Shapes.object(result, "pipelineRef", ref -> aside(ref, "bundle", path + ".pipelineRef"));
        result = Shapes.object(result, "taskSpec", spec -> task(spec, task.string("name"), path + ".taskSpec"));
        return Shapes.object(result, "pipelineSpec", spec -> pipeline(spec, path + ".pipelineSpec"));
    }

    private Json.Obj taskRun(Json.Obj spec, String name) {
        var result = Shapes.object(spec, "taskRef", ref -> aside(ref, "bundle", "spec.taskRef"));
        result = Shapes.object(result, "taskSpec", task -> task(task, name, "spec.taskSpec"));
        return overrides(result);
    }

    private static Json.Obj overrides(Json.Obj spec) {
        var result = spec;
        for (var what : new String[] {"step", "sidecar"}) {
            result = Shapes.each(
                    Shapes.renamed(result, what + "Overrides", what + "Specs"),
                    what + "Specs",
                    override -> Shapes.renamed(override, "resources", "computeResources"));
        }
        return result;
    }

    private Json.Obj taskRunStatus(Json.Obj status, String name, String path) {
        var result = status;
        if (path.equals("status")) {
            result = statusAnnotation(result, "cloudEvents", Shapes.CLOUD_EVENTS);
            result = statusAnnotation(result, "resourcesResult", Shapes.RESOURCES_RESULT);
            result = Shapes.object(result, "taskSpec", spec -> resources(spec, Shapes.RESOURCES_STATUS));
        } else {
            result = aside(aside(result, "cloudEvents", path), "resourcesResult", path);
        }
        result = Shapes.renamed(result, "taskResults", "results");
        result = Shapes.object(result, "taskSpec", spec -> task(spec, name, path + ".taskSpec"));
        result = provenance(result, path);
        result = Shapes.each(result, "steps", (step, i) -> provenance(step, path + ".steps." + i));
        return Shapes.each(
                result, "retriesStatus", (retry, i) -> taskRunStatus(retry, name, path + ".retriesStatus." + i));
    }

    private Json.Obj statusAnnotation(Json.Obj status, String field, String annotation) {
        var value = status.get(field);
        if (value == null) {
            return status;
        }
        annotations.put(annotation, value);
        return status.without(field);
    }

    private Json.Obj provenance(Json.Obj parent, String path) {
        return Shapes.object(parent, "provenance", each -> aside(each, "configSource", path + ".provenance"));
    }

    private Json.Obj pipelineRun(Json.Obj spec) {
        var result = Shapes.object(spec, "pipelineRef", ref -> aside(ref, "bundle", "spec.pipelineRef"));
        result = Shapes.object(result, "pipelineSpec", pipeline -> pipeline(pipeline, "spec.pipelineSpec"));
        var timeout = result.get("timeout");
        if (timeout != null) {
            result = result.without("timeout").with("timeouts", Json.Obj.of("pipeline", timeout));
        }
        var template = result.object("taskRunTemplate");
        for (var field : new String[] {"serviceAccountName", "podTemplate"}) {
            var value = result.get(field);
            if (value != null) {
                template = template.with(field, value);
                result = result.without(field);
            }
        }
        if (template.size() > 0) {
            result = result.with("taskRunTemplate", template);
        }
        return Shapes.each(
                result,
                "taskRunSpecs",
                each -> overrides(Shapes.renamed(
                        Shapes.renamed(each, "taskServiceAccountName", "serviceAccountName"),
                        "taskPodTemplate",
                        "podTemplate")));
    }

    private Json.Obj pipelineRunStatus(Json.Obj status) {
        var result = aside(aside(status, "taskRuns", "status"), "runs", "status");
        result = Shapes.renamed(result, "pipelineResults", "results");
        result = provenance(result, "status");
        return Shapes.object(result, "pipelineSpec", spec -> pipeline(spec, "status.pipelineSpec"));
    }
}
