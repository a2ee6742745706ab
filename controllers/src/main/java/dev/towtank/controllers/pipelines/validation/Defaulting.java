package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.settings.Defaults;
import dev.towtank.controllers.pipelines.api.settings.ReleaseMark;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Fills in what the user left out, and writes values the way Tekton does.
///
/// What is of another type than it should be stays as it is; the checks have words for it.
final class Defaulting {

    private static final String RESERVED_ANNOTATIONS = "chains.tekton.dev/";
    private static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    private final Defaults defaults;

    Defaulting(Defaults defaults) {
        this.defaults = defaults;
    }

    Json.Obj apply(Json.Obj object) {
        boolean isBeta = object.string("apiVersion").endsWith("/v1beta1");
        return applyToMetadata(new EmptyFields(isBeta).apply(apply(canonical(object), isBeta)));
    }

    /// The part that does not depend on the spec.
    Json.Obj applyToMetadata(Json.Obj object) {
        return object.string("kind").equals("TaskRun") ? marked(managed(object)) : object;
    }

    private static Json.Obj canonical(Json.Obj object) {
        return FieldNames.specOf(object.string("kind"))
                .map(type -> TreeChanges.object(object, "spec", spec -> FieldNames.canonical(type, spec)))
                .orElse(object);
    }

    private Json.Obj apply(Json.Obj object, boolean isBeta) {
        return switch (object.string("kind")) {
            case "Task" -> TreeChanges.object(object, "spec", this::task);
            case "Pipeline" -> TreeChanges.object(object, "spec", this::pipeline);
            case "StepAction" -> TreeChanges.object(object, "spec", this::stepAction);
            case "CustomRun" -> TreeChanges.object(object, "spec", this::customRun);
            case "TaskRun" -> TreeChanges.object(object, "spec", this::taskRun);
            case "PipelineRun" -> TreeChanges.object(object, "spec", spec -> pipelineRun(spec, isBeta));
            default -> object;
        };
    }

    private static Json.Obj fill(Json.Obj object, String field, String value) {
        return value.isEmpty() || !object.string(field).isEmpty() || isOther(object.get(field))
                ? object
                : object.with(field, Json.of(value));
    }

    private static boolean isOther(@Nullable Json json) {
        return json != null && !(json instanceof Json.Str) && !(json instanceof Json.Null);
    }

    private Json.Obj task(Json.Obj spec) {
        var result = TreeChanges.each(
                spec, "steps", step -> params(duration(TreeChanges.object(step, "ref", this::resolver), "timeout")));
        result = TreeChanges.each(result, "params", Defaulting::paramSpec);
        return TreeChanges.each(result, "results", Defaulting::resultSpec);
    }

    private Json.Obj stepAction(Json.Obj spec) {
        return TreeChanges.each(
                TreeChanges.each(spec, "params", Defaulting::paramSpec), "results", Defaulting::resultSpec);
    }

    private static Json.Obj paramSpec(Json.Obj param) {
        var result = properties(value(param, "default"));
        if (result.get("properties") instanceof Json.Obj) {
            return fill(result, "type", ParamValue.OBJECT);
        }
        var otherwise = result.get("default");
        return fill(
                result,
                "type",
                otherwise == null
                        ? ParamValue.STRING
                        : ParamValue.read(otherwise).type());
    }

    private static Json.Obj resultSpec(Json.Obj spec) {
        var result = properties(value(spec, "value"));
        return fill(
                result, "type", result.get("properties") instanceof Json.Obj ? ParamValue.OBJECT : ParamValue.STRING);
    }

    private static Json.Obj properties(Json.Obj spec) {
        return TreeChanges.object(spec, "properties", properties -> {
            var result = properties;
            for (var key : properties.keys()) {
                result = TreeChanges.object(result, key, property -> fill(property, "type", ParamValue.STRING));
            }
            return result;
        });
    }

    /// Numbers and the like become the texts that they are read as.
    private static Json.Obj value(Json.Obj parent, String field) {
        var value = parent.get(field);
        return value == null || value instanceof Json.Null || value instanceof Json.Str
                ? parent
                : TreeChanges.with(parent, field, ParamValue.read(value).json());
    }

    private static Json.Obj params(Json.Obj parent) {
        return TreeChanges.each(parent, "params", param -> value(param, "value"));
    }

    private static Json.Obj duration(Json.Obj parent, String field) {
        try {
            return parent.get(field) instanceof Json.Str(var text)
                    ? TreeChanges.with(parent, field, Json.of(Durations.format(Durations.parse(text))))
                    : parent;
        } catch (Durations.Malformed e) {
            return parent;
        }
    }

    private Json.Obj resolver(Json.Obj ref) {
        var result = params(ref);
        return result.string("name").isEmpty() ? fill(result, "resolver", defaults.resolverType()) : result;
    }

    private Json.Obj taskRef(Json.Obj ref) {
        var result = resolver(ref);
        return result.string("resolver").isEmpty() ? fill(result, "kind", "Task") : result;
    }

    private Json.Obj pipeline(Json.Obj spec) {
        var result = TreeChanges.each(spec, "params", Defaulting::paramSpec);
        result = TreeChanges.each(result, "results", each -> value(each, "value"));
        return TreeChanges.each(TreeChanges.each(result, "tasks", this::pipelineTask), "finally", this::pipelineTask);
    }

