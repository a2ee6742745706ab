package dev.towtank.app.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A YAML file with a run and what it needs.
///
/// @param name its path below the directory of all examples
public record Example(Path file, String name, Stage stage) {

    private static final int LONGEST_FILE = 4 * 1024 * 1024;

    /// All below a directory, or the file itself, by name. As in Tekton's own test, directories called `no-ci` do not
    /// count.
    public static List<Example> below(Path place) throws IOException {
        if (Files.isRegularFile(place)) {
            return List.of(of(place, place.getFileName().toString()));
        }
        try (var files = Files.walk(place)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(".yaml"))
                    .map(file -> of(file, place.relativize(file).toString()))
                    .filter(example -> !("/" + example.name()).contains("/no-ci/"))
                    .sorted(java.util.Comparator.comparing(Example::name))
                    .toList();
        }
    }

    private static Example of(Path file, String name) {
        return new Example(file, name, Stage.of(name));
    }

    /// With what the example is about in front of it.
    String text() throws IOException {
        var texts = new ArrayList<String>();
        var companions = Companions.of(file);
        if (companions.isPresent()) {
            for (var each : companions.get().files()) {
                texts.add(read(each));
            }
        }
        texts.add(read(file));
        return String.join("\n---\n", texts);
    }

    /// The namespace that it names as its own.
    String namespace() {
        return Companions.of(file).map(Companions::namespace).orElse("default");
    }

    static String read(Path file) throws IOException {
        if (Files.size(file) > LONGEST_FILE) {
            throw new IOException(file.getFileName() + " is larger than " + LONGEST_FILE + " bytes");
        }
        return Files.readString(file);
    }

    /// Which kind of run must succeed, where the directory tells.
    Optional<String> kindOfRun() {
        var path = "/" + name;
        if (path.contains("/taskruns/")) {
            return Optional.of("TaskRun");
        }
        return path.contains("/pipelineruns/") ? Optional.of("PipelineRun") : Optional.empty();
    }

    /// The beginning of a name of a namespace.
    String slug() {
        var words = name.replaceFirst("\\.yaml$", "")
                .toLowerCase(Locale.ROOT)
                .replaceFirst(".*/", "")
                .replaceAll("[^a-z0-9]+", "-");
        return words.substring(0, Math.min(words.length(), 40)).replaceAll("^-+|-+$", "");
    }
}
