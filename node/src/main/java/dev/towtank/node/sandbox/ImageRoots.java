package dev.towtank.node.sandbox;

import dev.towtank.node.images.Image;
import dev.towtank.node.images.store.FileOwners;
import dev.towtank.node.images.store.LayeredCopy;
import dev.towtank.node.images.store.LayeredFiles;
import dev.towtank.node.images.store.UnpackLimits;
import dev.towtank.node.linux.DiskUsage;
import dev.towtank.node.linux.FileTree;
import dev.towtank.node.linux.Groundwork;
import dev.towtank.node.linux.SubordinateIds;
import dev.towtank.node.linux.UnlinkedFiles;
import dev.towtank.node.sandbox.machine.MachineView;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Pattern;

/// Makes one root of the layers of an image for each container, which it may write to and nobody else has.
sealed interface ImageRoots {

    /// Where bubblewrap finds it.
    Path place(ContainerSpec spec);

    /// @return what the container's monitor still has to do before it is bubblewrap
    /// @throws IOException it cannot be made; the message is for people
    Optional<Groundwork.Layers> make(ContainerSpec spec, Optional<Users> users) throws IOException;

    /// For a container with one user.
    default Optional<Groundwork.Layers> make(ContainerSpec spec) throws IOException {
        return make(spec, Optional.empty());
    }

    /// The users of a container that has several.
    ///
    /// @param rights of whoever puts the layers over each other
    record Users(SubordinateIds ids, Groundwork.Rights rights, List<FileOwners.Owner> owners) {

        List<Groundwork.Owner> onMachine() {
            return owners.stream()
                    .filter(it -> ids.have(it.user(), it.group()))
                    .map(it -> new Groundwork.Owner(it.path(), ids.user(it.user()), ids.group(it.group())))
                    .toList();
        }
    }

    static LayeredFiles files(ContainerSpec spec) throws IOException {
        if (spec.command().image().root() instanceof Image.Root.Layers(var files, var _)) {
            return files;
        }
        throw new IOException("the image has no layers");
    }

    /// Puts the layers of an image and a writable one over each other, which this bubblewrap cannot. It is done in
    /// a mount namespace of the container's monitor, so the mounts end with it whatever becomes of the server, and
    /// nobody else sees them; where the server is not root, in a user namespace as well. The writable layer is in
    /// memory, and bounded.
    final class Overlaid implements ImageRoots {

        private static final String LAYER = "layer";
        private static final String IMAGE = "image";

        /// The container's directory, the size and the options are arguments of their own, so none is a command.
        private static final String SCRIPT = """
                said=$( {
                  cd "$1" &&
                  mount -n -t tmpfs -o "size=$2,mode=0755" tmpfs layer &&
                  mkdir layer/upper layer/work layer/root &&
                  mount -n -t overlay -o "$3" overlay layer/root
                } 2>&1 ) || {
                  echo "bwrap: the layers of the image cannot be put over each other: $said" >&2
                  exit 1
                }
                shift 3
                exec "$@"
                """;

        private final MachineView machine;

        Overlaid(MachineView machine) {
            this.machine = machine;
        }

        /// What does the same as a command.
        static Path program() throws IOException {
            return MachineView.program("unshare")
                    .orElseThrow(
                            () -> new IOException("real images need the program unshare, of the package util-linux"));
        }

        @Override
        public Path place(ContainerSpec spec) {
            return spec.directory().resolve(LAYER).resolve("root");
        }

        @Override
        public Optional<Groundwork.Layers> make(ContainerSpec spec, Optional<Users> users) throws IOException {
            var files = ImageRoots.files(spec);
            // With these two names the kernel's page of options holds many layers, whatever the path to the data is.
            Files.createDirectories(spec.directory().resolve(LAYER));
            Files.createSymbolicLink(spec.directory().resolve(IMAGE), files.root());
            var alone = machine.root() ? new Groundwork.Rights.Had() : new Groundwork.Rights.Made();
            return Optional.of(new Groundwork.Layers(
                    spec.directory(),
                    JailArguments.rootBytes(spec, machine),
                    options(files),
                    users.map(Users::rights).orElse(alone),
                    users.map(Users::onMachine).orElse(List.of())));
        }

        /// A command that does the same and becomes bubblewrap then, for a process that waits already.
        static List<String> around(MachineView machine, Groundwork.Layers layers, Path bubblewrap, List<String> line) {
            var all = new ArrayList<>(List.of("unshare", "--mount"));
            if (layers.rights() instanceof Groundwork.Rights.Made) {
                all.addAll(List.of("--user", "--map-root-user"));
            }
            all.addAll(List.of("--", machine.shell().toString(), "-c", SCRIPT, "towtank-root"));
            all.addAll(List.of(layers.directory().toString(), Long.toString(layers.bytes()), layers.options()));
            all.add(bubblewrap.toString());
            all.addAll(line.subList(1, line.size()));
            return all;
        }

        private static String options(LayeredFiles files) {
            var lower =
                    files.upperFirst().stream().map(name -> IMAGE + "/" + name).toList();
            return "userxattr,lowerdir=" + String.join(":", lower) + ",upperdir=layer/upper,workdir=layer/work";
        }
    }

