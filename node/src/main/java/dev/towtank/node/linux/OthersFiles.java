package dev.towtank.node.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/// What belongs to users of containers and not to the server's own: it has rights over it all the same, as the ids are
/// its to give. A root needs no way of its own for that; anybody else sends an [Envoy] into a user namespace with these
/// ids, where that one is root. So each call is dear, and for what the kernel has refused otherwise.
final class OthersFiles {

    private static final int NEW_USER = 0x10000000;
    private static final int OWN_DESCRIPTORS = 0x400;
    private static final int EMPTY_PATH = 0x1000; // AT_EMPTY_PATH

    private static final int WANTED = 0x4 | 0x100 | 0x400; // STATX_NLINK, STATX_INO, STATX_BLOCKS
    private static final int STATX_SIZE = 256;
    private static final int NAMES_OFFSET = 16;
    private static final int INODE_OFFSET = 32;
    private static final int BLOCKS_OFFSET = 48;
    private static final long BLOCK = 512;
    private static final int LONGEST_NUMBER = 16;
    private static final int MOST_TEXT = 4096;
    private static final int MOST_NAMELESS = 2000;

    private OthersFiles() {}

    private static final class Way {
        /// Empty where there are no such ids, or no need.
        private static final OptionalInt IN = find();

        private static OptionalInt find() {
            if (Processes.user() == 0) {
                return OptionalInt.empty();
            }
            try {
                return OptionalInt.of(ManyUsers.base(SubordinateIds.find()));
            } catch (IOException e) {
                return OptionalInt.empty();
            }
        }
    }

    /// The user namespace in which this is done, for as long as this process is there; empty for root.
    ///
    /// @throws IOException there are no ids, or no namespace can be made; the message says why
    static OptionalInt namespace() throws IOException {
        if (Processes.user() != 0 && Way.IN.isEmpty()) {
            ManyUsers.base(SubordinateIds.find());
        }
        return Way.IN;
    }

    /// @param arguments as an envoy takes them
    /// @return the call's result, or minus its error number
    static long call(Call call, Object... arguments) {
        try {
            var results = envoy().then("see to others' files", call, arguments).run();
            return results[results.length - 1];
        } catch (LinuxException e) {
            return -e.number();
        } catch (IOException e) {
            return -LinuxException.EIO;
        }
    }

    private static Envoy envoy() {
        var envoy = new Envoy();
        Way.IN.ifPresent(it -> envoy.then("enter a user namespace", Call.SETNS, it, NEW_USER));
        return envoy;
    }

    /// @param file that is there
    static void write(Path file, String text) throws IOException {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        var envoy = envoy().then("have descriptors of its own", Call.UNSHARE, OWN_DESCRIPTORS)
                .then("open " + file, Call.OPENAT, FileFlags.HERE, file.toString(), Descriptors.WRITE_ONLY, 0);
        var _ = envoy.then("write " + file, Call.WRITE, new Envoy.Gave(envoy.lines() - 1), bytes, bytes.length)
                .run();
    }

    /// Whether there are any to whom this process has rights in this way only.
    static boolean areThere() {
        return Way.IN.isPresent();
    }

    /// Whether a call that the kernel has refused is worth a second try.
    static boolean mayHelp(long refused) {
        return (refused == -LinuxException.EACCES || refused == -LinuxException.EPERM) && areThere();
    }

    /// @return its descriptor, or minus an error number
    static long open(Arena arena, int directory, long name, int flags) {
        long opened = Call.OPENAT.raw(arena, directory, name, flags, 0, 0);
        return mayHelp(opened) ? call(Call.OPENAT, directory, name, flags, 0) : opened;
    }

    /// Makes it the server's own.
    static long take(int file) {
        return call(Call.FCHOWNAT, file, "", Processes.user(), Processes.group(), EMPTY_PATH);
    }

    /// What the kernel says of many files of a directory.
    ///
    /// @param names their addresses
    /// @param facts of each of them, one after the other
    /// @return of each zero, or minus an error number
    static long[] look(int directory, List<Long> names, int flags, int wanted, MemorySegment facts) throws IOException {
        var looked = new long[names.size()];
        for (int next = 0; next < looked.length; ) {
            var envoy = envoy();
            int before = envoy.lines();
            for (int i = next; i < looked.length; i++) {
                long place = facts.address() + (long) i * STATX_SIZE;
                envoy.then("look at others' files", Call.STATX, directory, names.get(i), flags, wanted, place);
            }
            var results = envoy.attempt();
            for (int i = before; i < results.length && results[i] != Envoy.NOT_REACHED; i++) {
                looked[next++] = results[i];
            }
            if (results[before] == Envoy.NOT_REACHED) {
                throw new LinuxException("enter a user namespace", LinuxException.EIO);
            }
        }
        return looked;
    }

    /// @param group on the machine
    static long give(int file, long group) {
        try (var arena = Arena.ofConfined()) {
            long none = Call.text(arena, "");
            long given = Call.FCHOWNAT.raw(arena, file, none, -1, group, EMPTY_PATH);
            return mayHelp(given) ? call(Call.FCHOWNAT, file, "", -1, group, EMPTY_PATH) : given;
        }
    }

    /// A file that a process has open, and that has no name any more.
    ///
    /// @param about what `fdinfo` says
    record Nameless(long inode, long bytes, String about) {}

    /// @param thread in `/proc`
    static List<Nameless> nameless(Path thread) throws IOException {
        var found = new ArrayList<Nameless>();
        int flags = FileFlags.DIRECTORY | FileFlags.CLOEXEC;
        var place = thread.resolve("fd").toString();
        long opened = call(Call.OPENAT, FileFlags.HERE, place, flags, 0);
        int directory = (int) Call.checked(opened, "open", place);
        try (var arena = Arena.ofConfined()) {
            var entries = new DirectoryEntries(arena, directory);
            while (found.size() < MOST_NAMELESS && entries.read() > 0) {
                addNameless(thread, directory, entries.names(), found);
            }
        } finally {
            Descriptors.close(directory);
        }
        return found;
    }

    private static void addNameless(Path thread, int directory, List<Long> names, List<Nameless> found)
            throws IOException {
        try (var arena = Arena.ofConfined()) {
            var facts = arena.allocate((long) names.size() * STATX_SIZE, 8);
            var looked = look(directory, names, 0, WANTED, facts);
            for (int i = 0; i < looked.length; i++) {
                var one = facts.asSlice((long) i * STATX_SIZE, STATX_SIZE);
                if (looked[i] == 0 && one.get(ValueLayout.JAVA_INT, NAMES_OFFSET) == 0) {
                    found.add(new Nameless(
                            one.get(ValueLayout.JAVA_LONG, INODE_OFFSET),
                            one.get(ValueLayout.JAVA_LONG, BLOCKS_OFFSET) * BLOCK,
                            text(thread.resolve("fdinfo").resolve(number(names.get(i))))));
                }
            }
        }
    }

    @SuppressWarnings("restricted") // the launcher allows native access
    private static String number(long name) {
        return MemorySegment.ofAddress(name).reinterpret(LONGEST_NUMBER).getString(0);
    }

    private static String text(Path file) throws IOException {
        int flags = FileFlags.CLOEXEC;
        long opened = call(Call.OPENAT, FileFlags.HERE, file.toString(), flags, 0);
        try (var open = new ReadFile((int) Call.checked(opened, "open", file.toString()))) {
            return new String(open.bytes(MOST_TEXT), StandardCharsets.US_ASCII);
        }
    }
}
