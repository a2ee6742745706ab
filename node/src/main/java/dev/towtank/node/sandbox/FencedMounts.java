package dev.towtank.node.sandbox;

import dev.towtank.node.linux.LinuxException;
import dev.towtank.node.linux.OpenDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What is to be mounted in a container. Other containers may change the volumes at any moment, and whoever mounts
/// goes by paths: so each source is held open from before, each place inside of another volume is made here and
/// through no link, and [#compare] tells whether the container then has what was meant.
///
/// A link that somebody puts into a volume just then could still lead bubblewrap, which makes what it does not find,
/// to
/// the machine. So what goes into a volume is mounted aside first, with its source; when [#compareSources] has told
/// that
/// these are the right ones, the machine is taken out of its sight, and only then it comes near the volumes.
final class FencedMounts implements AutoCloseable {

    private static final int DIRECTORY_MODE = 0755;
    private static final int FILE_MODE = 0644;

    /// In the root that bubblewrap has while it prepares the container's, and that vanishes with it. There the
    /// machine
    /// is `oldroot`, and the container's root, to which its arguments are relative, `newroot`.
    private static final String ASIDE = "/../aside";

    private static final List<String> WITHOUT_MACHINE =
            List.of("--tmpfs", "/../oldroot", "--proc", "/../oldroot/proc"); // where it looks itself up

    /// @param source empty when there is none
    private record Held(ContainerSpec.Mount mount, String target, Optional<OpenDirectory> source) {

        boolean holds(String path) {
            return Path.of(path).startsWith(target);
        }

        String how() {
            return mount.readOnly() ? "--ro-bind" : "--bind";
        }

        /// The way from here to a path in the container.
        String wayTo(String path) {
            return Path.of(target).relativize(Path.of(path)).toString();
        }
    }

    private final RootPaths root;
    private final List<Held> all = new ArrayList<>();
    private final List<Held> inner = new ArrayList<>();

    private FencedMounts(RootPaths root) {
        this.root = root;
    }

    static FencedMounts of(List<ContainerSpec.Mount> mounts, RootPaths root) throws IOException {
        var fenced = new FencedMounts(root);
        try {
            for (var mount : mounts) {
                fenced.hold(mount);
            }
            // Outer ones first, or they would cover the inner ones.
            fenced.all.sort(Comparator.comparingInt(held -> Path.of(held.target).getNameCount()));
            for (int i = 0; i < fenced.all.size(); i++) {
                fenced.place(fenced.all.get(i), fenced.all.subList(0, i));
            }
            return fenced;
        } catch (IOException | RuntimeException e) {
            fenced.close();
            throw e;
        }
    }

    private void hold(ContainerSpec.Mount mount) throws IOException {
        var target = root.resolved(mount.target());
        if (target.equals("/") || Path.of(target).startsWith("/proc")) {
            throw new IOException("nothing can be mounted at " + JailText.shown(mount.target()));
        }
        all.removeIf(held -> held.target.equals(target) && closed(held)); // it would be covered
        all.add(new Held(mount, target, source(mount)));
    }

    private static boolean closed(Held held) {
        held.source.ifPresent(OpenDirectory::close);
        return true;
    }

    private static Optional<OpenDirectory> source(ContainerSpec.Mount mount) throws IOException {
        var volume = OpenDirectory.found(mount.volume());
        if (volume.isEmpty() || mount.inside().isEmpty()) {
            return volume;
        }
        try (var around = volume.get()) {
            return around.inside(mount.inside());
        } catch (LinuxException e) {
            throw e.is(LinuxException.ELOOP)
                    ? new IOException("the subPath " + JailText.shown(mount.inside()) + " leads through a link", e)
                    : e;
        }
    }

    /// Where it is mounted, when that is in another volume: there only we may make it, as nobody else looks for
    /// links.
    private void place(Held held, List<Held> before) throws IOException {
        var outer = around(held.target, before);
        if (outer.isEmpty()) {
            return;
        }
        inner.add(held);
        if (held.source.isEmpty()) {
            return; // nor will it start
        }
        var way = outer.get().wayTo(held.target);
        var where = JailText.shown(held.mount.target());
        try {
            make(outer.get(), way, held.source.get().facts().directory());
        } catch (LinuxException e) {
            throw e.is(LinuxException.ELOOP)
                    ? new IOException("the mount path " + where + " leads through a link in another volume", e)
                    : new IOException(
                            "the mount path " + where + " cannot be made in another volume: " + e.getMessage(), e);
        }
    }

