package dev.towtank.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The files of the repository that these tests run in.
final class Checkout {
    static final Path ROOT = root();

    private static final Set<String> NOT_OURS = Set.of(".git", "target", "node_modules");

    private Checkout() {}

    static List<Path> files(String suffix) {
        try (var files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .filter(Files::isRegularFile)
                    .filter(Checkout::isOurs)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOurs(Path file) {
        return Stream.iterate(ROOT.relativize(file), part -> part != null, Path::getParent)
                .noneMatch(part -> NOT_OURS.contains(part.getFileName().toString()));
    }

    private static Path root() {
        return Stream.iterate(Path.of("").toAbsolutePath(), folder -> folder != null, Path::getParent)
                .filter(folder -> Files.exists(folder.resolve("mvnw")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("not in a checkout"));
    }
}
