package dev.towtank.node.volumes;

import dev.towtank.node.linux.OpenDirectory;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
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
    private final FileGroup group;

    /// @param group of all that is in it
    AtomicDirectory(Path directory, FileGroup group) {
        this.directory = directory;
        this.group = group;
    }

    /// Of a directory that was made just now: nobody can have looked into it yet.
    ///
    /// @param version a name for this content
    void writeFirst(Map<String, VolumeFile> files, String version) throws IOException {
        var next = fill(files, version);
        link(directory.resolve(DATA), next.getFileName());
        for (var name : topLevel(files.keySet())) {
            link(directory.resolve(name), Path.of(DATA, name));
        }
    }

    private static void link(Path place, Path target) throws IOException {
        if (!OpenDirectory.HERE.link(place.toString(), target.toString())) {
            throw new FileAlreadyExistsException(place.toString());
        }
    }

    /// @param version a name for this content
    void write(Map<String, VolumeFile> files, String version) throws IOException {
        var next = fill(files, version);
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

    private Path fill(Map<String, VolumeFile> files, String version) throws IOException {
        var next = directory.resolve(".." + version);
        // The server before this one may have been here at the same moment, where time stands still.
        for (int i = 1; !OpenDirectory.HERE.make(next.toString(), 0755); i++) {
            next = directory.resolve(".." + version + "_" + i);
        }
        for (var file : files.entrySet()) {
            write(next, file.getKey(), file.getValue());
        }
        group.give(next, true);
        return next;
    }

    private static void write(Path root, String path, VolumeFile file) throws IOException {
        var place = root.resolve(path);
        var parent = place.getParent();
        if (parent != null && !parent.equals(root)) {
            Files.createDirectories(parent);
        }
        if (!OpenDirectory.HERE.create(place.toString(), file.content(), file.mode())) {
            throw new FileAlreadyExistsException(place.toString());
        }
    }

    private @Nullable Path current() throws IOException {
        var link = directory.resolve(DATA);
        return Files.isSymbolicLink(link) ? directory.resolve(Files.readSymbolicLink(link)) : null;
    }

    private static Set<String> topLevel(Set<String> paths) {
        var names = new HashSet<String>();
        for (var path : paths) {
            names.add(Path.of(path).getName(0).toString());
        }
        return names;
    }

    private void showTopLevel(Set<String> paths) throws IOException {
        var wanted = topLevel(paths);
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
