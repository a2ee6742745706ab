package dev.towtank.node.volumes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A directory whose files change all at once: they lie in a directory of their own behind the link `..data`, and a
/// change of that link is the change.
final class AtomicDirectory {

    private static final String DATA = "..data";

    private final Path directory;

    AtomicDirectory(Path directory) {
        this.directory = directory;
    }

    /// @param version a name for this content that none before had
    void write(Map<String, VolumeFile> files, String version) throws IOException {
        var next = directory.resolve(".." + version);
        Files.createDirectories(next);
        FileModes.set(next, 0755);
        for (var file : files.entrySet()) {
            write(next, file.getKey(), file.getValue());
        }
        var before = current();
        var link = directory.resolve("..data_tmp");
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, next.getFileName());
        Files.move(link, directory.resolve(DATA), StandardCopyOption.ATOMIC_MOVE);
        showTopLevel(files.keySet());
        if (before != null && !before.equals(next)) {
            Directories.deleteAll(before);
        }
    }

    private static void write(Path root, String path, VolumeFile file) throws IOException {
        var place = root.resolve(path);
        if (!place.getParent().equals(root)) {
            Files.createDirectories(place.getParent());
        }
        Files.write(place, file.content());
        FileModes.set(place, file.mode());
    }

    private @Nullable Path current() throws IOException {
        var link = directory.resolve(DATA);
        return Files.isSymbolicLink(link) ? directory.resolve(Files.readSymbolicLink(link)) : null;
    }

    private void showTopLevel(Set<String> paths) throws IOException {
        var wanted = new HashSet<String>();
        for (var path : paths) {
            wanted.add(Path.of(path).getName(0).toString());
        }
        for (var name : wanted) {
            var link = directory.resolve(name);
            if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
                Files.createSymbolicLink(link, Path.of(DATA, name));
            }
        }
        try (var shown = Files.newDirectoryStream(directory)) {
            for (var each : shown) {
                var name = each.getFileName().toString();
                if (!name.startsWith("..") && !wanted.contains(name) && Files.isSymbolicLink(each)) {
                    Files.delete(each);
                }
            }
        }
    }
}
