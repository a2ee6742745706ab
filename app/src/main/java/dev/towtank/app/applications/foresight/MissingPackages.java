package dev.towtank.app.applications.foresight;

import dev.towtank.controllers.notebooks.api.NotebookKinds;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Notebooks that import what their image does not have.
final class MissingPackages {

    // Whoever installs or makes modules on the way has them later.
    private static final Pattern OWN_WAY =
            Pattern.compile("sys\\.path|%%writefile|\\b(pip|conda|mamba)3?\\b.*\\binstall\\b|site\\.addsitedir");
    // What stands at the beginning of a line happens for certain.
    private static final Pattern IMPORT = Pattern.compile(
            "^(?:import[ \\t]+(?<modules>[\\w. \\t,]+)|from[ \\t]+(?<module>\\w+)[\\w.]*[ \\t]+import\\b)",
            Pattern.MULTILINE);

    private MissingPackages() {}

    static Stream<Omen> in(Scene scene) {
        return scene.all(NotebookKinds.JOB).filter(Scene.Part::isNew).flatMap(part -> of(scene, part).stream());
    }

    private static Optional<Omen> of(Scene scene, Scene.Part part) {
        var notebook = part.spec().object("notebook");
        var image = part.spec().string("podConfig", "containerImage");
        if (!scene.isBuilt(image) && !scene.world().isPlayedHere(image)) {
            return Optional.empty();
        }
        var path = notebook.string("path");
        return scene.world().files(notebook.string("git", "url")).flatMap(files -> {
            if (!files.containsKey(path)) {
                return Optional.of(
                        Omen.fails(part.title() + " will fail: there is no " + path + " in its repository."));
            }
            var modules = modules(files, path);
            var missing = modules.isEmpty() ? List.<String>of() : scene.world().missingModules(modules);
            return missing.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Omen.fails(part.title() + " will fail: " + path + " imports "
                            + String.join(", ", missing) + ", which " + image
                            + " will not have. Install what brings it into the image, or use another."));
        });
    }

    /// The first part of each module that is imported for certain, and that is not beside the notebook.
    static Set<String> modules(Map<String, byte[]> files, String path) {
        var modules = new TreeSet<String>();
        var sources = sources(Optional.ofNullable(files.get(path)).orElse(new byte[0]));
        if (sources.stream().anyMatch(source -> OWN_WAY.matcher(source).find())) {
            return modules;
        }
        for (var source : sources) {
            var found = IMPORT.matcher(source);
            while (found.find()) {
                var several = Optional.ofNullable(found.group("modules"));
                several.ifPresent(words -> Stream.of(words.split(",", -1))
                        .map(word -> word.strip().split("[. \\t]", 2)[0])
                        .filter(word -> !word.isEmpty())
                        .forEach(modules::add));
                Optional.ofNullable(found.group("module")).ifPresent(modules::add);
            }
        }
        var folder = path.substring(0, path.lastIndexOf('/') + 1);
        modules.removeIf(name -> files.keySet().stream()
                .anyMatch(file -> file.equals(folder + name + ".py") || file.startsWith(folder + name + "/")));
        return modules;
    }

    private static List<String> sources(byte[] notebook) {
        try {
            return JsonText.parseObject(notebook).objects("cells").stream()
                    .filter(cell -> cell.string("cell_type").equals("code"))
                    .map(MissingPackages::source)
                    .toList();
        } catch (JsonText.Malformed e) {
            return List.of();
        }
    }

    /// A text, or its lines.
    private static String source(Json.Obj cell) {
        return cell.get("source") instanceof Json.Arr lines
                ? lines.strings().stream().collect(Collectors.joining())
                : cell.string("source");
    }
}
