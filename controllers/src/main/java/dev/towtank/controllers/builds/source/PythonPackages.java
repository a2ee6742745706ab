package dev.towtank.controllers.builds.source;

import dev.towtank.controllers.builds.recipe.Requirements;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The packages of this machine's Python, which stand-ins have.
final class PythonPackages {

    private static final List<Path> PLACES = List.of(Path.of("/usr/lib/python3"), Path.of("/usr/local/lib"));

    private PythonPackages() {}

    static List<String> missing(List<String> wanted) {
        if (wanted.isEmpty()) {
            return List.of();
        }
        var here = here();
        return wanted.stream().filter(each -> !here.contains(each)).distinct().toList();
    }

    private static Set<String> here() {
        var names = new HashSet<String>();
        list(PLACES.getFirst(), "dist-packages").forEach(place -> add(place, names));
        for (var python : list(PLACES.getLast(), "python3*")) {
            list(python, "dist-packages").forEach(place -> add(place, names));
        }
        return names;
    }

    private static void add(Path place, Set<String> names) {
        for (var each : list(place, "*-info")) {
            names.add(Requirements.normalised(
                    each.getFileName().toString().replaceFirst("(-[^-]*(-py[0-9.]+)?)?\\.(dist|egg)-info$", "")));
        }
    }

    private static List<Path> list(Path directory, String pattern) {
        var found = new java.util.ArrayList<Path>();
        try (var entries = Files.newDirectoryStream(directory, pattern)) {
            entries.forEach(found::add);
        } catch (IOException | DirectoryIteratorException e) {
            return List.of();
        }
        return found;
    }
}
