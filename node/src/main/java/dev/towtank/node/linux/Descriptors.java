package dev.towtank.node.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/// Open files of the kernel by their number. Every one is closed in children unless it is handed to them.
public final class Descriptors {

    public static final int READ_WRITE = 2;
    public static final int WRITE_ONLY = 1;
    public static final int CREATE = 0x40;
    public static final int NO_CONTROLLING_TERMINAL = 0x100;
    public static final int APPEND = 0x400;
    public static final int NONBLOCK = 0x800;

    private static final int CLOEXEC = 0x80000;
    private static final int HERE = -100; // AT_FDCWD
    private static final int FIFO = 0x1000; // S_IFIFO
    private static final int RESOLVE_NO_SYMLINKS = 4;
    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int F_SETPIPE_SZ = 1031;
    private static final int FIONREAD = 0x541B;

    private Descriptors() {}

    public record Pipe(int readEnd, int writeEnd) {}

    public static int open(Path path, int flags, int mode) throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            return (int)
                    Call.OPENAT.call("open " + path, HERE, Call.text(arena, path.toString()), flags | CLOEXEC, mode);
        }
    }

    /// Opens a file in whose whole path no symbolic link may be.
    public static int openWithoutLinks(Path path, int flags, int mode) throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            var how = arena.allocate(24, 8);
            how.set(ValueLayout.JAVA_LONG, 0, flags | CLOEXEC);
            how.set(ValueLayout.JAVA_LONG, 8, mode);
            how.set(ValueLayout.JAVA_LONG, 16, RESOLVE_NO_SYMLINKS);
            return (int) Call.OPENAT2.call("open " + path, HERE, Call.text(arena, path.toString()), how.address(), 24);
        }
    }

    public static void makeFifo(Path path) throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            Call.MKNODAT.call("mkfifo " + path, HERE, Call.text(arena, path.toString()), FIFO | 0600, 0);
        }
    }

    /// Whoever holds one end may open it again by its number, as `/dev/stdout`: keep others away by its directory.
    public static void makeFifoForAnybody(Path path) throws LinuxException {
        makeFifo(path);
        try (var arena = Arena.ofConfined()) {
            Call.FCHMODAT.call("chmod " + path, HERE, Call.text(arena, path.toString()), 0666);
        }
    }

    public static Pipe pipe() throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            var ends = arena.allocate(8, 4);
            Call.PIPE2.call("pipe", ends.address(), CLOEXEC);
            return new Pipe(ends.get(ValueLayout.JAVA_INT, 0), ends.get(ValueLayout.JAVA_INT, 4));
        }
    }

    /// A pipe whose writer has it open for reading, too: so it may write when its reader has died.
    public static Pipe forgivingPipe() throws LinuxException {
        var pipe = pipe();
        try {
            int both = open(Path.of("/proc/self/fd/" + pipe.readEnd()), READ_WRITE, 0);
            return new Pipe(pipe.readEnd(), both);
        } catch (LinuxException e) {
            close(pipe.readEnd());
            throw e;
        } finally {
            close(pipe.writeEnd());
        }
    }

    /// A pipe that is full: its writer is told that there is room as soon as somebody has begun to read.
    public static Pipe fullPipe() throws LinuxException {
        var pipe = pipe();
        try {
            Call.FCNTL.call("make a pipe smaller", pipe.writeEnd(), F_SETPIPE_SZ, 1);
            write(pipe.writeEnd(), new byte[] {'\n'});
            return pipe;
        } catch (LinuxException e) {
            close(pipe.readEnd());
            close(pipe.writeEnd());
            throw e;
        }
    }

    /// Becomes readable once, after so many milliseconds.
    public static int timer(int milliseconds) throws LinuxException {
        int monotonic = 1;
        int timer = (int) Call.TIMERFD_CREATE.call("timerfd_create", monotonic, CLOEXEC);
        try (var arena = Arena.ofConfined()) {
            var time = arena.allocate(32, 8);
            time.set(ValueLayout.JAVA_LONG, 24, milliseconds * 1_000_000L);
            Call.TIMERFD_SETTIME.call("timerfd_settime", timer, 0, time.address(), 0);
            return timer;
        } catch (LinuxException e) {
            close(timer);
            throw e;
        }
    }

    /// A file in memory that nobody else can see, with this content, to be read from its start.
    public static int memory(byte[] content) throws IOException {
        try (var arena = Arena.ofConfined()) {
            int descriptor = (int) Call.MEMFD_CREATE.call("memfd_create", Call.text(arena, "towtank"), 1);
            try {
                writeAt(descriptor, content, content.length, 0);
            } catch (LinuxException e) {
                close(descriptor);
                throw e;
            }
            return descriptor;
        }
    }

    public static void write(int descriptor, byte[] bytes) throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            var segment = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            long done = 0;
            while (done < bytes.length) {
                done += Call.WRITE.call("write", descriptor, segment.address() + done, bytes.length - done);
            }
        }
    }

    /// How many bytes a descriptor that does not block takes; -1 when none at the moment.
    public static int writeSome(int descriptor, byte[] bytes, int offset, int length) throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            var segment = arena.allocate(length);
            MemorySegment.copy(bytes, offset, segment, ValueLayout.JAVA_BYTE, 0, length);
            long result;
            do {
                result = Call.WRITE.raw(descriptor, segment.address(), length, 0, 0, 0);
            } while (result == -LinuxException.EINTR);
            if (result < 0 && result != -LinuxException.EAGAIN) {
                throw new LinuxException("write", (int) -result);
            }
            return (int) Math.max(result, -1);
        }
    }

    public static void setNonblocking(int descriptor) throws LinuxException {
        int setFlags = 4; // F_SETFL
        Call.FCNTL.call("fcntl", descriptor, setFlags, READ_WRITE | NONBLOCK);
    }

    public static void writeAt(int descriptor, byte[] bytes, int length, long offset) throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            var segment = arena.allocate(Math.max(length, 1));
            MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, length);
            long done = 0;
            while (done < length) {
                done += Call.PWRITE.call("write", descriptor, segment.address() + done, length - done, offset + done);
            }
        }
    }

    public static int readAt(int descriptor, MemorySegment into, long length, long offset) throws LinuxException {
        return (int) Call.PREAD.call("read", descriptor, into.address(), length, offset);
    }

    /// How many bytes were read; 0 at the end, -1 when there is nothing yet on a descriptor that does not
    /// block.
    public static int read(int descriptor, MemorySegment into) throws LinuxException {
        long result;
        do {
            result = Call.READ.raw(descriptor, into.address(), into.byteSize(), 0, 0, 0);
        } while (result == -LinuxException.EINTR);
        if (result == -LinuxException.EAGAIN) {
            return -1;
        }
        if (result == -LinuxException.EIO) {
            return 0; // a terminal whose other side has gone
        }
        if (result < 0) {
            throw new LinuxException("read", (int) -result);
        }
        return (int) result;
    }

    /// Moves bytes out of a pipe into a file inside the kernel: at no time are they in neither of the two.
    /// How many, 0 for none; never waits.
    public static long splice(int pipe, int file, long offset, long atMost) throws LinuxException {
        int nonblock = 2;
        long result;
        try (var arena = Arena.ofConfined()) {
            var position = arena.allocateFrom(ValueLayout.JAVA_LONG, offset);
            do {
                result = Call.SPLICE.raw(pipe, 0, file, position.address(), atMost, nonblock);
            } while (result == -LinuxException.EINTR);
        }
        if (result < 0 && result != -LinuxException.EAGAIN) {
            throw new LinuxException("splice", (int) -result);
        }
        return Math.max(result, 0);
    }

    /// Whether bytes wait in a pipe.
    public static boolean holdsAnything(int pipe) throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            var count = arena.allocate(4, 4);
            Call.IOCTL.call("ask what is in a pipe", pipe, FIONREAD, count.address());
            return count.get(ValueLayout.JAVA_INT, 0) > 0;
        }
    }

    /// Larger buffers keep a writer going; where the kernel refuses, it stays as it is.
    public static void enlarge(int pipe, int bytes) {
        var _ = Call.FCNTL.raw(pipe, F_SETPIPE_SZ, bytes, 0, 0, 0);
    }

    /// The same open file under a number of at least `from`.
    public static int duplicate(int descriptor, int from) throws LinuxException {
        return (int) Call.FCNTL.call("dup", descriptor, F_DUPFD_CLOEXEC, from);
    }

    public static void close(int descriptor) {
        if (descriptor >= 0) {
            var _ = Call.CLOSE.raw(descriptor, 0, 0, 0, 0, 0);
        }
    }
}
