package dev.towtank.node.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Starts a program in a session of its own with nothing of this process but what is handed to it. By
/// `posix_spawn`, which neither copies our address space nor needs a helper program.
public final class Spawn {

    private static final int FIRST_SAFE = 32;
    private static final int SETSIGDEF = 0x04;
    private static final int SETSIGMASK = 0x08;
    private static final int SETSID = 0x80;
    private static final int O_RDWR = 2;

    private static final Linker LINKER = Linker.nativeLinker();

    /// One shape for all of them, as each takes long to link: what a function has no parameter for it does not look at,
    /// and of an `int` it looks at the lower half.
    @SuppressWarnings("restricted") // the launcher allows native access
    private static final MethodHandle FUNCTION = LINKER.downcallHandle(
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    private static final MemorySegment SPAWN = function("posix_spawn");
    private static final MemorySegment ACTIONS_INIT = function("posix_spawn_file_actions_init");
    private static final MemorySegment ACTIONS_DESTROY = function("posix_spawn_file_actions_destroy");
    private static final MemorySegment DUP2 = function("posix_spawn_file_actions_adddup2");
    private static final MemorySegment OPEN = function("posix_spawn_file_actions_addopen");
    private static final MemorySegment CHANGE_DIRECTORY = function("posix_spawn_file_actions_addchdir_np");
    private static final MemorySegment CLOSE_FROM = function("posix_spawn_file_actions_addclosefrom_np");
    private static final MemorySegment ATTRIBUTES_INIT = function("posix_spawnattr_init");
    private static final MemorySegment ATTRIBUTES_DESTROY = function("posix_spawnattr_destroy");
    private static final MemorySegment FLAGS = function("posix_spawnattr_setflags");
    private static final MemorySegment SIGNALS = function("posix_spawnattr_setsigdefault");

    private Spawn() {}

    /// @param program an absolute path
    /// @param environment complete, as `NAME=value`
    /// @param descriptors ours, that become the child's 0, 1, 2 and so on; all others are closed there
    /// @param terminal when given, it is the child's 0, 1, 2, though not yet its controlling terminal, and
    ///     `descriptors` follow
    /// @param groundwork what is done before
    public record Program(
            Path program,
            List<String> arguments,
            List<String> environment,
            List<Integer> descriptors,
            Optional<Path> terminal,
            Optional<Path> directory,
            Optional<Groundwork> groundwork) {

        public Program(
                Path program,
                List<String> arguments,
                List<String> environment,
                List<Integer> descriptors,
                Optional<Path> terminal,
                Optional<Path> directory) {
            this(program, arguments, environment, descriptors, terminal, directory, Optional.empty());
        }
    }

    /// The process id of the new child. It must be reaped, see [Processes#reap].
    ///
    /// @throws LinuxException the program is not there or may not be executed
    public static int start(Program program) throws IOException {
        if (program.groundwork().isPresent()) {
            return program.groundwork().get().start(program);
        }
        var moved = new ArrayList<Integer>();
        try (var arena = Arena.ofConfined()) {
            var actions = arena.allocate(256, 16);
            var attributes = arena.allocate(512, 16);
            check(call(ACTIONS_INIT, actions.address()));
            check(call(ATTRIBUTES_INIT, attributes.address()));
            try {
                describe(program, actions.address(), moved, arena);
                var all = arena.allocate(128, 8).fill((byte) 0xff);
                check(call(SIGNALS, attributes.address(), all.address()));
                check(call(FLAGS, attributes.address(), SETSID | SETSIGMASK | SETSIGDEF));
                var pid = arena.allocate(JAVA_INT);
                int error = call(
                        SPAWN,
                        pid.address(),
                        Call.text(arena, program.program().toString()),
                        actions.address(),
                        attributes.address(),
                        texts(arena, program.arguments()).address(),
                        texts(arena, program.environment()).address());
                if (error != 0) {
                    throw new LinuxException("start " + program.program(), error);
                }
                return pid.get(JAVA_INT, 0);
            } finally {
                check(call(ACTIONS_DESTROY, actions.address()));
                check(call(ATTRIBUTES_DESTROY, attributes.address()));
            }
        } finally {
            moved.forEach(Descriptors::close);
        }
    }

    private static void describe(Program program, long actions, List<Integer> moved, Arena arena) throws IOException {
        int next = 0;
        if (program.terminal().isPresent()) {
            var path = Call.text(arena, program.terminal().get().toString());
            check(call(OPEN, actions, 0, path, O_RDWR | Descriptors.NO_CONTROLLING_TERMINAL, 0));
            check(call(DUP2, actions, 0, 1));
            check(call(DUP2, actions, 0, 2));
            next = 3;
        }
        for (int ours : program.descriptors()) {
            int from = ours;
            if (from < FIRST_SAFE) { // else one of the child's numbers could overwrite it before its turn
                from = Descriptors.duplicate(ours, FIRST_SAFE);
                moved.add(from);
            }
            check(call(DUP2, actions, from, next++));
        }
        check(call(CLOSE_FROM, actions, next));
        if (program.directory().isPresent()) {
            var path = Call.text(arena, program.directory().get().toString());
            check(call(CHANGE_DIRECTORY, actions, path));
        }
    }

    private static MemorySegment texts(Arena arena, List<String> values) {
        var array = arena.allocate(ADDRESS, values.size() + 1L);
        for (int i = 0; i < values.size(); i++) {
            array.setAtIndex(ADDRESS, i, arena.allocateFrom(values.get(i)));
        }
        array.setAtIndex(ADDRESS, values.size(), MemorySegment.NULL);
        return array;
    }

    private static void check(int error) throws LinuxException {
        if (error != 0) {
            throw new LinuxException("posix_spawn", error);
        }
    }

    /// What a function returns as its `int`.
    private static int call(MemorySegment function, long... arguments) {
        var a = Arrays.copyOf(arguments, 6);
        try {
            return (int) (long) FUNCTION.invokeExact(function, a[0], a[1], a[2], a[3], a[4], a[5]);
        } catch (Throwable t) {
            throw Call.sneaked(t);
        }
    }

    private static MemorySegment function(String name) {
        return LINKER.defaultLookup().findOrThrow(name);
    }
}
