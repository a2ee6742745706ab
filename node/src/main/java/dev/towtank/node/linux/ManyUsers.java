package dev.towtank.node.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// User namespaces for containers in which there are many users, by [subordinate ids][SubordinateIds]. They are made
/// when the first container wants them, and shared by all: what keeps containers apart are their other namespaces.
public final class ManyUsers implements AutoCloseable {

    private static final int NEW_USER = 0x10000000;
    private static final int OWN_DESCRIPTORS = 0x400;
    private static final int HERE = -100; // AT_FDCWD
    private static final int WRITE_ONLY = 1 | 0x80000;
    private static final int FIRST_SAFE = 64;
    private static final int KILL = 9;
    private static final String WAITING = "echo; read -r _";

    private final SubordinateIds ids;

    // Guarded by this object's monitor.
    private final Map<String, World> worlds = new HashMap<>();

    private ManyUsers(SubordinateIds ids) {
        this.ids = ids;
    }

    /// @param base in which whoever makes a container's mounts must be; empty where that is the server's own
    /// @param outer to which all other namespaces of a container belong
    /// @param inner inside of it, in which a container's processes are: their rights are over what is theirs
    public record World(OptionalInt base, int outer, int inner) {}

    /// Tries it.
    ///
    /// @throws IOException it does not work; the message says why, and what to do
    public static ManyUsers find() throws IOException {
        var all = new ManyUsers(SubordinateIds.find());
        all.world(OptionalInt.empty());
        return all;
    }

    /// Those that the server may give away, if there are any.
    public static Optional<SubordinateIds> known() {
        try {
            return Optional.of(SubordinateIds.find());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    public SubordinateIds ids() {
        return ids;
    }

    /// @param network the user namespace of the container's network, when that is another than the server's own
    public synchronized World world(OptionalInt network) throws IOException {
        var key = network.isEmpty() ? "" : name(network.getAsInt());
        var known = worlds.get(key);
        if (known == null) {
            known = make(network);
            worlds.put(key, known);
        }
        return known;
    }

    private static String name(int namespace) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/self/fd/" + namespace)).toString();
    }

    private World make(OptionalInt network) throws IOException {
        boolean root = Processes.user() == 0;
        var base = root || network.isPresent() ? network : OptionalInt.of(namespace(OptionalInt.empty(), ids::give));
        int outer = namespace(base, process -> {
            write(base, process, "uid_map", map(Processes.user(), ids.users()));
            write(base, process, "gid_map", map(Processes.group(), ids.groups()));
        });
        int inner = namespace(OptionalInt.of(outer), process -> {
            write(
                    OptionalInt.of(outer),
                    process,
                    "uid_map",
                    map(0, new SubordinateIds.Range(1, ids.users().count())));
            write(
                    OptionalInt.of(outer),
                    process,
                    "gid_map",
                    map(0, new SubordinateIds.Range(1, ids.groups().count())));
        });
        // Nobody in there makes one more.
        var _ = file(OptionalInt.of(outer), "/proc/sys/user/max_user_namespaces", "1")
                .run();
        return new World(base, outer, inner);
    }

    private static String map(int own, SubordinateIds.Range range) {
        return "0 %d 1\n1 %d %d\n".formatted(own, range.first(), range.count());
    }

    @FunctionalInterface
    private interface Mapping {
        void map(int process) throws IOException;
    }

    /// Only from outside can more than one id be given, so a process waits in there for it.
    ///
    /// @param around in which it is made
    private static int namespace(OptionalInt around, Mapping mapping) throws IOException {
        var input = Descriptors.pipe();
        var output = Descriptors.pipe();
        try {
            int waiting = waiting(around, input.readEnd(), output.writeEnd());
            try {
                Descriptors.close(output.writeEnd());
                awaitWord(output.readEnd());
                mapping.map(waiting);
                return Descriptors.open(Path.of("/proc/" + waiting + "/ns/user"), 0, 0);
            } finally {
                Processes.signal(waiting, KILL);
                var _ = Processes.await(waiting);
            }
        } finally {
            for (int each : List.of(input.readEnd(), input.writeEnd(), output.readEnd())) {
                Descriptors.close(each);
            }
        }
    }

    /// Until it says something its files in `/proc` are root's.
    private static void awaitWord(int output) throws IOException {
        try (var arena = Arena.ofConfined()) {
            if (Descriptors.read(output, arena.allocate(1)) != 1) {
                throw new IOException("a process that should wait in a user namespace has ended");
            }
        }
    }

    private static int waiting(OptionalInt around, int input, int output) throws IOException {
        int safeInput = Descriptors.duplicate(input, FIRST_SAFE); // else it could be replaced before its turn
        int safeOutput = Descriptors.duplicate(output, FIRST_SAFE);
        try {
            var envoy = new Envoy().then("have descriptors of its own", Call.UNSHARE, OWN_DESCRIPTORS);
            around.ifPresent(it -> envoy.then("enter a user namespace", Call.SETNS, it, NEW_USER));
            return envoy.then("make a user namespace", Call.UNSHARE, NEW_USER)
                    .then("hand over a descriptor", Call.DUP3, safeInput, 0, 0)
                    .then("hand over a descriptor", Call.DUP3, safeOutput, 1, 0)
                    .then("close the others", Call.CLOSE_RANGE, 2, 0xffff_ffffL, 0)
                    .then("let signals in", Call.RT_SIGPROCMASK, 2, new byte[8], 0, 8)
                    .then("start a shell", Call.EXECVE, "/bin/sh", List.of("sh", "-c", WAITING), List.of())
                    .start();
        } finally {
            Descriptors.close(safeInput);
            Descriptors.close(safeOutput);
        }
    }

    private static void write(OptionalInt around, int process, String name, String text) throws IOException {
        var file = "/proc/" + process + "/" + name;
        if (around.isEmpty()) {
            Files.writeString(Path.of(file), text);
        } else {
            var _ = file(around, file, text).run();
        }
    }

    private static Envoy file(OptionalInt namespace, String file, String text) {
        var bytes = text.getBytes(StandardCharsets.US_ASCII);
        return new Envoy()
                .then("have descriptors of its own", Call.UNSHARE, OWN_DESCRIPTORS)
                .then("enter a user namespace", Call.SETNS, namespace.orElseThrow(), NEW_USER)
                .then("open " + file, Call.OPENAT, HERE, file, WRITE_ONLY, 0)
                .then("write " + file, Call.WRITE, new Envoy.Gave(2), bytes, bytes.length);
    }

    @Override
    public synchronized void close() {
        for (var world : worlds.entrySet()) {
            if (world.getKey().isEmpty()) {
                world.getValue().base.ifPresent(Descriptors::close);
            }
            Descriptors.close(world.getValue().outer);
            Descriptors.close(world.getValue().inner);
        }
        worlds.clear();
    }
}
