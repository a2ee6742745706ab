package dev.towtank.node;

import dev.towtank.node.linux.FileTree;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// A node's own directory in memory that everybody on the machine can write to.
///
/// Nobody can guess its name, and so nobody can be there first with a directory or a link of theirs. The node's
/// directory on disk holds the name, by which the next server finds it; it says whose it is, so that others see when
/// nobody needs it any more.
final class MemoryDirectory {

    private static final String PREFIX = "towtank-";
    private static final String NAME = "memory";
    private static final String OWNER = "owner";
    private static final String PODS = "pods";
    private static final int DIRECTORY_OF_ONE = 0040700;
    private static final Path WORLD = Path.of("/proc/self/ns/mnt");

    private final Path place;

    private MemoryDirectory(Path place) {
        this.place = place;
    }

    /// Whose a directory is.
    ///
    /// @param node its directory on disk
    /// @param world the mount namespace in which that path was written down: in another one it may lead elsewhere
    private record Owner(Path node, String world) {

        static Owner of(Path node) throws IOException {
            return new Owner(node.toRealPath(), Files.readSymbolicLink(WORLD).toString());
        }

        static Optional<Owner> read(Path place) throws IOException {
            var lines = text(place.resolve(OWNER)).map(text -> text.split("\n", 2));
            return lines.filter(line -> line.length == 2).map(line -> new Owner(Path.of(line[1]), line[0]));
        }

        void write(Path place) throws IOException {
            Files.writeString(place.resolve(OWNER), world + "\n" + node);
        }

        boolean isGone(Owner asSeenBy) {
            return world.equals(asSeenBy.world) && !Files.exists(node, LinkOption.NOFOLLOW_LINKS);
        }
    }

    /// Finds it again, or makes it.
    ///
    /// @param shared where all such directories are
    /// @param node the node's directory on disk, which nobody else uses at the same time
    static MemoryDirectory open(Path shared, Path node) throws IOException {
        var known = find(shared, node);
        if (known.isPresent()) {
            return known.get();
        }
        var owner = Owner.of(node);
        var made = Files.createTempDirectory(shared, PREFIX); // for its user alone
        Files.createDirectory(made.resolve(PODS));
        owner.write(made);
        Files.writeString(node.resolve(NAME), made.getFileName().toString());
        return new MemoryDirectory(made);
    }

    /// The one that an earlier server made.
    static Optional<MemoryDirectory> find(Path shared, Path node) throws IOException {
        var known = text(node.resolve(NAME)).map(shared::resolve);
        return known.isPresent() && isFor(Owner.of(node), known.get())
                ? Optional.of(new MemoryDirectory(known.get()))
                : Optional.empty();
    }

    private static boolean isFor(Owner owner, Path place) throws IOException {
        return isOurs(place)
                && Owner.read(place)
                        .filter(found -> found.node.equals(owner.node))
                        .isPresent();
    }

    /// With a directory for each pod.
    Path pods() {
        return place.resolve(PODS);
    }

    void delete() throws IOException {
        FileTree.delete(place);
    }

    /// Deletes what servers of this user left here: those whose directory on disk is gone, and an earlier one of this
    /// node that did not come to write down its name.
    void deleteAbandoned() throws IOException {
        var own = Owner.read(place);
        if (own.isEmpty()) {
            return; // deleted meanwhile
        }
        try (var all = Files.newDirectoryStream(place.resolveSibling(""), PREFIX + "*")) {
            for (var other : all) {
                if (!other.equals(place) && isAbandoned(other, own.get())) {
                    FileTree.delete(other);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static boolean isAbandoned(Path other, Owner own) throws IOException {
        return isOurs(other)
                && Owner.read(other)
                        .filter(owner -> owner.equals(own) || owner.isGone(own))
                        .isPresent();
    }

    private static boolean isOurs(Path place) throws IOException {
        try {
            // By number: to find out a user's name may take asking over the network.
            var user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            return Files.readAttributes(place, "unix:mode,uid", LinkOption.NOFOLLOW_LINKS)
                    .equals(Map.of("mode", DIRECTORY_OF_ONE, "uid", user));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static Optional<String> text(Path file) throws IOException {
        try {
            return Optional.of(Files.readString(file)).filter(text -> !text.isEmpty());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
