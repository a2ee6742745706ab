package dev.towtank.node.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// User namespaces for containers in which there are many users, by [subordinate ids][SubordinateIds]. They are made
/// when the first container wants them, and shared by all that begin as the same user: what keeps containers apart are
/// their other namespaces. An id is the same in all of them.
public final class ManyUsers implements AutoCloseable {

    private static final int NEW_USER = 0x10000000;
    private static final int OWN_DESCRIPTORS = 0x400;
    private static final int HERE = -100; // AT_FDCWD
    private static final int WRITE_ONLY = 1 | 0x80000;
    private static final int FIRST_SAFE = 64;
    private static final int KILL = 9;
    private static final int MOST_ROOMS = 256;
    private static final String WAITING = "echo; read -r _";

    private final SubordinateIds ids;

    // Guarded by this object's monitor.
    private final Map<String, World> worlds = new HashMap<>();
    private final LinkedHashMap<Beginning, Rooms> rooms = new LinkedHashMap<>(16, 0.75f, true);

    private ManyUsers(SubordinateIds ids) {
        this.ids = ids;
    }

    /// For all containers of one network.
    ///
    /// @param base in which whoever makes a container's mounts must be; empty where that is the server's own
    /// @param outer in which bubblewrap begins
    public record World(OptionalInt base, int outer) {}

    /// @param user who a container begins as
    private record Beginning(World world, int user) {}

    /// @param own to which the other namespaces of a container belong, where it is not the outer one
    /// @param inner inside of it, in which a container's processes are: their rights are over what is theirs
    private record Rooms(OptionalInt own, int inner) {
        void close() {
            own.ifPresent(Descriptors::close);
            Descriptors.close(inner);
        }
    }

    /// Tries it.
    ///
    /// @throws IOException it does not work; the message says why, and what to do
    public static ManyUsers find() throws IOException {
        var all = new ManyUsers(SubordinateIds.find());
        var _ = all.rooms(new Beginning(all.world(OptionalInt.empty()), 0));
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
            var base = network.isPresent() ? network : OthersFiles.namespace();
            known = new World(base, namespace(base, 0, process -> give(base, process)));
            worlds.put(key, known);
        }
        return known;
    }

    /// One in which all are who they are outside, and whoever enters it from here has rights over them.
    static int base(SubordinateIds ids) throws IOException {
        return namespace(OptionalInt.empty(), 0, ids::give);
    }

    private static String name(int namespace) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/self/fd/" + namespace)).toString();
    }

    /// The user namespaces that bubblewrap has to enter for a container that begins as this user, one after the other.
    ///
    /// Root has rights in the outer one, and goes on from there. Somebody else has none, but over a namespace that
    /// he has made himself: so there is one of each.
    ///
    /// @return copies, the caller's to close
    public synchronized List<Integer> enter(World world, int user) throws IOException {
        var found = rooms(new Beginning(world, user));
        var copies = new ArrayList<Integer>();
        for (int each : found.own.isPresent() ? List.of(found.own.getAsInt(), found.inner) : List.of(found.inner)) {
            copies.add(Descriptors.duplicate(each, 0));
        }
        return copies;
    }

    private synchronized Rooms rooms(Beginning of) throws IOException {
        var known = rooms.get(of);
        if (known == null) {
            known = make(of);
            rooms.put(of, known);
            if (rooms.size() > MOST_ROOMS) { // who is in there keeps them
                var oldest = rooms.pollFirstEntry();
                oldest.getValue().close();
            }
        }
        return known;
    }

    private Rooms make(Beginning of) throws IOException {
        var outer = OptionalInt.of(of.world.outer);
        var own = of.user == 0
                ? OptionalInt.empty()
                : OptionalInt.of(namespace(outer, of.user, process -> keep(outer, process)));
        var around = own.isPresent() ? own : outer;
        int inner = namespace(around, 0, process -> keep(around, process));
        // Nobody in there makes one more.
        var _ = file(OptionalInt.of(inner), "/proc/sys/user/max_user_namespaces", "0")
                .run();
        return new Rooms(own, inner);
    }

    /// The server's user becomes root, and others follow.
    private void give(OptionalInt around, int process) throws IOException {
        write(around, process, "uid_map", map(Processes.user(), ids.users()));
        write(around, process, "gid_map", map(Processes.group(), ids.groups()));
    }

    /// All are inside who they are outside.
    private void keep(OptionalInt around, int process) throws IOException {
        var users = new SubordinateIds.Range(1, ids.users().count());
        var groups = new SubordinateIds.Range(1, ids.groups().count());
        write(around, process, "uid_map", map(0, users));
        write(around, process, "gid_map", map(0, groups));
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
    /// @param owner of it, of those around; 0 is whoever has rights there
    private static int namespace(OptionalInt around, int owner, Mapping mapping) throws IOException {
        var input = Descriptors.pipe();
        var output = Descriptors.pipe();
        try {
            int waiting = waiting(around, owner, input.readEnd(), output.writeEnd());
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

    private static int waiting(OptionalInt around, int owner, int input, int output) throws IOException {
        int safeInput = Descriptors.duplicate(input, FIRST_SAFE); // else it could be replaced before its turn
        int safeOutput = Descriptors.duplicate(output, FIRST_SAFE);
        try {
            var envoy = new Envoy().then("have descriptors of its own", Call.UNSHARE, OWN_DESCRIPTORS);
            if (owner == 0) {
                around.ifPresent(it -> envoy.then("enter a user namespace", Call.SETNS, it, NEW_USER));
            } else {
                new Groundwork.Becoming(around.orElseThrow(), owner, 0, List.of()).in(envoy);
            }
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
        rooms.values().forEach(Rooms::close);
        rooms.clear();
        worlds.values().forEach(world -> Descriptors.close(world.outer));
        worlds.clear();
    }
}
