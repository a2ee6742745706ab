package dev.towtank.node.pods;

import dev.towtank.node.sandbox.ContainerSpec.Mount;
import dev.towtank.node.volumes.FileModes;
import dev.towtank.node.volumes.InnerPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// The files of a container that lie in its mounts, by their paths inside the container. No way leads through a link
/// that a container may have made.
final class ContainerFiles {

    private final List<Mount> mounts;

    ContainerFiles(List<Mount> mounts) {
        var longestFirst = new ArrayList<>(mounts);
        longestFirst.sort(
                Comparator.comparingInt((Mount mount) -> mount.target().length())
                        .reversed());
        this.mounts = List.copyOf(longestFirst);
    }

    private record Place(Mount mount, String rest) {}

    boolean exists(String path) {
        try {
            return Files.exists(existing(path), LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            return false;
        }
    }

    List<String> list(String path) throws IOException {
        var directory = existing(path);
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        var names = new ArrayList<String>();
        try (var entries = Files.newDirectoryStream(directory)) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        }
        names.sort(Comparator.naturalOrder());
        return names;
    }

    Optional<byte[]> read(String path, int limit) throws IOException {
        var file = existing(path);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(path + " is no regular file");
        }
        try (var input = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            var content = input.readNBytes(limit);
            if (input.read() >= 0) {
                throw new IOException(path + " is larger than " + limit + " bytes");
            }
            return Optional.of(content);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    void write(String path, byte[] content, int mode) throws IOException {
        var place = writable(path);
        if (place.rest.isEmpty()) {
            Files.write(place.mount.source(), content); // a file that is itself mounted keeps its identity
            return;
        }
        var target = inside(place);
        var parent = parent(target);
        InnerPath.makeDirectories(
                place.mount.source(), place.mount.source().relativize(parent).toString());
        var draft = parent.resolve("." + UUID.randomUUID());
        try {
            Files.write(draft, content);
            FileModes.set(draft, mode);
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /// The target is a path inside the container: nobody follows the link here.
    void link(String path, String target) throws IOException {
        var place = writable(path);
        var relative = Path.of(place.rest);
        var parent = relative.getParent() == null ? "" : relative.getParent().toString();
        var link = InnerPath.makeDirectories(place.mount.source(), parent).resolve(relative.getFileName());
        if (Files.isSymbolicLink(link)
                && Files.readSymbolicLink(link).toString().equals(target)) {
            return;
        }
        Files.createSymbolicLink(link, Path.of(target));
    }

    void makeDirectory(String path, int mode) throws IOException {
        var place = writable(path);
        var made = place.rest.isEmpty()
                ? place.mount.source()
                : InnerPath.makeDirectories(place.mount.source(), place.rest);
        if (!place.rest.isEmpty()) {
            FileModes.set(made, mode);
        }
    }

    /// The host's path of a file that a process may write, with its directories.
    Path prepared(String path) throws IOException {
        var place = writable(path);
        var target = inside(place);
        InnerPath.makeDirectories(
                place.mount.source(),
                place.mount.source().relativize(parent(target)).toString());
        return target;
    }

    private static Path parent(Path file) throws IOException {
        var parent = file.getParent();
        if (parent == null) {
            throw new IOException(file + " is in no directory");
        }
        return parent;
    }

    private Place place(String path) throws IOException {
        var wanted = Path.of("/").resolve(path).normalize();
        for (var mount : mounts) {
            var target = Path.of(mount.target()).normalize();
            if (wanted.startsWith(target)) {
                return new Place(mount, target.relativize(wanted).toString());
            }
        }
        throw new IOException(path + " is in no volume of the container");
    }

    private Place writable(String path) throws IOException {
        var place = place(path);
        if (place.mount.readOnly()) {
            throw new IOException(path + " is in a read-only volume");
        }
        return place;
    }

    private static Path inside(Place place) throws IOException {
        return place.rest.isEmpty() ? place.mount.source() : InnerPath.resolve(place.mount.source(), place.rest);
    }

    private Path existing(String path) throws IOException {
        var place = place(path);
        var source = place.mount.source();
        // Volumes of ConfigMaps and Secrets are read-only and full of links of our own making.
        if (place.mount.readOnly() && !place.rest.isEmpty() && Files.isSymbolicLink(source.resolve("..data"))) {
            var file = source.resolve(place.rest);
            return Files.exists(file) && file.toRealPath().startsWith(source.toRealPath()) ? file.toRealPath() : file;
        }
        return inside(place);
    }
}
