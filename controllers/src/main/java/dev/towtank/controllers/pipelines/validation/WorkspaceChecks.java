package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.Sidecar;
import dev.towtank.controllers.pipelines.api.Step;
import dev.towtank.controllers.pipelines.api.TaskSpec;
import dev.towtank.controllers.pipelines.api.WorkspaceBinding;
import dev.towtank.controllers.pipelines.api.WorkspaceDeclaration;
import dev.towtank.controllers.pipelines.api.WorkspaceUsage;
import dev.towtank.model.Json;
import dev.towtank.model.Records;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Checks of workspaces: what tasks declare, and what runs put behind them.
final class WorkspaceChecks {

    private static final List<String> SOURCES =
            List.of("persistentvolumeclaim", "volumeclaimtemplate", "emptydir", "configmap", "secret");

    private WorkspaceChecks() {}

    static Problems declared(TaskSpec task) {
        var paths = new HashSet<String>();
        task.steps().forEach(step -> mountPaths(step.volumeMounts(), paths));
        task.stepTemplate().ifPresent(template -> mountPaths(template.volumeMounts(), paths));
        var names = new HashSet<String>();
        var problems = Problems.none();
        for (int i = 0; i < task.workspaces().size(); i++) {
            var workspace = task.workspaces().get(i);
            var path = clean(workspace.path());
            var found = Problems.none()
                    .addIf(
                            !names.add(workspace.name()),
                            "workspace name " + GoText.quote(workspace.name()) + " must be unique",
                            "name")
                    .addIf(
                            !paths.add(path),
                            "workspace mount path " + GoText.quote(path) + " must be unique",
                            "mountpath");
            problems.add(found.viaIndex(i));
        }
        return problems;
    }

    private static void mountPaths(List<Json.Obj> mounts, Set<String> paths) {
        mounts.forEach(mount -> paths.add(clean(mount.string("mountPath"))));
    }

    /// The shortest path that means the same.
    static String clean(String path) {
        boolean isRooted = path.startsWith("/");
        var steps = new ArrayDeque<String>();
        for (var step : path.split("/", -1)) {
            if (step.equals("..") && !steps.isEmpty() && !"..".equals(steps.peekLast())) {
                steps.removeLast();
            } else if (!step.isEmpty() && !step.equals(".") && !(isRooted && step.equals(".."))) {
                steps.addLast(step);
            }
        }
        var joined = String.join("/", steps);
        if (isRooted) {
            return "/" + joined;
        }
        return joined.isEmpty() ? "." : joined;
    }

    static Problems used(TaskSpec task, AllowedFeatures gate) {
        var names = task.workspaces().stream().map(WorkspaceDeclaration::name).collect(Collectors.toSet());
        var problems = Problems.none();
        for (int i = 0; i < task.steps().size(); i++) {
            Step step = task.steps().get(i);
            problems.add(used(step.workspaces(), names, "step workspaces", gate).viaFieldIndex("steps", i));
        }
        for (int i = 0; i < task.sidecars().size(); i++) {
            Sidecar sidecar = task.sidecars().get(i);
            problems.add(used(sidecar.workspaces(), names, "sidecar workspaces", gate)
                    .viaFieldIndex("sidecars", i));
        }
        return problems;
    }

    private static Problems used(List<WorkspaceUsage> usages, Set<String> names, String feature, AllowedFeatures gate) {
        var problems = usages.isEmpty() ? Problems.none() : Problems.none().add(gate.beta(feature));
        for (int i = 0; i < usages.size(); i++) {
            var name = usages.get(i).name();
            problems.add(Problems.none()
                    .addIf(!names.contains(name), "undefined workspace " + GoText.quote(name), "name")
                    .viaFieldIndex("workspaces", i));
        }
        return problems;
    }

    static Problems bindings(List<WorkspaceBinding> bindings) {
        var problems = Problems.none();
        for (int i = 0; i < bindings.size(); i++) {
            problems.add(binding(bindings.get(i)).viaIndex(i));
        }
        return problems.add(ParamChecks.distinctByIndex(
                bindings.stream().map(WorkspaceBinding::name).toList()));
    }

    static Problems binding(WorkspaceBinding binding) {
        if (Records.write(binding).isEmpty()) {
            return Problems.missing("");
        }
        int count = binding.sources().size();
        if (count != 1) {
            var fields = SOURCES.toArray(String[]::new);
            return count == 0 ? Problems.missingOneOf(fields) : Problems.multipleOneOf(fields);
        }
        if (lacks(binding.persistentVolumeClaim(), "claimName")) {
            return Problems.missing("persistentvolumeclaim.claimname");
        }
        if (lacks(binding.configMap(), "name")) {
            return Problems.missing("configmap.name");
        }
        if (lacks(binding.secret(), "secretName")) {
            return Problems.missing("secret.secretName");
        }
        if (binding.projected()
                .filter(source -> source.array("sources").size() == 0)
                .isPresent()) {
            return Problems.missing("projected.sources");
        }
        return lacks(binding.csi(), "driver") ? Problems.missing("csi.driver") : Problems.none();
    }

    private static boolean lacks(Optional<Json.Obj> source, String field) {
        return source.filter(object -> object.string(field).isEmpty()).isPresent();
    }
}
