package dev.towtank.app.run.input;

import dev.towtank.app.run.input.RunRequest.WorkspaceChoice;
import dev.towtank.model.Json;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Decides what is behind each workspace of a run that has an engine of its own.
///
/// What would be a new claim becomes a directory that outlives the engine, so that a failed run can go on from it.
final class RunWorkspaces {

    private static final String PREFIX = "workspace-";
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    private final String namespace;
    private final Optional<Json.Obj> definition;
    private final Optional<Path> beside;
    private final Map<String, WorkspaceChoice> choices = new LinkedHashMap<>();
    private final List<WorkspaceVolume> volumes = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    /// @param beside the directory with the files of the run
    RunWorkspaces(String namespace, Optional<Json.Obj> definition, List<WorkspaceChoice> given, Optional<Path> beside) {
        this.namespace = namespace;
        this.beside = beside;
        this.definition = definition;
        for (var choice : given) {
            if (choices.put(choice.name(), choice) != null) {
                problems.add("--workspace " + choice.name() + " is given twice: give it once");
            } else if (!Files.isDirectory(choice.directory())) {
                problems.add("--workspace " + choice.name() + "=" + choice.directory() + ": "
                        + (Files.exists(choice.directory()) ? "this is no directory" : "there is no such directory"));
            }
        }
    }

    List<WorkspaceVolume> volumes() {
        return volumes;
    }

    List<String> notices() {
        return notices;
    }

    /// The bindings of the run, with claims in the place of what is a directory.
    ///
    /// @throws BadInput a directory is not there, or is for a workspace that is not
    Json.Arr bind(List<Json.Obj> bindings) {
        var declared = declared();
        var bound = new ArrayList<Json>();
        var seen = new LinkedHashSet<String>();
        for (var binding : bindings) {
            seen.add(binding.string("name"));
            bound.add(rebind(binding));
        }
        choices.values().stream()
                .filter(choice -> !seen.contains(choice.name()))
                .forEach(choice -> {
                    if (declared.isPresent() && !declared.get().contains(choice.name())) {
                        problems.add("--workspace " + choice.name() + ": there is no such workspace. " + known());
                    }
                    seen.add(choice.name());
                    bound.add(claim(choice.name(), Optional.of(choice), ""));
                });
        for (var workspace : definition.map(spec -> spec.objects("workspaces")).orElse(List.of())) {
            var name = workspace.string("name");
            if (!workspace.flag("optional") && seen.add(name)) {
                var natural = natural(name);
                bound.add(claim(name, natural, ""));
                notices.add(natural.map(found -> copied(name, found))
                        .orElse("Workspace " + name + " is an empty directory; --workspace " + name
                                + "=DIR gives another."));
            }
        }
        if (!problems.isEmpty()) {
            throw new BadInput(problems);
        }
        return new Json.Arr(bound);
    }

    /// A directory beside the files that is called like a workspace is what belongs into it.
    private Optional<WorkspaceChoice> natural(String name) {
        return beside.filter(_ -> PLAIN.matcher(name).matches())
                .map(place -> place.resolve(name))
                .filter(found -> Files.isDirectory(found, LinkOption.NOFOLLOW_LINKS))
                .map(found -> new WorkspaceChoice(name, found, false));
    }

    private static String copied(String name, WorkspaceChoice choice) {
        return "Workspace " + name + " is a copy of " + choice.directory() + ".";
    }

    /// The bindings of a run on a server, which makes claims for the workspaces that have none.
    static Json.Arr claimed(List<Json.Obj> bindings, Optional<Json.Obj> definition) {
        var bound = new ArrayList<Json>(bindings);
        var template = Json.Obj.of(
                "spec",
                Json.Obj.of(
                        "accessModes",
                        Json.Arr.of(Json.of("ReadWriteOnce")),
                        "resources",
                        Json.Obj.of("requests", Json.Obj.of("storage", Json.of("1Gi")))));
        definition.map(spec -> spec.objects("workspaces")).orElse(List.of()).stream()
                .filter(workspace -> !workspace.flag("optional"))
                .map(workspace -> workspace.string("name"))
                .filter(name ->
                        bindings.stream().noneMatch(each -> each.string("name").equals(name)))
                .forEach(name -> bound.add(Json.Obj.of("name", Json.of(name), "volumeClaimTemplate", template)));
        return new Json.Arr(bound);
    }

    private Json.Obj rebind(Json.Obj binding) {
        var name = binding.string("name");
        var choice = Optional.ofNullable(choices.get(name));
        if (choice.isPresent() || !binding.has("volumeClaimTemplate")) {
            return choice.isPresent() ? claim(name, choice, binding.string("subPath")) : binding;
        }
        var natural = natural(name);
        natural.ifPresent(found -> notices.add(copied(name, found)));
        return claim(name, natural, binding.string("subPath"));
    }

    private Json.Obj claim(String workspace, Optional<WorkspaceChoice> choice, String subPath) {
        var claim = PREFIX + workspace;
        volumes.add(new WorkspaceVolume(
                workspace,
                claim,
                namespace,
                choice.map(each -> each.directory().toAbsolutePath().normalize()),
                choice.map(WorkspaceChoice::writable).orElse(false),
                false));
        return Json.Obj.builder()
                .put("name", workspace)
                .putNonEmpty("subPath", choice.isPresent() ? "" : subPath)
                .put("persistentVolumeClaim", Json.Obj.of("claimName", Json.of(claim)))
                .build();
    }

    /// Claims that the files bring with them.
    void adopt(List<Document> documents) {
        for (var document : documents) {
            if (document.kind().equals("PersistentVolumeClaim")
                    && document.json().string("spec", "volumeName").isEmpty()) {
                volumes.add(new WorkspaceVolume(
                        document.name(),
                        document.name(),
                        document.json().string("metadata", "namespace"),
                        Optional.empty(),
                        false,
                        true));
            }
        }
    }

    private Optional<Set<String>> declared() {
        return definition.map(spec -> spec.objects("workspaces").stream()
                .map(workspace -> workspace.string("name"))
                .collect(Collectors.toCollection(LinkedHashSet::new)));
    }

    private String known() {
        var names = String.join(", ", declared().orElse(Set.of()));
        return names.isEmpty() ? "There are none at all." : "There are: " + names + ".";
    }
}
