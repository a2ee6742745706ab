package dev.towtank.node.sandbox;

import dev.towtank.node.images.Image;
import dev.towtank.node.linux.NetworkNamespace;
import dev.towtank.node.linux.SpawningThread;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Everything that makes a container, ready to be started.
///
/// @param id unique among all containers of this sandbox, for ever
/// @param directory of this one run, for what is needed while it runs; it is created, and belongs to the sandbox
/// @param log the directory of its log, which is created with the first output and not deleted here
/// @param command what runs
/// @param view what it finds around itself
/// @param bounds who it is, and what it may use
/// @param streams what goes in and comes out
public record ContainerSpec(
        String id, Path directory, Path log, Command command, View view, Bounds bounds, Streams streams) {

    private static final int MOST_WILLING = 1000;

    /// @param arguments command and arguments; the first is looked up in the environment's `PATH` when it has no
    ///     slash
    /// @param environment complete, the image's own included
    /// @param workingDirectory created when missing
    /// @param init a process of the sandbox is process 1 and the command is not, so a signal that the command
    ///     does not handle ends it. Without, the command is process 1 as in any container engine
    public record Command(
            Image image,
            List<String> arguments,
            Map<String, String> environment,
            String workingDirectory,
            boolean init) {

        public Command {
            if (arguments.isEmpty()) {
                throw new IllegalArgumentException("a container needs a command");
            }
            arguments = List.copyOf(arguments);
            environment = Map.copyOf(environment);
        }

        @Override
        public String toString() {
            return "Command[" + image.name() + "]"; // the environment has secrets
        }
    }

    /// @param hosts the file that becomes `/etc/hosts`
    /// @param hostname at most 63 bytes
    public record View(
            List<Mount> mounts, Optional<Path> hosts, String hostname, Network network, boolean readOnlyRoot) {

        public View {
            mounts = List.copyOf(mounts);
        }
    }

    /// @param calls what it may ask of the kernel
    /// @param rights over files and users, such as `CHOWN`, for a root that has others beside it; alone, it gets
    ///     none
    /// @param alone all that it writes belongs to the server's user, whoever it is and becomes: it has no others
    public record Bounds(User user, Limits limits, Calls calls, Set<String> rights, boolean alone) {
        public Bounds {
            rights = Set.copyOf(rights);
        }
    }

    /// @param stdin the process has an input that [Sandbox#attach] writes to; otherwise it is empty
    /// @param tty the process has a terminal
    /// @param masked secret values that the log must not show
    /// @param stdoutCopy a host file that gets a copy of standard output; no part of its path may be a symbolic
    ///     link
    public record Streams(
            boolean stdin, boolean tty, List<String> masked, Optional<Path> stdoutCopy, Optional<Path> stderrCopy) {

        /// None goes in, and what comes out is no secret.
        public static final Streams PLAIN = new Streams(false, false, List.of(), Optional.empty(), Optional.empty());

        public Streams {
            masked = List.copyOf(masked);
        }

        /// Whether its two outputs must be told from one another.
        boolean areApart() {
            return stdoutCopy.isPresent() || stderrCopy.isPresent();
        }

        @Override
        public String toString() {
            return "Streams"; // masked values are secrets
        }
    }

    /// A file or directory of this machine at a place in the container, also a termination message file. It must exist.
    ///
    /// @param volume its path has no link that a container could have made
    /// @param inside the way from there, which is followed through no link at all, as containers may
    ///     make them there; empty for the volume itself
    public record Mount(Path volume, String inside, String target, boolean readOnly) {

        public Mount(Path volume, String target, boolean readOnly) {
            this(volume, "", target, readOnly);
        }

        /// To name it: whoever opens it goes from the volume on by descriptors.
        public Path source() {
            return volume.resolve(inside);
        }
    }

    /// Which system calls there are for a container.
    public enum Calls {
        /// Without those that no container needs.
        FILTERED,
        /// Those by which images are built as well: it may make mounts of its own, and has rights over these.
        BUILDING,
        ALL
    }

    /// What the container reaches beyond itself.
    public sealed interface Network {
        record None() implements Network {}

        record Machine() implements Network {}

        /// @param of is open until the container has started
        /// @param resolver the content of its `/etc/resolv.conf`
        record Own(NetworkNamespace of, String resolver) implements Network {}

        /// In which whoever makes the container must be.
        default Optional<NetworkNamespace> namespace() {
            return this instanceof Own own ? Optional.of(own.of()) : Optional.empty();
        }

        /// Where the thread that starts it has to be.
        default Optional<SpawningThread.Place> place() {
            return namespace().flatMap(NetworkNamespace::place);
        }
    }

    /// Who the process believes to be. Without, what the image says, or root.
    ///
    /// @param groups further ones, where it is not alone
    public record User(Optional<Integer> uid, Optional<Integer> gid, List<Integer> groups) {
        public User {
            groups = List.copyOf(groups);
        }

        public static User ofImage() {
            return new User(Optional.empty(), Optional.empty(), List.of());
        }
    }

    /// @param memoryBytes of all processes of the container together where cgroups allow, else of each
    /// @param cpuMillis thousandths of a processor
    /// @param processes without: the sandbox's own bound, for there always is one
    /// @param rootBytes how much may be written outside of mounts; without: the sandbox's own bound
    /// @param outOfMemoryScore how gladly the kernel ends it when the machine has no memory left, from 0 to 1000
    public record Limits(
            OptionalLong memoryBytes,
            OptionalLong cpuMillis,
            OptionalLong processes,
            OptionalLong rootBytes,
            int outOfMemoryScore) {

        public Limits(
                OptionalLong memoryBytes, OptionalLong cpuMillis, OptionalLong processes, OptionalLong rootBytes) {
            this(memoryBytes, cpuMillis, processes, rootBytes, MOST_WILLING);
        }

        public static Limits none() {
            return new Limits(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
        }
    }

    public ContainerTrace trace() {
        return new ContainerTrace(id, directory, log, streams.masked());
    }

    @Override
    public String toString() {
        return "ContainerSpec[" + id + "]";
    }
}