    private static void make(Held outer, String way, boolean directory) throws IOException {
        var volume = outer.source.orElseThrow(() -> new IOException("the volume around is missing"));
        var found = volume.inside(way);
        if (found.isPresent()) {
            found.get().close();
            return;
        }
        if (outer.mount.readOnly()) {
            throw new IOException("mkdir " + JailText.shown(outer.target + "/" + way) + ": read-only file system");
        }
        if (directory) {
            volume.makeInside(way, DIRECTORY_MODE).close();
            return;
        }
        int slash = way.lastIndexOf('/');
        if (slash < 0) {
            var _ = volume.create(way, new byte[0], FILE_MODE);
            return;
        }
        try (var parent = volume.makeInside(way.substring(0, slash), DIRECTORY_MODE)) {
            var _ = parent.create(way.substring(slash + 1), new byte[0], FILE_MODE);
        }
    }

    private static Optional<Held> around(String path, List<Held> mounts) {
        return mounts.stream()
                .filter(held -> held.holds(path))
                .max(Comparator.comparingInt(held -> Path.of(held.target).getNameCount()));
    }

    /// The directory that whoever prepares the root shall make, so that a command can begin there. In a volume it is
    /// made here at once, unless a link is on the way: what it leads to the container alone can see.
    Optional<String> toMake(String workingDirectory) throws IOException {
        var path = root.resolved(workingDirectory);
        var outer = around(path, all);
        if (outer.isEmpty()) {
            return Optional.of(path);
        }
        var way = outer.get().wayTo(path);
        if (!way.isEmpty()
                && !outer.get().mount.readOnly()
                && outer.get().source.isPresent()) {
            try {
                outer.get().source.get().makeInside(way, DIRECTORY_MODE).close();
            } catch (LinuxException e) {
                return Optional.empty(); // it is for the container to find out
            }
        }
        return Optional.empty();
    }

    /// Whether anything goes into another volume.
    boolean areNested() {
        return !inner.isEmpty();
    }

    List<String> outerArguments() throws IOException {
        var arguments = new ArrayList<String>();
        for (var held : all) {
            var path = held.source.isPresent()
                    ? Files.readSymbolicLink(held.source.get().self())
                    : held.mount.source();
            int number = inner.indexOf(held);
            arguments.addAll(List.of(held.how(), path.toString(), number < 0 ? held.target : ASIDE + "/" + number));
        }
        return arguments;
    }

    /// For after [#compareSources].
    List<String> innerArguments() {
        var arguments = new ArrayList<>(WITHOUT_MACHINE);
        for (int i = 0; i < inner.size(); i++) {
            // Or it would look before it has made it.
            arguments.addAll(List.of(inner.get(i).how() + "-try", ASIDE + "/" + i, inner.get(i).target));
        }
        return arguments;
    }

    /// @param base the root of whoever prepares the container's
    /// @throws IOException what is mounted by now is not what was meant; the message is for people
    void compareSources(Path base) throws IOException {
        try (var newRoot = OpenDirectory.of(base.resolve("newroot"));
                var aside = OpenDirectory.of(base.resolve("aside"))) {
            for (var held : all) {
                int number = inner.indexOf(held);
                if (number < 0) {
                    compare(held, newRoot, held.target);
                } else {
                    compare(held, aside, Integer.toString(number));
                }
            }
        }
    }

    /// @param newRoot what is to be the container's root, with all its mounts
    /// @throws IOException they are not those that were meant; the message is for people
    void compare(Path newRoot) throws IOException {
        try (var made = OpenDirectory.of(newRoot)) {
            for (var held : all) {
                compare(held, made, held.target);
            }
        }
    }

    private static void compare(Held held, OpenDirectory root, String path) throws IOException {
        var found = root.asRoot(path);
        if (found.isPresent() && held.source.isPresent()) {
            try (var there = found.get()) {
                var facts = there.facts();
                if (facts.mounted()
                        && facts.identity().equals(held.source.get().facts().identity())) {
                    return;
                }
            }
        }
        throw new IOException("what is mounted at " + JailText.shown(held.mount.target())
                + " is not what was to be mounted there: somebody changed the volume while the container was starting");
    }

    @Override
    public void close() {
        all.forEach(held -> held.source.ifPresent(OpenDirectory::close));
        all.clear();
    }
}
