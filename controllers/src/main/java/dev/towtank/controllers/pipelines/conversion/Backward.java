package dev.towtank.controllers.pipelines.conversion;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One object from v1 to v1beta1.
final class Backward {

    private final Json.Obj source;
    private Json.Obj annotations;
    private Json.Obj deprecations;

    Backward(Json.Obj source) {
        this.source = source;
        this.annotations = source.object("metadata", "annotations");
        this.deprecations = taken(Shapes.DEPRECATIONS)
                .map(json -> json instanceof Json.Obj object ? object : Json.Obj.EMPTY)
                .orElse(Json.Obj.EMPTY);
    }

    Json.Obj convert() {
        var name = source.string("metadata", "name");
        var result = switch (source.string("kind")) {
            case "Task" -> Shapes.object(source, "spec", spec -> with(task(spec, name), Shapes.RESOURCES, "resources"));
            case "Pipeline" ->
                Shapes.object(source, "spec", spec -> with(pipeline(spec), Shapes.RESOURCES, "resources"));
            case "TaskRun" ->
                Shapes.object(
                        Shapes.object(source, "spec", spec -> with(taskRun(spec, name), Shapes.RESOURCES, "resources")),
                        "status",
                        status -> topStatus(taskRunStatus(status, name)));
            default ->
                Shapes.object(
                        Shapes.object(source, "spec", spec -> with(pipelineRun(spec), Shapes.RESOURCES, "resources")),
                        "status",
                        status -> Shapes.object(
                                Shapes.renamed(status, "results", "pipelineResults"), "pipelineSpec", this::pipeline));
        };
        return withAnnotations(withOtherFields(result));
    }

    /// What an annotation holds, which then is gone. One that somebody wrote and that is no JSON stays.
    private Optional<Json> taken(String annotation) {
        if (!(annotations.get(annotation) instanceof Json.Str(var text))) {
            return Optional.empty();
        }
        try {
            var value = JsonText.parse(text);
            annotations = annotations.without(annotation);
            return Optional.of(value);
        } catch (JsonText.Malformed e) {
            return Optional.empty();
        }
    }

    private Json.Obj with(Json.Obj object, String annotation, String field) {
        return taken(annotation).map(value -> object.with(field, value)).orElse(object);
    }

    private Json.Obj withAnnotations(Json.Obj object) {
        if (annotations.equals(source.object("metadata", "annotations"))) {
            return object;
        }
        return Shapes.object(
                object,
                "metadata",
                metadata -> annotations.size() == 0
                        ? metadata.without("annotations")
                        : metadata.with("annotations", annotations));
    }

    private Json.Obj withOtherFields(Json.Obj object) {
        var result = object;
        if (taken(Shapes.OTHER_FIELDS).orElse(Json.Null.NULL) instanceof Json.Obj fields) {
            for (var field : fields) {
                result = put(result, List.of(field.getKey().split("\\.")), field.getValue());
            }
        }
        return result;
    }

    // Where what the field stood in is gone, the field is gone as well.
    private static Json.Obj put(Json.Obj object, List<String> path, Json value) {
        var first = path.getFirst();
        var rest = path.subList(1, path.size());
        if (rest.isEmpty()) {
            return object.with(first, value);
        }
        return switch (object.get(first)) {
            case Json.Obj child -> object.with(first, put(child, rest, value));
            case Json.Arr items when rest.size() > 1 -> object.with(first, put(items, rest, value));
            case null, default -> object;
        };
    }

    private static Json.Arr put(Json.Arr items, List<String> path, Json value) {
        var changed = new ArrayList<Json>(items.items());
        for (int i = 0; i < changed.size(); i++) {
            if (String.valueOf(i).equals(path.getFirst()) && changed.get(i) instanceof Json.Obj item) {
                changed.set(i, put(item, path.subList(1, path.size()), value));
            }
        }
        return new Json.Arr(changed);
    }

    private Json.Obj task(Json.Obj spec, String name) {
        var result = Shapes.each(spec, "steps", step -> Shapes.renamed(step, "computeResources", "resources"));
        result = Shapes.object(
                result, "stepTemplate", template -> Shapes.renamed(template, "computeResources", "resources"));
        result = Shapes.each(result, "sidecars", sidecar -> Shapes.renamed(sidecar, "computeResources", "resources"));
        return deprecations.get(name) instanceof Json.Obj deprecated ? withDeprecations(result, deprecated) : result;
    }

    private static Json.Obj withDeprecations(Json.Obj spec, Json.Obj deprecated) {
        var steps = deprecated.objects("deprecatedSteps");
        // Somebody has changed the steps since: nobody can say whose these were.
        if (steps.size() != spec.array("steps").size()) {
            return spec;
        }
        var fields = new ArrayList<>(Shapes.STEP_DEPRECATIONS);
        var result = Shapes.each(
                spec,
                "steps",
                (step, i) -> step.toBuilder()
                        .putAll(Shapes.only(steps.get(i), fields))
                        .build());
        fields.add("name");
        var template = Shapes.only(deprecated.object("deprecatedStepTemplate"), fields);
        return template.size() == 0
                ? result
                : result.with(
                        "stepTemplate",
                        result.object("stepTemplate").toBuilder()
                                .putAll(template)
                                .build());
    }

    private Json.Obj pipeline(Json.Obj spec) {
        return Shapes.each(Shapes.each(spec, "tasks", this::pipelineTask), "finally", this::pipelineTask);
    }

    private Json.Obj pipelineTask(Json.Obj task) {
        var result = Shapes.object(task, "taskSpec", spec -> task(spec, task.string("name")));
        return Shapes.object(result, "pipelineSpec", this::pipeline);
    }

    private Json.Obj taskRun(Json.Obj spec, String name) {
        return overrides(Shapes.object(spec, "taskSpec", task -> task(task, name)));
    }

    private static Json.Obj overrides(Json.Obj spec) {
        var result = spec;
        for (var what : new String[] {"step", "sidecar"}) {
            result = Shapes.each(
                    Shapes.renamed(result, what + "Specs", what + "Overrides"),
                    what + "Overrides",
                    each -> Shapes.renamed(each, "computeResources", "resources"));
        }
        return result;
    }

    private Json.Obj taskRunStatus(Json.Obj status, String name) {
        var result = Shapes.renamed(status, "results", "taskResults");
        result = Shapes.object(result, "taskSpec", spec -> task(spec, name));
        return Shapes.each(result, "retriesStatus", retry -> taskRunStatus(retry, name));
    }

    private Json.Obj topStatus(Json.Obj status) {
        var result = with(status, Shapes.CLOUD_EVENTS, "cloudEvents");
        result = with(result, Shapes.RESOURCES_RESULT, "resourcesResult");
        var resources = taken(Shapes.RESOURCES_STATUS);
        return resources.isEmpty()
                ? result
                : result.with("taskSpec", result.object("taskSpec").with("resources", resources.get()));
    }

    private Json.Obj pipelineRun(Json.Obj spec) {
        var result = Shapes.object(spec, "pipelineSpec", this::pipeline);
        if (result.get("taskRunTemplate") instanceof Json.Obj template) {
            result = result.without("taskRunTemplate").toBuilder()
                    .putAll(template)
                    .build();
        }
        return Shapes.each(
                result,
                "taskRunSpecs",
                each -> overrides(Shapes.renamed(
                        Shapes.renamed(each, "serviceAccountName", "taskServiceAccountName"),
                        "podTemplate",
                        "taskPodTemplate")));
    }
}
