package dev.towtank.controllers.builds.source;

import dev.towtank.controllers.git.source.GitProblem;
import dev.towtank.controllers.git.source.GitTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The files that a build has: all their names, what it reads of them, and, for an engine, all of them in a directory
/// that
/// goes away.
final class BuildFiles implements AutoCloseable {

    private static final int MOST_FILES = 20_000;
    private static final long MOST_BYTES = 200L << 20;
    private static final int LARGEST_TEXT = 1 << 20;
    private static final String EXECUTABLE = "rwxr-xr-x";

    private final Optional<Path> directory;
    private final Set<String> names = new TreeSet<>();
    private final Map<String, byte[]> texts = new TreeMap<>();

    private BuildFiles(Optional<Path> directory) {
        this.directory = directory;
    }

    static BuildFiles make(boolean isOnDisk) throws IOException {
        return new BuildFiles(isOnDisk ? Optional.of(Files.createTempDirectory("build")) : Optional.empty());
    }

    void take(GitTree tree) throws GitProblem, IOException {
        long[] kept = {0};
        tree.files(MOST_FILES, MOST_BYTES, (path, content, isExecutable) -> {
            names.add(path);
            if (content.length <= LARGEST_TEXT && kept[0] < MOST_BYTES / 10) {
                kept[0] += content.length;
                texts.put(path, content);
            }
            if (directory.isPresent()) {
                write(directory.get(), path, content, isExecutable);
            }
        });
    }

    private static void write(Path root, String path, byte[] content, boolean isExecutable) throws IOException {
        var file = root.resolve("context").resolve(path).normalize();
        if (!file.startsWith(root.resolve("context"))) {
            throw new IOException("the repository has a file outside of itself: " + path);
        }
        Files.createDirectories(file.getParent());
        Files.write(file, content);
        if (isExecutable) {
            Files.setPosixFilePermissions(file, java.nio.file.attribute.PosixFilePermissions.fromString(EXECUTABLE));
        }
    }

    Optional<String> text(String path) {
        return Optional.ofNullable(texts.get(clean(path))).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    private static String clean(String path) {
        var steps =
                Path.of("/").resolve(path.replaceFirst("^/+", "")).normalize().toString();
        return steps.substring(1);
    }

    /// A file, a directory, or what a pattern matches.
    boolean has(String path) {
        var wanted = clean(path);
        if (wanted.isEmpty()) {
            return true;
        }
        if (wanted.matches(".*[*?\\[].*")) {
            var pattern = Pattern.compile(Pattern.quote(wanted)
                            .replace("*", "\\E[^/]*\\Q")
                            .replace("?", "\\E[^/]\\Q")
                            .replaceAll("\\[[^]]*]", "\\\\E[^/]\\\\Q")
                    + "(/.*)?");
            return names.stream().anyMatch(name -> pattern.matcher(name).matches());
        }
        return names.contains(wanted) || names.stream().anyMatch(name -> name.startsWith(wanted + "/"));
    }

    Path directory(String path) throws IOException {
        return Files.createDirectories(
                directory.orElseThrow().resolve("context").resolve(clean(path)));
    }

    /// Beside the context, so that it is no part of it.
    Path recipe(String text) throws IOException {
        return Files.writeString(directory.orElseThrow().resolve("Dockerfile"), text);
    }

    @Override
    public void close() throws IOException {
        if (directory.isEmpty()) {
            return;
        }
        try (var all = Files.walk(directory.get())) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.deleteIfExists(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
