package dev.towtank.node.linux;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/// A file that is open for reading, which its writer may have made anything but a file.
public final class ReadFile implements AutoCloseable {

    private static final int BUFFER = 4096;
    private static final int EMPTY_PATH = 0x1000; // AT_EMPTY_PATH
    private static final int TYPE = 1; // STATX_TYPE
    private static final int STATX_SIZE = 256;
    private static final int MODE_OFFSET = 28;
    private static final int TYPE_BITS = 0xf000; // S_IFMT
    private static final int REGULAR = 0x8000; // S_IFREG

    private final int descriptor;

    ReadFile(int descriptor) {
        this.descriptor = descriptor;
    }

    /// Opens what is no link itself; empty when there is nothing, or a link, or what nobody can read from.
    public static Optional<ReadFile> open(String path) throws LinuxException {
        int flags = FileFlags.NONBLOCK | FileFlags.NO_FOLLOW | FileFlags.CLOEXEC;
        long opened = Call.OPENAT.on(FileFlags.HERE, path, flags, 0);
        return switch ((int) -opened) {
            case LinuxException.ENOENT, LinuxException.ENOTDIR, LinuxException.ELOOP, LinuxException.ENXIO ->
                Optional.empty();
            default -> Optional.of(new ReadFile((int) Call.checked(opened, "open", path)));
        };
    }

    public boolean isRegular() throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            var facts = arena.allocate(STATX_SIZE, 8);
            var none = arena.allocateFrom("");
            Call.checked(
                    Call.STATX.raw(arena, descriptor, none.address(), EMPTY_PATH, TYPE, facts.address()),
                    "look at",
                    "an open file");
            return (facts.get(ValueLayout.JAVA_SHORT, MODE_OFFSET) & TYPE_BITS) == REGULAR;
        }
    }

    /// Its first bytes.
    public byte[] bytes(int limit) throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(Math.clamp(limit, 1, BUFFER));
            var all = new ByteArrayOutputStream(0);
            while (all.size() < limit) {
                int count = Descriptors.read(descriptor, rest(buffer, limit - all.size()));
                if (count <= 0) {
                    break;
                }
                all.writeBytes(buffer.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE));
            }
            return all.toByteArray();
        }
    }

    private static MemorySegment rest(MemorySegment buffer, int limit) {
        return limit < buffer.byteSize() ? buffer.asSlice(0, limit) : buffer;
    }

    @Override
    public void close() {
        Descriptors.close(descriptor);
    }
}
