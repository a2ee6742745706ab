package dev.towtank.app.run.images;

import dev.towtank.app.run.input.Document;
import dev.towtank.app.run.input.RunPlan;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the images that the containers of a run will want, as far as the files say. Pure.
public final class RunImages {

    private static final int DEEPEST = 5;
    private static final Pattern PARAM =
            Pattern.compile("\\$\\((?:inputs\\.)?params(?:\\.([A-Za-z0-9_.-]+)|\\[[\"']([A-Za-z0-9_.-]+)[\"']])\\)");

    private final List<Document> objects;
    private final List<ImageUse> uses = new ArrayList<>();

    private RunImages(List<Document> objects) {
        this.objects = objects;
    }

    public static List<ImageUse> of(RunPlan plan) {
        var all = new RunImages(plan.objects());
        var spec = plan.run().json().object("spec");
        plan.definition().ifPresent(definition -> {
            var params = params(definition, spec.objects("params"), Map.of(), false);
            if (plan.isPipeline()) {
                all.pipeline(definition, params, "", true, 0);
            } else {
                all.task(definition, params, "", true);
            }
        });
        return List.copyOf(all.uses);
    }

    private void pipeline(Json.Obj spec, Map<String, String> params, String prefix, boolean isCertain, int depth) {
        for (var list : List.of("tasks", "finally")) {
            for (var task : spec.objects(list)) {
                boolean isSure = isCertain && !task.has("when") && !task.has("matrix");
                var name = prefix + task.string("name");
                var given = task.objects("params");
                definition(task, "pipelineSpec", "pipelineRef", "Pipeline")
                        .filter(_ -> depth < DEEPEST)
                        .ifPresent(inner -> pipeline(
                                inner,
                                params(inner, given, params, task.has("pipelineSpec")),
                                name + " > ",
                                isSure,
                                depth + 1));
                definition(task, "taskSpec", "taskRef", "Task")
                        .ifPresent(
                                inner -> task(inner, params(inner, given, params, task.has("taskSpec")), name, isSure));
            }
        }
    }

    private Optional<Json.Obj> definition(Json.Obj task, String embedded, String reference, String kind) {
        if (task.has(embedded)) {
            return Optional.of(task.object(embedded));
        }
        var named = task.object(reference);
        return named.string("resolver").isEmpty() ? object(kind, named.string("name")) : Optional.empty();
    }

    private Optional<Json.Obj> object(String kind, String name) {
        return objects.stream()
                .filter(document -> document.isTekton(kind) && document.name().equals(name))
                .map(document -> document.json().object("spec"))
                .findFirst();
    }

    private void task(Json.Obj spec, Map<String, String> params, String name, boolean isCertain) {
        for (var step : spec.objects("steps")) {
            boolean isSure = isCertain && !step.has("when");
            if (step.has("ref")) {
                object("StepAction", step.string("ref", "name"))
                        .ifPresent(action -> use(
                                action.with("name", Json.of(step.string("name"))),
                                params(action, step.objects("params"), params, false),
                                name,
                                isSure));
            } else {
                var template = spec.string("stepTemplate", "image");
                var whole = step.has("image") || template.isEmpty() ? step : step.with("image", Json.of(template));
                use(whole, params, name, isSure);
            }
        }
        spec.objects("sidecars").forEach(sidecar -> use(sidecar, params, name, isCertain));
    }

    private void use(Json.Obj container, Map<String, String> params, String task, boolean isCertain) {
        var image = replaced(container.string("image"), params);
        if (!image.isEmpty()) {
            var programs = new CalledPrograms()
                    .inScript(container.string("script"))
                    .inCommand(
                            container.array("command").strings(),
                            container.array("args").strings());
            uses.add(new ImageUse(
                    image,
                    container.string("imagePullPolicy"),
                    task,
                    container.string("name"),
                    isCertain,
                    programs.all()));
        }
    }

    /// Values of a definition's params: those given, else their defaults.
    ///
    /// @param seesOuter whether those around it count in it as well
    private static Map<String, String> params(
            Json.Obj definition, List<Json.Obj> given, Map<String, String> outer, boolean seesOuter) {
        var values = new HashMap<>(seesOuter ? outer : Map.of());
        for (var param : definition.objects("params")) {
            if (param.get("default") instanceof Json.Str(var text)) {
                values.put(param.string("name"), text);
            }
        }
        for (var param : given) {
            if (param.get("value") instanceof Json.Str(var text)) {
                values.put(param.string("name"), replaced(text, outer));
            }
        }
        return values;
    }

    private static String replaced(String text, Map<String, String> params) {
        return PARAM.matcher(text).replaceAll(match -> {
            var name = match.group(1) == null ? match.group(2) : match.group(1);
            return Matcher.quoteReplacement(params.getOrDefault(name, match.group()));
        });
    }
}
