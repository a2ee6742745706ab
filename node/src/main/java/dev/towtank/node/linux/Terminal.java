package dev.towtank.node.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Optional;

/// A pseudo terminal: our side of it, and the path by which a program opens the other.
public final class Terminal implements AutoCloseable {

    private static final int UNLOCK = 0x40045431; // TIOCSPTLCK
    private static final int NUMBER = 0x80045430; // TIOCGPTN
    private static final int SIZE = 0x5414; // TIOCSWINSZ
    private static final int ASK_SIZE = 0x5413; // TIOCGWINSZ

    private final int master;
    private final Path slave;

    // Guarded by this. Its number is another file's afterwards.
    private boolean closed;

    private Terminal(int master, Path slave) {
        this.master = master;
        this.slave = slave;
    }

    public static Terminal open() throws LinuxException {
        int master =
                Descriptors.open(Path.of("/dev/ptmx"), Descriptors.READ_WRITE | Descriptors.NO_CONTROLLING_TERMINAL, 0);
        try (var arena = Arena.ofConfined()) {
            var value = arena.allocate(ValueLayout.JAVA_INT);
            Call.IOCTL.call("unlock a terminal", master, UNLOCK, value.address());
            Call.IOCTL.call("number a terminal", master, NUMBER, value.address());
            return new Terminal(master, Path.of("/dev/pts/" + value.get(ValueLayout.JAVA_INT, 0)));
        } catch (LinuxException e) {
            Descriptors.close(master);
            throw e;
        }
    }

    public int master() {
        return master;
    }

    public Path slave() {
        return slave;
    }

    public record Size(int columns, int rows) {}

    /// Of the terminal behind a descriptor; nothing where it is none.
    public static Optional<Size> size(int descriptor) {
        try (var arena = Arena.ofConfined()) {
            var size = arena.allocate(8, 2);
            Call.IOCTL.call("ask for the size of a terminal", descriptor, ASK_SIZE, size.address());
            return Optional.of(new Size(
                    Short.toUnsignedInt(size.get(ValueLayout.JAVA_SHORT, 2)),
                    Short.toUnsignedInt(size.get(ValueLayout.JAVA_SHORT, 0))));
        } catch (LinuxException e) {
            return Optional.empty();
        }
    }

    /// Nothing, once it is closed.
    public synchronized void resize(int columns, int rows) throws LinuxException {
        if (!closed) {
            resize(master, columns, rows);
        }
    }

    public static void resize(int master, int columns, int rows) throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            var size = arena.allocate(8, 2);
            size.set(ValueLayout.JAVA_SHORT, 0, (short) rows);
            size.set(ValueLayout.JAVA_SHORT, 2, (short) columns);
            Call.IOCTL.call("resize a terminal", master, SIZE, size.address());
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Descriptors.close(master);
        }
    }
}
