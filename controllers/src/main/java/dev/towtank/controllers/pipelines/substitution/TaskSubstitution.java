package dev.towtank.controllers.pipelines.substitution;

import dev.towtank.controllers.pipelines.api.WorkspaceDeclaration;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/// Puts replacements into the spec of a task, and into what a run gives to it.
public final class TaskSubstitution {

    private static final String STEPS_DIRECTORY = "/tekton/steps";

    private TaskSubstitution() {}

    public static Json.Obj apply(Json.Obj taskSpec, Replacements replacements) {
        return replacements.isEmpty() ? taskSpec : ReplacedFields.apply(TaskFields.TASK, taskSpec, replacements);
    }

    static Json.Obj apply(Json.Obj taskSpec, Filling filling) {
        return ReplacedFields.apply(TaskFields.TASK, taskSpec, filling);
    }

    /// @param growth of all steps together
    public static Json.Obj applyToStep(Json.Obj step, Replacements replacements, Growth growth) {
        return ReplacedFields.apply(TaskFields.STEP, step, new Filling(replacements, growth));
    }

    public static Json.Obj applyToPodTemplate(Json.Obj podTemplate, Replacements replacements) {
        return ReplacedFields.apply(TaskFields.POD_TEMPLATE, podTemplate, replacements.onlyStrings());
    }

    /// @param bindings the `workspaces` of a run
    public static Json.Arr applyToWorkspaceBindings(Json.Arr bindings, Replacements replacements) {
        var filling = new Filling(replacements.onlyStrings(), new Growth());
        return bindings.map(binding -> binding instanceof Json.Obj object
                ? ReplacedFields.apply(TaskFields.WORKSPACE_BINDING, object, filling)
                : binding);
    }

    public static Json.Arr applyToParams(Json.Arr params, Replacements replacements) {
        return (Json.Arr) ReplacedFields.params(params, replacements);
    }

    /// The paths of workspaces, which a step or a sidecar may have elsewhere than the task says.
    ///
    /// @param variables what [TaskVariables#workspaces] says
    public static Json.Obj applyWorkspaces(
            Json.Obj taskSpec, List<WorkspaceDeclaration> declarations, Replacements variables) {
        var spec = taskSpec;
        for (var declaration : declarations) {
            var variable = "workspaces." + declaration.name() + ".path";
            spec = eachItem(spec, "steps", (step, _) -> ownPath(step, declaration, variable, TaskFields.STEP));
            spec = eachItem(
                    spec, "sidecars", (sidecar, _) -> ownPath(sidecar, declaration, variable, TaskFields.SIDECAR));
        }
        return apply(spec, variables);
    }

    private static Json.Obj ownPath(
            Json.Obj container, WorkspaceDeclaration declaration, String variable, ReplacedFields.Members fields) {
        var result = container;
        for (var usage : container.objects("workspaces")) {
            var path = usage.string("mountPath");
            if (usage.string("name").equals(declaration.name()) && !path.isEmpty()) {
                result = ReplacedFields.apply(fields, result, Replacements.ofStrings(Map.of(variable, path)));
            }
        }
        return result;
    }

    /// Where steps write results and artifacts, where exit codes stand, and where credentials are.
    public static Json.Obj applyPaths(Json.Obj taskSpec, String credentialsPath) {
        var steps = eachItem(
                taskSpec,
                "steps",
                (step, index) -> ReplacedFields.apply(TaskFields.STEP, step, stepPaths(step, stepName(step, index))));
        return apply(steps, taskPaths(steps, credentialsPath));
    }

    private static Replacements stepPaths(Json.Obj step, String name) {
        var paths = Replacements.builder();
        for (var result : step.objects("results")) {
            var path = STEPS_DIRECTORY + "/" + name + "/results/" + result.string("name");
            for (var pattern : VariableNames.quoted("step.results", result.string("name"))) {
                paths.put(pattern + ".path", path);
            }
        }
        return paths.put("step.artifacts.path", STEPS_DIRECTORY + "/" + name + "/artifacts/provenance.json")
                .put("artifacts.path", "/tekton/artifacts/provenance.json")
                .build();
    }

    private static Replacements taskPaths(Json.Obj taskSpec, String credentialsPath) {
        var paths = Replacements.builder().put("credentials.path", credentialsPath);
        for (var result : taskSpec.objects("results")) {
            for (var pattern : VariableNames.quoted("results", result.string("name"))) {
                paths.put(pattern + ".path", "/tekton/results/" + result.string("name"));
            }
        }
        var steps = taskSpec.objects("steps");
        for (int i = 0; i < steps.size(); i++) {
            var name = stepName(steps.get(i), i);
            paths.put("steps." + name + ".exitCode.path", STEPS_DIRECTORY + "/" + name + "/exitCode");
        }
        return paths.build();
    }

    /// The name of a step's container; one without a name is known by its place.
    public static String stepName(Json.Obj step, int index) {
        var name = step.string("name");
        return name.isEmpty() ? "step-unnamed-" + index : "step-" + name;
    }

    private static Json.Obj eachItem(Json.Obj spec, String list, BiFunction<Json.Obj, Integer, Json.Obj> change) {
        if (!(spec.get(list) instanceof Json.Arr items)) {
            return spec;
        }
        var changed = new ArrayList<Json>(items.size());
        for (int i = 0; i < items.size(); i++) {
            changed.add(items.get(i) instanceof Json.Obj item ? change.apply(item, i) : items.get(i));
        }
        return spec.with(list, new Json.Arr(changed));
    }
}
