package dev.towtank.node.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// What is in an open directory, as the kernel tells it: many entries at once.
final class DirectoryEntries {

    private static final int BUFFER = 8192;

    // Of an entry, as the kernel writes it.
    private static final int LENGTH_OFFSET = 16;
    private static final int TYPE_OFFSET = 18;
    private static final int NAME_OFFSET = 19;
    private static final byte IS_DIRECTORY = 4; // DT_DIR

    private final Arena arena;
    private final int directory;
    private final MemorySegment buffer;
    private long length;

    @FunctionalInterface
    interface Visitor {
        /// @param name its address
        /// @param isDirectory never where the file system does not tell
        void visit(long name, boolean isDirectory) throws IOException;
    }

    DirectoryEntries(Arena arena, int directory) {
        this.arena = arena;
        this.directory = directory;
        this.buffer = arena.allocate(BUFFER, 8);
    }

    /// Reads the next ones.
    ///
    /// @return zero when there are no more, below zero minus the number of an error
    long read() {
        length = Call.GETDENTS64.raw(arena, directory, buffer.address(), buffer.byteSize(), 0, 0);
        return length;
    }

    /// Those read last, but for `.` and `..`.
    void forEach(Visitor visitor) throws IOException {
        for (long at = 0; at < length; at += lengthOf(at)) {
            if (!isItselfOrAround(at + NAME_OFFSET)) {
                visitor.visit(
                        buffer.address() + at + NAME_OFFSET,
                        buffer.get(ValueLayout.JAVA_BYTE, at + TYPE_OFFSET) == IS_DIRECTORY);
            }
        }
    }

    /// The addresses of the names of those read last.
    List<Long> names() throws IOException {
        var names = new ArrayList<Long>();
        forEach((name, _) -> names.add(name));
        return names;
    }

    private int lengthOf(long at) {
        return Short.toUnsignedInt(buffer.get(ValueLayout.JAVA_SHORT_UNALIGNED, at + LENGTH_OFFSET));
    }

    private boolean isItselfOrAround(long at) {
        byte dot = '.';
        if (buffer.get(ValueLayout.JAVA_BYTE, at) != dot) {
            return false;
        }
        byte second = buffer.get(ValueLayout.JAVA_BYTE, at + 1);
        return second == 0 || (second == dot && buffer.get(ValueLayout.JAVA_BYTE, at + 2) == 0);
    }
}
