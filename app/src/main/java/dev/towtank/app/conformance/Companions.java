package dev.towtank.app.conformance;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// What a test needs that lies in a catalog: `task/<name>/<version>/tests/run.yaml` is about the definition two
/// directories
/// above, may have files with things that it needs beside it, and uses other tasks of the catalog.
///
/// @param directory of the version
record Companions(Path file, Path directory) {

    private static final Set<String> TESTS = Set.of("tests", "samples");
    private static final Pattern RUN = Pattern.compile("(?m)^kind: *(TaskRun|PipelineRun)\\s*$");
    private static final Pattern VERSION = Pattern.compile("[0-9]+(\\.[0-9]+)*");

    /// Nothing for a file that is not in a catalog.
    static Optional<Companions> of(Path file) {
        var tests = file.toAbsolutePath().normalize().getParent();
        var version = tests == null ? null : tests.getParent();
        if (tests == null || version == null || !TESTS.contains(String.valueOf(tests.getFileName()))) {
            return Optional.empty();
        }
        return Optional.of(new Companions(file, version));
    }

    /// Where the catalog's own tests put it.
    String namespace() {
        var name = directory.getParent();
        return (name == null ? "" : name.getFileName()) + "-"
                + String.valueOf(directory.getFileName()).replace('.', '-');
    }

    List<Path> files() throws IOException {
        var found = new ArrayList<>(yamlFiles(directory));
        var tests = file.toAbsolutePath().getParent();
        if (tests != null && tests.endsWith("tests")) {
            for (var other : yamlFiles(tests)) {
                if (!other.endsWith(file.getFileName())
                        && !RUN.matcher(Example.read(other)).find()) {
                    found.add(other);
                }
            }
        }
        found.addAll(tasks());
        return found;
    }

    private static List<Path> yamlFiles(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.filter(Files::isRegularFile)
                    .filter(each -> each.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }

    /// The newest of each task that it refers to.
    private List<Path> tasks() throws IOException {
        var own = directory.getParent();
        var catalog = own == null ? null : own.getParent();
        if (own == null || catalog == null) {
            return List.of();
        }
        var found = new ArrayList<Path>();
        for (var name : references()) {
            var task = catalog.resolve(name).normalize();
            if (!name.isBlank() && catalog.equals(task.getParent()) && !task.equals(own) && Files.isDirectory(task)) {
                newest(task)
                        .map(version -> version.resolve(name + ".yaml"))
                        .filter(Files::isRegularFile)
                        .ifPresent(found::add);
            }
        }
        return found;
    }

    private static Optional<Path> newest(Path task) throws IOException {
        try (var versions = Files.list(task)) {
            return versions.filter(each ->
                            VERSION.matcher(each.getFileName().toString()).matches())
                    .max(Comparator.comparing(Companions::padded));
        }
    }

    /// So that 0.10 is newer than 0.9.
    private static String padded(Path version) {
        var padded = new StringBuilder();
        for (var part : version.getFileName().toString().split("\\.", -1)) {
            padded.append("0".repeat(Math.max(0, 9 - part.length()))).append(part);
        }
        return padded.toString();
    }

    private Set<String> references() throws IOException {
        var names = new TreeSet<String>();
        try {
            YamlText.parseAll(Example.read(file).getBytes(StandardCharsets.UTF_8))
                    .forEach(document -> collect(document, names));
        } catch (JsonText.Malformed e) {
            // Whoever creates the objects will say so.
        }
        return names;
    }

    private static void collect(Json json, Set<String> names) {
        switch (json) {
            case Json.Obj object -> {
                names.add(object.string("taskRef", "name"));
                object.forEach((_, value) -> collect(value, names));
            }
            case Json.Arr items -> items.forEach(item -> collect(item, names));
            default -> {}
        }
    }
}
