package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.controllers.pipelines.api.PipelineTask;
import dev.towtank.controllers.pipelines.api.PipelineTaskWorkspace;
import dev.towtank.controllers.pipelines.runs.ChildNames;
import dev.towtank.controllers.pipelines.runs.Fetched;
import dev.towtank.controllers.pipelines.runs.RunStatus.Outcome;
import dev.towtank.controllers.pipelines.substitution.PipelineVariables;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The workspaces of a pipeline's run as its tasks get them.
///
/// @param bindings of the run, params in place
record ChildWorkspaces(Resource run, String pipelineName, List<Json.Obj> bindings) {

    private static final Pattern USED = Pattern.compile("\\$\\(workspaces\\.([^.()\\[\\]]+)\\.[a-z]+\\)");

    Json.Arr of(PlannedTask planned, Json.Obj json, PipelineTask task) {
        var wanted = new ArrayList<>(task.workspaces());
        if (task.taskSpec().isPresent()) {
            var named = new LinkedHashSet<String>();
            wanted.forEach(workspace -> named.add(workspace.name()));
            used(json.object("taskSpec")).stream()
                    .filter(name -> !named.contains(name))
                    .forEach(name -> wanted.add(new PipelineTaskWorkspace(name, "", "")));
        }
        var all = Json.Arr.EMPTY;
        for (var workspace : wanted) {
            var binding = binding(workspace);
            if (binding.isPresent()) {
                all = all.plus(binding.get());
            } else if (!isOptional(planned, json, workspace.name())) {
                throw new TaskValues.Broken(Outcome.failed(
                        "CreateRunFailed",
                        "expected workspace \"%s\" to be provided by pipelinerun for pipeline task \"%s\""
                                .formatted(workspace.source(), task.name())));
            }
        }
        return all;
    }

    /// A child pipeline complains itself about what it lacks.
    Json.Arr ofChild(PipelineTask task) {
        var all = Json.Arr.EMPTY;
        for (var workspace : task.workspaces()) {
            var binding = binding(workspace);
            if (binding.isPresent()) {
                all = all.plus(binding.get());
            }
        }
        return all;
    }

    private static boolean isOptional(PlannedTask planned, Json.Obj json, String name) {
        var definition = json.has("taskSpec")
                ? json.object("taskSpec")
                : planned.definition().map(Fetched.Found::spec).orElse(Json.Obj.EMPTY);
        return definition.objects("workspaces").stream()
                .anyMatch(each -> each.string("name").equals(name) && each.flag("optional"));
    }

    /// Workspaces that the steps of an embedded task mention: they see them without declaring them.
    private static Set<String> used(Json.Obj taskSpec) {
        var names = new LinkedHashSet<String>();
        for (var list : List.of("steps", "sidecars")) {
            collect(taskSpec.array(list), names);
        }
        collect(taskSpec.object("stepTemplate"), names);
        return names;
    }

    private static void collect(Json json, Set<String> names) {
        switch (json) {
            case Json.Str(var text) -> {
                var matcher = USED.matcher(text);
                while (matcher.find()) {
                    names.add(matcher.group(1));
                }
            }
            case Json.Arr list -> list.forEach(item -> collect(item, names));
            case Json.Obj object -> object.forEach((_, value) -> collect(value, names));
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _ -> {}
        }
    }

    private Optional<Json.Obj> binding(PipelineTaskWorkspace workspace) {
        return bindings.stream()
                .filter(binding -> binding.string("name").equals(workspace.source()))
                .findFirst()
                .map(binding -> bound(binding, workspace));
    }

    private Json.Obj bound(Json.Obj binding, PipelineTaskWorkspace workspace) {
        var result = binding;
        if (binding.has("volumeClaimTemplate")) {
            var claim = ChildNames.claim(
                    binding.string("volumeClaimTemplate", "metadata", "name"), binding.string("name"), run.uid());
            result = binding.without("volumeClaimTemplate")
                    .with("persistentVolumeClaim", Json.Obj.of("claimName", Json.of(claim)));
        }
        result = result.with("name", Json.of(workspace.name()));
        var path = joined(binding.string("subPath"), workspace.subPath());
        var context = PipelineVariables.context(pipelineName, run.name(), run.namespace(), run.uid());
        return path.isEmpty() ? result.without("subPath") : result.with("subPath", Json.of(context.apply(path)));
    }

    private static String joined(String first, String second) {
        if (first.isEmpty() || second.isEmpty()) {
            return first + second;
        }
        return (first + "/" + second).replaceAll("/+", "/");
    }
}
