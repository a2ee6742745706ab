package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.controllers.pipelines.api.TaskSpec;
import dev.towtank.controllers.pipelines.api.WorkspaceBinding;
import dev.towtank.controllers.pipelines.api.WorkspaceDeclaration;
import dev.towtank.controllers.pipelines.runs.ChildNames;
import dev.towtank.model.Json;
import dev.towtank.model.Records;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What lies behind the workspaces of a run: volumes of the pod, and mounts in its containers.
final class TaskWorkspaces {

    private static final int HASH = 5;
    private static final List<String> SOURCES =
            List.of("persistentVolumeClaim", "emptyDir", "configMap", "secret", "projected", "csi");

    private TaskWorkspaces() {}

    /// Bindings in which a template is replaced by the claim that is made of it.
    static Json.Arr withClaims(Json.Arr bindings, String ownerUid) {
        return bindings.map(item -> item instanceof Json.Obj binding && binding.has("volumeClaimTemplate")
                ? withClaim(binding, ownerUid)
                : item);
    }

    private static Json.Obj withClaim(Json.Obj binding, String ownerUid) {
        var claim = ChildNames.claim(
                binding.string("volumeClaimTemplate", "metadata", "name"), binding.string("name"), ownerUid);
        var bound = Json.Obj.builder().put("name", binding.string("name"));
        if (binding.has("subPath")) {
            bound.put("subPath", binding.string("subPath"));
        }
        return bound.put("persistentVolumeClaim", Json.Obj.of("claimName", Json.of(claim)))
                .build();
    }

    /// The claims that templates ask for.
    static List<Resource> claims(List<Json.Obj> bindings, Resource owner) {
        return bindings.stream()
                .filter(binding -> binding.has("volumeClaimTemplate"))
                .map(binding -> claim(binding, owner))
                .toList();
    }

    private static Resource claim(Json.Obj binding, Resource owner) {
        var template = binding.object("volumeClaimTemplate");
        var metadata = template.object("metadata")
                .with(
                        "name",
                        Json.of(ChildNames.claim(
                                template.string("metadata", "name"), binding.string("name"), owner.uid())))
                .with("namespace", Json.of(owner.namespace()))
                .with("ownerReferences", Json.Arr.of(owner.asOwner(true).json()));
        return owner.with(template.without("status")
                .with("apiVersion", Json.of("v1"))
                .with("kind", Json.of("PersistentVolumeClaim"))
                .with("metadata", metadata));
    }

    /// A volume for each workspace, by its name. A claim that is bound twice is one volume.
    static Map<String, Json.Obj> volumes(List<Json.Obj> bindings) {
        var volumes = new LinkedHashMap<String, Json.Obj>();
        var claims = new LinkedHashMap<String, Json.Obj>();
        var used = new LinkedHashSet<String>();
        for (var binding : bindings) {
            var name = TaskCredentials.unused(
                    used,
                    ChildNames.hashed("ws", binding.string("name"), HASH),
                    taken -> ChildNames.hashed("ws", taken + "$", HASH));
            SOURCES.stream().filter(binding::has).findFirst().ifPresent(source -> {
                var volume = Json.Obj.of("name", Json.of(name), source, binding.object(source));
                var claim = binding.string("persistentVolumeClaim", "claimName");
                volumes.put(
                        binding.string("name"), claim.isEmpty() ? volume : claims.computeIfAbsent(claim, _ -> volume));
            });
        }
        return volumes;
    }

    static Map<String, String> volumeNames(Map<String, Json.Obj> volumes) {
        var names = new LinkedHashMap<String, String>();
        volumes.forEach((workspace, volume) -> names.put(workspace, volume.string("name")));
        return names;
    }

    /// Mounts the workspaces: in every step and sidecar, or only in those that ask for one.
    static Json.Obj mounted(Json.Obj taskSpec, List<Json.Obj> bindings, Map<String, Json.Obj> volumes) {
        var declarations = declarations(taskSpec, bindings);
        var isolated = isolated(taskSpec);
        var spec = taskSpec;
        var added = new LinkedHashSet<Json>(taskSpec.array("volumes").items());
        for (var binding : bindings) {
            var name = binding.string("name");
            var volume = volumes.get(name);
            var declaration = declarations.get(name);
            if (volume == null || declaration == null) {
                continue;
            }
            var mount = mount(volume, declaration, binding);
            spec = isolated.contains(name) ? mountedWhereAsked(spec, name, mount) : mountedEverywhere(spec, mount);
            added.add(volume);
        }
        return added.isEmpty() ? spec : spec.with("volumes", new Json.Arr(List.copyOf(added)));
    }

