package dev.towtank.app.lint.standing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The files and folders that somebody named, and means whatever they are called: where the program was called, or as
/// what a repository applies.
public final class Named {

    private static final List<String> SIGNS = List.of(".git", ".github", ".gitignore", "LICENSE");

    private final Set<Path> paths = new HashSet<>();
    private final Set<Path> applied = new HashSet<>();
    private final boolean areKnown;

    /// @param paths as they were named
    public Named(List<String> paths) {
        this(paths, List.of(), false);
    }

    /// @param applied files that the repository says to be applied
    /// @param areKnown whether it says so at all: then no others are
    public Named(List<String> paths, Collection<Path> applied, boolean areKnown) {
        paths.forEach(path -> this.paths.add(whole(path)));
        applied.forEach(path -> this.applied.add(path.toAbsolutePath().normalize()));
        this.areKnown = areKnown;
    }

    /// Whether it is a file that was named itself.
    public boolean has(String file) {
        var path = whole(file);
        return paths.contains(path) || applied.contains(path);
    }

    /// Whether it was named, or lies right in a folder that was. Whoever names a whole repository means no file of it,
    /// and
    /// who says what is applied has said it.
    public boolean hasNear(String file) {
        var folder = whole(file).getParent();
        return has(file) || (!areKnown && folder != null && paths.contains(folder) && !isWholeRepository(folder));
    }

    /// The top of the repository that a file is in.
    Path top(String file) {
        var folders = Stream.iterate(whole(file).getParent(), each -> each != null, Path::getParent)
                .toList();
        return folders.stream()
                .filter(Named::isRepository)
                .findFirst()
                .or(() -> folders.stream().filter(paths::contains).findFirst())
                .orElseGet(() -> Path.of("").toAbsolutePath());
    }

    /// Also one that was unpacked without its history.
    private static boolean isWholeRepository(Path folder) {
        return SIGNS.stream().anyMatch(sign -> Files.exists(folder.resolve(sign)));
    }

    private static boolean isRepository(Path folder) {
        return Files.exists(folder.resolve(".git"));
    }

    /// Whether it is known to be none of those that are applied.
    boolean leavesOut(String file) {
        return areKnown && !has(file);
    }

    /// A file as it is called below what was named.
    String inside(String file) {
        var path = whole(file);
        if (applied.contains(path)) {
            return String.valueOf(path.getFileName());
        }
        return Stream.iterate(path, each -> each != null, Path::getParent)
                .filter(paths::contains)
                .findFirst()
                .map(folder -> folder.relativize(path).toString())
                .orElse(file);
    }

    private static Path whole(String path) {
        return Path.of(path).toAbsolutePath().normalize();
    }
}
