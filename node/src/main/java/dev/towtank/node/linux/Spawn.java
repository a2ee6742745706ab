package dev.towtank.node.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.ArrayList;
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

    private static final MethodHandle SPAWN =
            function("posix_spawn", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    private static final MethodHandle ACTIONS_INIT = function("posix_spawn_file_actions_init", JAVA_INT, ADDRESS);
    private static final MethodHandle ACTIONS_DESTROY = function("posix_spawn_file_actions_destroy", JAVA_INT, ADDRESS);
    private static final MethodHandle DUP2 =
            function("posix_spawn_file_actions_adddup2", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle OPEN = function(
            "posix_spawn_file_actions_addopen", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle CHANGE_DIRECTORY =
            function("posix_spawn_file_actions_addchdir_np", JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle CLOSE_FROM =
            function("posix_spawn_file_actions_addclosefrom_np", JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle ATTRIBUTES_INIT = function("posix_spawnattr_init", JAVA_INT, ADDRESS);
    private static final MethodHandle ATTRIBUTES_DESTROY = function("posix_spawnattr_destroy", JAVA_INT, ADDRESS);
    private static final MethodHandle FLAGS = function("posix_spawnattr_setflags", JAVA_INT, ADDRESS, JAVA_SHORT);
    private static final MethodHandle SIGNALS = function("posix_spawnattr_setsigdefault", JAVA_INT, ADDRESS, ADDRESS);

    private Spawn() {}

    /// @param program an absolute path
    /// @param environment complete, as `NAME=value`
    /// @param descriptors ours, that become the child's 0, 1, 2 and so on; all others are closed there
    /// @param terminal when given, it is the child's 0, 1, 2, though not yet its controlling terminal, and `descriptors` follow
    public record Program(
            Path program,
            List<String> arguments,
            List<String> environment,
            List<Integer> descriptors,
            Optional<Path> terminal,
            Optional<Path> directory) {}

    /// The process id of the new child. It must be reaped, see [Processes#reap].
    ///
    /// @throws LinuxException the program is not there or may not be executed
    public static int start(Program program) throws IOException {
        var moved = new ArrayList<Integer>();
        try (var arena = Arena.ofConfined()) {
            var actions = arena.allocate(256, 16);
            var attributes = arena.allocate(512, 16);
            check((int) ACTIONS_INIT.invokeExact(actions));
            check((int) ATTRIBUTES_INIT.invokeExact(attributes));
            try {
                describe(program, actions, moved, arena);
                var all = arena.allocate(128, 8).fill((byte) 0xff);
                check((int) SIGNALS.invokeExact(attributes, all));
                check((int) FLAGS.invokeExact(attributes, (short) (SETSID | SETSIGMASK | SETSIGDEF)));
                var pid = arena.allocate(JAVA_INT);
                int error = (int) SPAWN.invokeExact(
                        pid,
                        arena.allocateFrom(program.program().toString()),
                        actions,
                        attributes,
                        texts(arena, program.arguments()),
                        texts(arena, program.environment()));
                if (error != 0) {
                    throw new LinuxException("start " + program.program(), error);
                }
                return pid.get(JAVA_INT, 0);
            } finally {
                check((int) ACTIONS_DESTROY.invokeExact(actions));
                check((int) ATTRIBUTES_DESTROY.invokeExact(attributes));
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable t) {
            throw Call.sneaked(t);
        } finally {
            moved.forEach(Descriptors::close);
        }
    }

    private static void describe(Program program, MemorySegment actions, List<Integer> moved, Arena arena)
            throws Throwable {
        int next = 0;
        if (program.terminal().isPresent()) {
            var path = arena.allocateFrom(program.terminal().get().toString());
            check((int) OPEN.invokeExact(actions, 0, path, O_RDWR | Descriptors.NO_CONTROLLING_TERMINAL, 0));
            check((int) DUP2.invokeExact(actions, 0, 1));
            check((int) DUP2.invokeExact(actions, 0, 2));
            next = 3;
        }
        for (int ours : program.descriptors()) {
            int from = ours;
            if (from < FIRST_SAFE) { // else one of the child's numbers could overwrite it before its turn
                from = Descriptors.duplicate(ours, FIRST_SAFE);
                moved.add(from);
            }
            check((int) DUP2.invokeExact(actions, from, next++));
        }
        check((int) CLOSE_FROM.invokeExact(actions, next));
        if (program.directory().isPresent()) {
            var path = arena.allocateFrom(program.directory().get().toString());
            check((int) CHANGE_DIRECTORY.invokeExact(actions, path));
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

    private static MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
        var linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
    }
}