    private static Map<String, WorkspaceDeclaration> declarations(Json.Obj taskSpec, List<Json.Obj> bindings) {
        var all = new LinkedHashMap<String, WorkspaceDeclaration>();
        bindings.forEach(binding -> all.put(
                binding.string("name"), new WorkspaceDeclaration(binding.string("name"), "", "", false, false)));
        taskSpec.objects("workspaces").stream()
                .map(json -> Records.read(WorkspaceDeclaration.class, json))
                .forEach(declaration -> all.put(declaration.name(), declaration));
        return all;
    }

    private static Set<String> isolated(Json.Obj taskSpec) {
        return Stream.concat(taskSpec.objects("steps").stream(), taskSpec.objects("sidecars").stream())
                .flatMap(container -> container.objects("workspaces").stream())
                .map(usage -> usage.string("name"))
                .collect(Collectors.toSet());
    }

    private static Json.Obj mount(Json.Obj volume, WorkspaceDeclaration declaration, Json.Obj binding) {
        var mount = Json.Obj.builder().put("name", volume.string("name")).put("mountPath", declaration.path());
        mount.putNonEmpty("subPath", binding.string("subPath"));
        return mount.putNonEmpty("readOnly", Json.of(declaration.readOnly())).build();
    }

    private static Json.Obj mountedEverywhere(Json.Obj spec, Json.Obj mount) {
        var template = spec.object("stepTemplate");
        var changed = spec.with(
                "stepTemplate",
                template.with("volumeMounts", template.array("volumeMounts").plus(mount)));
        return each(changed, "sidecars", sidecar -> {
            var taken = sidecar.objects("volumeMounts").stream()
                    .anyMatch(own -> own.string("mountPath").equals(mount.string("mountPath")));
            return taken ? sidecar : with(sidecar, mount);
        });
    }

    private static Json.Obj mountedWhereAsked(Json.Obj spec, String workspace, Json.Obj mount) {
        var changed = spec;
        for (var list : List.of("steps", "sidecars")) {
            changed = each(
                    changed,
                    list,
                    container -> container.objects("workspaces").stream()
                            .filter(usage -> usage.string("name").equals(workspace))
                            .findFirst()
                            .map(usage -> usage.string("mountPath"))
                            .map(path ->
                                    with(container, path.isEmpty() ? mount : mount.with("mountPath", Json.of(path))))
                            .orElse(container));
        }
        return changed;
    }

    private static Json.Obj with(Json.Obj container, Json.Obj mount) {
        return container.with("volumeMounts", container.array("volumeMounts").plus(mount));
    }

    private static Json.Obj each(Json.Obj spec, String list, java.util.function.UnaryOperator<Json.Obj> change) {
        return spec.get(list) instanceof Json.Arr items
                ? spec.with(
                        list, items.map(item -> item instanceof Json.Obj container ? change.apply(container) : item))
                : spec;
    }

    /// What a run must bind, and what it may.
    static java.util.Optional<String> problem(
            TaskSpec task, List<WorkspaceBinding> bindings, boolean isEmbedded, boolean onlyOneClaim) {
        var bound = bindings.stream().map(WorkspaceBinding::name).collect(Collectors.toSet());
        for (var declaration : task.workspaces()) {
            if (!declaration.optional() && !bound.contains(declaration.name())) {
                return java.util.Optional.of(
                        "declared workspace \"%s\" is required but has not been bound".formatted(declaration.name()));
            }
        }
        var declared =
                task.workspaces().stream().map(WorkspaceDeclaration::name).collect(Collectors.toSet());
        for (var binding : bindings) {
            if (!isEmbedded && !declared.contains(binding.name())) {
                return java.util.Optional.of(
                        "workspace binding \"%s\" does not match any declared workspace".formatted(binding.name()));
            }
        }
        var claims = new ArrayList<String>();
        bindings.forEach(binding -> {
            binding.persistentVolumeClaim().ifPresent(claim -> claims.add(claim.string("claimName")));
            binding.volumeClaimTemplate().ifPresent(_ -> claims.add(binding.name()));
        });
        return onlyOneClaim && claims.stream().distinct().count() > 1
                ? java.util.Optional.of("more than one PersistentVolumeClaim is bound")
                : java.util.Optional.empty();
    }
}