    private Json.Obj pipelineTask(Json.Obj task) {
        var result = TreeChanges.object(task, "taskRef", this::taskRef);
        result = TreeChanges.object(result, "taskSpec", this::task);
        result = TreeChanges.object(result, "pipelineRef", this::resolver);
        result = TreeChanges.object(result, "pipelineSpec", this::pipeline);
        result = TreeChanges.object(
                result, "matrix", matrix -> TreeChanges.each(params(matrix), "include", Defaulting::params));
        return duration(params(result), "timeout");
    }

    private Json.Obj customRun(Json.Obj spec) {
        return duration(fill(params(spec), "serviceAccountName", defaults.serviceAccount()), "timeout");
    }

    private Json.Obj taskRun(Json.Obj spec) {
        var result = TreeChanges.object(params(spec), "taskRef", this::taskRef);
        result = TreeChanges.object(result, "taskSpec", this::task);
        result = duration(fill(result, "timeout", Durations.format(defaults.timeout())), "timeout");
        return podTemplate(fill(result, "serviceAccountName", defaults.serviceAccount()));
    }

    private Json.Obj pipelineRun(Json.Obj spec, boolean isBeta) {
        var result = TreeChanges.object(params(spec), "pipelineRef", this::resolver);
        result = TreeChanges.object(result, "pipelineSpec", this::pipeline);
        result = timeouts(result, isBeta);
        result = TreeChanges.each(result, "taskRunSpecs", each -> duration(each, "timeout"));
        if (isBeta) {
            return podTemplate(fill(result, "serviceAccountName", defaults.serviceAccount()));
        }
        if (isOther(result.get("taskRunTemplate")) && !(result.get("taskRunTemplate") instanceof Json.Obj)) {
            return result;
        }
        var template = fill(result.object("taskRunTemplate"), "serviceAccountName", defaults.serviceAccount());
        template = podTemplate(template);
        return template.size() == 0 ? result : TreeChanges.with(result, "taskRunTemplate", template);
    }

    private Json.Obj timeouts(Json.Obj spec, boolean isBeta) {
        var text = Durations.format(defaults.timeout());
        if (isBeta && !(spec.get("timeouts") instanceof Json.Obj)) {
            return duration(fill(spec, "timeout", text), "timeout");
        }
        var given = spec.get("timeouts");
        if (given != null && isOther(given) && !(given instanceof Json.Obj)) {
            return spec;
        }
        var timeouts = fill(spec.object("timeouts"), "pipeline", text);
        for (var field : List.of("pipeline", "tasks", "finally")) {
            timeouts = duration(timeouts, field);
        }
        return TreeChanges.with(spec, "timeouts", timeouts);
    }

    private Json.Obj podTemplate(Json.Obj parent) {
        if (defaults.podTemplate().isEmpty()) {
            return parent;
        }
        var otherwise = defaults.podTemplate().get();
        return parent.get("podTemplate") instanceof Json.Obj own
                ? TreeChanges.with(parent, "podTemplate", merged(own, otherwise))
                : parent.with("podTemplate", otherwise);
    }

    private static Json.Obj merged(Json.Obj own, Json.Obj otherwise) {
        var result = own;
        for (var field : otherwise) {
            var name = field.getKey();
            if (name.equals("env") || name.equals("volumes")) {
                result = result.with(name, byName(own.array(name), otherwise.array(name)));
            } else if (!own.has(name) || own.get(name) instanceof Json.Null) {
                result = result.with(name, field.getValue());
            }
        }
        return result;
    }

    private static Json.Arr byName(Json.Arr own, Json.Arr otherwise) {
        if (own.size() == 0) {
            return otherwise;
        }
        var names = new HashSet<String>();
        var all = new ArrayList<Json>();
        for (var list : List.of(own, otherwise)) {
            var known = new HashSet<>(names);
            for (var item : list.objects()) {
                var name = item.string("name");
                if (!name.isEmpty() && !known.contains(name)) {
                    names.add(name);
                    all.add(item);
                }
            }
        }
        return new Json.Arr(all);
    }

    private Json.Obj managed(Json.Obj run) {
        return TreeChanges.object(run, "metadata", metadata -> {
            var labels = metadata.object("labels");
            return labels.has(MANAGED_BY)
                    ? metadata
                    : metadata.with("labels", labels.with(MANAGED_BY, Json.of(defaults.managedByLabelValue())));
        });
    }

    /// A run that takes nothing else from a Task needs no write for this then.
    private static Json.Obj marked(Json.Obj run) {
        if (!run.object("spec").has("taskSpec")) {
            return run;
        }
        return TreeChanges.object(run, "metadata", metadata -> {
            var annotations = metadata.object("annotations");
            return annotations.has(ReleaseMark.ANNOTATION)
                    ? metadata
                    : metadata.with(
                            "annotations", annotations.with(ReleaseMark.ANNOTATION, Json.of(ReleaseMark.VALUE)));
        });
    }

    // Only the signer itself may say that something is signed.
    static Json.Obj unsigned(Json.Obj run) {
        if (!run.string("kind").endsWith("Run") || run.string("kind").equals("CustomRun")) {
            return run;
        }
        return TreeChanges.object(
                run,
                "metadata",
                metadata -> TreeChanges.object(metadata, "annotations", annotations -> {
                    var result = annotations;
                    for (var key : annotations.keys()) {
                        result = key.startsWith(RESERVED_ANNOTATIONS) ? result.without(key) : result;
                    }
                    return result;
                }));
    }
}
