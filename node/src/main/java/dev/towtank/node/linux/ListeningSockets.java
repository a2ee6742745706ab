package dev.towtank.node.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/// Where this process itself listens. Each of its descriptors is asked: the kernel's list of all sockets of the machine
/// takes
/// it tens of milliseconds.
public final class ListeningSockets {

    private static final Path OWN = Path.of("/proc/self/fd");
    private static final int SOCKETS = 1; // SOL_SOCKET
    private static final int LISTENS = 30; // SO_ACCEPTCONN
    private static final int FOURTH = 2;
    private static final int SIXTH = 10;
    private static final byte[] LOCAL = {127, 0, 0, 1};
    private static final byte[] LOCAL_AS_SIXTH = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 127, 0, 0, 1};

    private ListeningSockets() {}

    /// The ports of 127.0.0.1.
    public static Set<Integer> onLoopback() throws IOException {
        var ports = new TreeSet<Integer>();
        try (var descriptors = Files.newDirectoryStream(OWN);
                var arena = Arena.ofConfined()) {
            var answer = arena.allocate(32, 8);
            var length = arena.allocate(4, 4);
            for (var descriptor : descriptors) {
                int number = Integer.parseInt(descriptor.getFileName().toString());
                port(number, answer, length).ifPresent(ports::add);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return ports;
    }

    private static OptionalInt port(int descriptor, MemorySegment answer, MemorySegment length) {
        length.set(ValueLayout.JAVA_INT, 0, 4);
        long listens = Call.GETSOCKOPT.raw(descriptor, SOCKETS, LISTENS, answer.address(), length.address(), 0);
        if (listens < 0 || answer.get(ValueLayout.JAVA_INT, 0) == 0) {
            return OptionalInt.empty();
        }
        length.set(ValueLayout.JAVA_INT, 0, (int) answer.byteSize());
        if (Call.GETSOCKNAME.raw(descriptor, answer.address(), length.address(), 0, 0, 0) < 0) {
            return OptionalInt.empty(); // closed meanwhile
        }
        int family = answer.get(ValueLayout.JAVA_SHORT, 0);
        boolean local =
                (family == FOURTH && is(answer, 4, LOCAL)) || (family == SIXTH && is(answer, 8, LOCAL_AS_SIXTH));
        int high = Byte.toUnsignedInt(answer.get(ValueLayout.JAVA_BYTE, 2));
        int low = Byte.toUnsignedInt(answer.get(ValueLayout.JAVA_BYTE, 3));
        return local ? OptionalInt.of(high << 8 | low) : OptionalInt.empty();
    }

    private static boolean is(MemorySegment answer, long at, byte[] address) {
        return Arrays.equals(answer.asSlice(at, address.length).toArray(ValueLayout.JAVA_BYTE), address);
    }
}