    /// Copies the files of an image for each container, where the kernel cannot put layers over each other. The
    /// copies are on the disk, in a directory of this start of the machine: no container outlives that, and what
    /// the next server finds of an earlier one goes.
    ///
    /// No kernel bounds what is written there, so somebody has to look now and then: see [#overfull].
    final class Copied implements ImageRoots, AutoCloseable {

        private static final System.Logger LOG = System.getLogger(Copied.class.getName());

        private static final String ROOT = "root";
        private static final String BOUND = "bound";
        private static final String GONE = ".gone-";

        /// A file with a set-user-ID bit would be one for everybody who finds it.
        private static final String OURS_ALONE = "rwx------";

        private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

        private final Path home;
        private final MachineView machine;
        private final UnpackLimits limits;

        // One after the other, as nobody waits for it.
        private final ExecutorService removing = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("copied-roots").daemon().factory());

        private volatile boolean used;

        /// @param all a directory for nothing else, the same after each restart of the server
        /// @param boot which start of the machine this is
        Copied(Path all, String boot, MachineView machine, UnpackLimits limits) throws IOException {
            this.home = all.resolve(boot);
            this.machine = machine;
            this.limits = limits;
            this.used = Files.isDirectory(home);
            if (Files.isDirectory(all)) {
                sweep(all);
            }
        }

        private void sweep(Path all) throws IOException {
            try (var boots = Files.newDirectoryStream(all)) {
                for (var each : boots) {
                    if (!each.equals(home)) {
                        remove(each);
                    }
                }
            }
            if (used) {
                try (var left = Files.newDirectoryStream(home, GONE + "*")) {
                    left.forEach(this::remove);
                }
            }
        }

        @Override
        public Path place(ContainerSpec spec) {
            return of(spec.id()).resolve(ROOT);
        }

        private Path of(String id) {
            if (!ID.matcher(id).matches()) {
                throw new IllegalArgumentException("no directory can have the name " + JailText.shown(id));
            }
            return home.resolve(id);
        }

        @Override
        public Optional<Groundwork.Layers> make(ContainerSpec spec, Optional<Users> users) throws IOException {
            discard(spec.id()); // an earlier server may have died over it
            makePrivate(home);
            used = true;
            var place = place(spec);
            Files.createDirectories(place);
            try {
                long taken = LayeredCopy.run(ImageRoots.files(spec), place, limits);
                var bound = new Bound(taken, JailArguments.rootBytes(spec, machine));
                Files.writeString(of(spec.id()).resolve(BOUND), bound.text());
            } catch (IOException e) {
                throw new IOException(
                        "the files of the image cannot be copied for the container: " + e.getMessage(), e);
            }
            return Optional.empty();
        }

        /// Also where a server was killed between the two steps.
        private static void makePrivate(Path directory) throws IOException {
            Files.createDirectories(directory);
            for (var each : List.of(directory, directory.toAbsolutePath().getParent())) {
                Files.setPosixFilePermissions(each, PosixFilePermissions.fromString(OURS_ALONE));
            }
        }

        /// @param taken by the image's own files
        /// @param more how much the container may write
        private record Bound(long taken, long more) {

            static Bound read(Path file) throws IOException {
                var numbers = Files.readString(file).split(" ", 2);
                return new Bound(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
            }

            String text() {
                return taken + " " + more;
            }

            long all() {
                return taken + more;
            }
        }

        /// How much a container may write to its root, if it has written more.
        ///
        /// @param first its first process, as it may hold files that have no name any more
        OptionalLong overfull(String id, OptionalInt first) {
            if (!used) {
                return OptionalLong.empty();
            }
            try {
                var bound = Bound.read(of(id).resolve(BOUND));
                var root = List.of(of(id).resolve(ROOT));
                long nameless = UnlinkedFiles.bytes(first.stream().boxed().toList(), root);
                return DiskUsage.exceeds(root, bound.all() - nameless)
                        ? OptionalLong.of(bound.more)
                        : OptionalLong.empty();
            } catch (IOException e) {
                return OptionalLong.empty(); // it has no copy, or has none any more
            }
        }

        /// The container has ended. What it wrote may be much, so it is deleted beside the work; under another
        /// name, as a new one may want its own.
        void discard(String id) {
            if (!used) {
                return;
            }
            var gone = home.resolve(GONE + UUID.randomUUID());
            try {
                Files.move(of(id), gone, StandardCopyOption.ATOMIC_MOVE);
                remove(gone);
            } catch (NoSuchFileException e) {
                // it had none
            } catch (IOException e) {
                LOG.log(Level.WARNING, "the root of container {0} is left: {1}", id, e.getMessage());
            }
        }

        private void remove(Path tree) {
            try {
                removing.execute(() -> delete(tree));
            } catch (RejectedExecutionException e) {
                // closed: the next server does it
            }
        }

        private static void delete(Path tree) {
            try {
                FileTree.delete(tree);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "{0} is left: {1}", tree, e.getMessage());
            }
        }

        /// Returns when everything is deleted that is to be.
        @Override
        public void close() {
            removing.close();
        }
    }
}
