package dev.towtank.controllers.rendering.source;

import dev.towtank.model.files.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The files of a folder, read when they are asked for. A link counts as long as it stays in the folder.
public final class DiskTree implements FileTree {
    private static final long LARGEST = 16L << 20;

    private final Path root;

    private DiskTree(Path root) {
        this.root = root;
    }

    public static DiskTree of(Path root) throws IOException {
        return new DiskTree(root.toRealPath());
    }

    /// The repository that a folder is in; else the folder that somebody works in, where it is below that; else itself.
    public static Path root(Path folder, Path working) throws IOException {
        var real = folder.toRealPath();
        for (var each = real; each != null; each = each.getParent()) {
            if (Files.exists(each.resolve(".git"))) {
                return each;
            }
        }
        var here = working.toRealPath();
        return real.startsWith(here) ? here : real;
    }

    /// A folder as this tree calls it.
    public String path(Path folder) throws IOException {
        return root.relativize(folder.toRealPath()).toString().replace('\\', '/');
    }

    @Override
    public Optional<byte[]> read(String path) {
        try {
            var file = root.resolve(path);
            if (!Files.isRegularFile(file) || !file.toRealPath().startsWith(root)) {
                return Optional.empty();
            }
            if (Files.size(file) > LARGEST) {
                throw new UncheckedIOException(new IOException(file + " is larger than " + LARGEST + " bytes"));
            }
            return Optional.of(Files.readAllBytes(file));
        } catch (InvalidPathException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<String> list(String directory) {
        var folder = root.resolve(directory);
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var entries = Files.list(folder)) {
            return entries.map(each -> each.getFileName() + (Files.isDirectory(each) ? "/" : ""))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
