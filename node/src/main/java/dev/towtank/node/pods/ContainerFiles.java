package dev.towtank.node.pods;

import dev.towtank.node.linux.LinuxException;
import dev.towtank.node.linux.OpenDirectory;
import dev.towtank.node.linux.ReadFile;
import dev.towtank.node.sandbox.ContainerSpec.Mount;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// The files of a container that lie in its mounts, by their paths inside the container. No way leads through a link
/// that a container may have made.
final class ContainerFiles {

    private static final int MADE_ON_THE_WAY = 0777;

    private final List<Mounted> mounts;

    ContainerFiles(List<Mount> mounts) {
        this.mounts = mounts.stream()
                .sorted(Comparator.comparingInt((Mount mount) -> mount.target().length())
                        .reversed())
                .map(mount -> new Mounted(Path.of(mount.target()).normalize(), mount))
                .toList();
    }

    private record Mounted(Path target, Mount mount) {}

    /// @param rest the way from the mount's volume, without steps back; empty for the volume itself
    private record Place(Mount mount, String rest) {

        Path source() {
            return mount.volume();
        }

        String parent() {
            int slash = rest.lastIndexOf('/');
            return slash < 0 ? "" : rest.substring(0, slash);
        }

        String name() {
            return rest.substring(rest.lastIndexOf('/') + 1);
        }
    }

    boolean exists(String path) {
        try {
            var place = place(path);
            if (place.rest.isEmpty()) {
                return Files.exists(place.source(), LinkOption.NOFOLLOW_LINKS);
            }
            return isInside(place);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isInside(Place place) throws IOException {
        try (var volume = OpenDirectory.of(place.source())) {
            var found = volume.inside(place.rest);
            found.ifPresent(OpenDirectory::close);
            return found.isPresent();
        } catch (LinuxException e) {
            return e.is(LinuxException.ELOOP)
                    && isProjected(place)
                    && Files.exists(projected(place), LinkOption.NOFOLLOW_LINKS);
        }
    }

    List<String> list(String path) throws IOException {
        var place = place(path);
        if (isProjected(place)) {
            return names(projected(place));
        }
        try (var volume = OpenDirectory.of(place.source())) {
            if (place.rest.isEmpty()) {
                return names(volume.self());
            }
            var found = volume.inside(place.rest);
            if (found.isEmpty()) {
                return List.of();
            }
            try (var directory = found.get()) {
                return names(directory.self());
            }
        } catch (LinuxException e) {
            throw explained(place, e);
        }
    }

    private static List<String> names(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
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
        var opened = open(place(path));
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try (var file = opened.get()) {
            if (!file.isRegular()) {
                throw new IOException(path + " is no regular file");
            }
            var content = file.bytes(limit < Integer.MAX_VALUE ? limit + 1 : limit);
            if (content.length > limit) {
                throw new IOException(path + " is larger than " + limit + " bytes");
            }
            return Optional.of(content);
        }
    }

    private static Optional<ReadFile> open(Place place) throws IOException {
        if (place.rest.isEmpty()) {
            return ReadFile.open(place.source().toString());
        }
        try (var volume = OpenDirectory.of(place.source())) {
            return volume.read(place.rest);
        } catch (LinuxException e) {
            if (e.is(LinuxException.ELOOP) && isProjected(place)) {
                return ReadFile.open(projected(place).toString());
            }
            throw explained(place, e);
        }
    }

    private static IOException explained(Place place, LinuxException problem) {
        return problem.is(LinuxException.ELOOP)
                ? new IOException("the path " + place.rest + " leads through a symbolic link", problem)
                : problem;
    }

    void write(String path, byte[] content, int mode) throws IOException {
        var place = writable(path);
        if (place.rest.isEmpty()) {
            Files.write(place.source(), content); // a file that is itself mounted keeps its identity
            return;
        }
        try (var directory = parent(place)) {
            // Of a file without content nobody can see a part.
            if (content.length > 0 || !directory.create(place.name(), content, mode)) {
                replace(directory, place.name(), content, mode);
            }
        } catch (LinuxException e) {
            throw explained(place, e);
        }
    }

    private static void replace(OpenDirectory directory, String name, byte[] content, int mode) throws IOException {
        var draft = "." + UUID.randomUUID();
        if (!directory.create(draft, content, mode)) {
            throw new FileAlreadyExistsException(draft);
        }
        try {
            directory.rename(draft, name);
        } catch (LinuxException e) {
            directory.delete(draft);
            throw e;
        }
    }

    /// The target is a path inside the container: nobody follows the link here.
    void link(String path, String target) throws IOException {
        var place = writable(path);
        try (var directory = parent(place)) {
            if (!directory.link(place.name(), target)
                    && !directory.target(place.name()).equals(Optional.of(target))) {
                throw new FileAlreadyExistsException(path);
            }
        } catch (LinuxException e) {
            throw explained(place, e);
        }
    }

    void makeDirectory(String path, int mode) throws IOException {
        var place = writable(path);
        if (place.rest.isEmpty()) {
            return;
        }
        try (var directory = parent(place)) {
            if (!directory.make(place.name(), mode)) {
                setMode(directory, place.name(), mode);
            }
        } catch (LinuxException e) {
            throw explained(place, e);
        }
    }

    private static void setMode(OpenDirectory directory, String name, int mode) throws IOException {
        var found = directory.inside(name);
        if (found.isPresent()) {
            try (var made = found.get()) {
                made.setMode(mode);
            }
        }
    }

    /// The directory in which a file is or shall be, with those on the way there.
    private static OpenDirectory parent(Place place) throws LinuxException {
        var volume = OpenDirectory.of(place.source());
        if (place.parent().isEmpty()) {
            return volume;
        }
        try (volume) {
            return volume.makeInside(place.parent(), MADE_ON_THE_WAY);
        }
    }

    /// The host's path of a file that a process may write, with its directories.
    Path prepared(String path) throws IOException {
        var place = writable(path);
        if (!place.rest.isEmpty()) {
            try (var directory = parent(place)) {
                directory.inside(place.name()).ifPresent(OpenDirectory::close); // it may be there, but no link
            } catch (LinuxException e) {
                throw explained(place, e);
            }
        }
        return place.source().resolve(place.rest);
    }

    private Place place(String path) throws IOException {
        var wanted = Path.of("/").resolve(path).normalize();
        for (var mount : mounts) {
            if (wanted.startsWith(mount.target)) {
                var rest = mount.target.relativize(wanted);
                return new Place(
                        mount.mount, Path.of(mount.mount.inside()).resolve(rest).toString());
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

    /// Volumes of ConfigMaps and Secrets are read-only and full of links of our own making.
    private static boolean isProjected(Place place) {
        return place.mount.readOnly()
                && !place.rest.isEmpty()
                && Files.isSymbolicLink(place.source().resolve("..data"));
    }

    private static Path projected(Place place) throws IOException {
        var source = place.source();
        var file = source.resolve(place.rest);
        return Files.exists(file) && file.toRealPath().startsWith(source.toRealPath()) ? file.toRealPath() : file;
    }
}
