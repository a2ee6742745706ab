package dev.towtank.node.linux;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.BindException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.locks.ReentrantLock;

/// A socket of IPv4 that somebody opened for us, in a network in which Java cannot open any. It never blocks: who must
/// wait
/// is told when to go on.
final class OpenedSocket {

    static final int STREAM = 1;
    static final int DATAGRAMS = 2;
    static final int FAMILY = 2; // AF_INET
    static final int NEVER_BLOCKS = 0x800 | 0x80000; // SOCK_NONBLOCK, SOCK_CLOEXEC

    private static final int ADDRESS = 16;
    static final int SOCKETS = 1; // SOL_SOCKET
    private static final int ERROR = 4; // SO_ERROR
    static final int KEEP_ALIVE = 9; // SO_KEEPALIVE
    private static final int TCP = 6;
    private static final int NO_SIGNAL = 0x4000; // MSG_NOSIGNAL
    private static final int IN_PROGRESS = 115;

    private final int descriptor;
    final Readiness.Watch watch;

    // Nobody may use a number that the kernel has given to somebody else meanwhile.
    private final ReentrantLock using = new ReentrantLock();
    private boolean closed;

    OpenedSocket(int descriptor) throws IOException {
        this.descriptor = descriptor;
        try {
            this.watch = Readiness.watch(descriptor);
        } catch (IOException e) {
            Descriptors.close(descriptor);
            throw e;
        }
    }

    private interface Attempt {
        long make();
    }

    /// The result of a call, or minus its error number.
    private long once(Attempt attempt) throws SocketException {
        using.lock();
        try {
            if (closed) {
                throw new SocketException("Socket closed");
            }
            long result;
            do {
                result = attempt.make();
            } while (result == -LinuxException.EINTR);
            return result;
        } finally {
            using.unlock();
        }
    }

    /// @param millis 0 for ever
    private long patiently(boolean toRead, long millis, Attempt attempt) throws IOException {
        long end = System.nanoTime() + millis * 1_000_000;
        while (true) {
            watch.begin(toRead);
            long result = once(attempt);
            if (result != -LinuxException.EAGAIN) {
                return result;
            }
            long left = millis == 0 ? 0 : Math.max(1, (end - System.nanoTime()) / 1_000_000);
            if ((millis > 0 && System.nanoTime() - end >= 0) || !awaitChange(toRead, left)) {
                throw new SocketTimeoutException("Read timed out");
            }
        }
    }

    private boolean awaitChange(boolean toRead, long millis) throws IOException {
        try {
            return watch.await(toRead, millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    void bind(InetAddress address, int port) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var where = address(arena, new InetSocketAddress(address, port));
            long result = once(() -> Call.BIND.raw(descriptor, where.address(), ADDRESS, 0, 0, 0));
            if (result < 0) {
                throw new BindException(new LinuxException("bind", (int) -result).getMessage());
            }
        }
    }

    void listen(int backlog) throws IOException {
        check("listen", once(() -> Call.LISTEN.raw(descriptor, backlog, 0, 0, 0, 0)));
    }

    OpenedSocket accept(int millis) throws IOException {
        long accepted = patiently(true, millis, () -> Call.ACCEPT4.raw(descriptor, 0, 0, NEVER_BLOCKS, 0, 0));
        return new OpenedSocket((int) check("accept", accepted));
    }

    void connect(InetSocketAddress address, int millis) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var where = address(arena, address);
            watch.begin(false);
            long result = once(() -> Call.CONNECT.raw(descriptor, where.address(), ADDRESS, 0, 0, 0));
            if (result == -IN_PROGRESS) {
                result = -awaitConnection(millis);
            }
            if (result < 0) {
                throw refused((int) -result);
            }
        }
    }

    /// Who is in a network that goes away cannot say goodbye: whoever waits for them would wait for ever.
    void stayInTouch() throws IOException {
        option(SOCKETS, KEEP_ALIVE, 1);
        option(TCP, 4, 5); // after five seconds of silence,
        option(TCP, 5, 1); // every second,
        option(TCP, 6, 3); // three times
    }

    /// A change says little: the kernel reports that a new socket is writable before it is connected, maybe just now.
    ///
    /// @param millis 0 for ever
    /// @return why not; 0 when it is connected
    private int awaitConnection(long millis) throws IOException {
        long end = System.nanoTime() + millis * 1_000_000;
        while (true) {
            long left = millis == 0 ? 0 : Math.max(1, (end - System.nanoTime()) / 1_000_000);
            if ((millis > 0 && System.nanoTime() - end >= 0) || !awaitChange(false, left)) {
                throw new SocketTimeoutException("Connect timed out");
            }
            watch.begin(false);
            int error = option(SOCKETS, ERROR);
            if (error != 0 || isConnected()) {
                return error;
            }
        }
    }

    private boolean isConnected() throws SocketException {
        try (var arena = Arena.ofConfined()) {
            var name = arena.allocate(ADDRESS, 8);
            var size = arena.allocateFrom(ValueLayout.JAVA_INT, ADDRESS);
            return once(() -> Call.GETPEERNAME.raw(descriptor, name.address(), size.address(), 0, 0, 0)) == 0;
        }
    }

    private static IOException refused(int error) {
        return switch (error) {
            case 111 -> new ConnectException("Connection refused");
            case 110 -> new ConnectException("Connection timed out");
            case 101, 113 -> new NoRouteToHostException("No route to host");
            default -> new SocketException(new LinuxException("connect", error).getMessage());
        };
    }

    /// As [java.io.InputStream#read(byte\[\], int, int)] has it.
    int read(byte[] into, int offset, int length, int millis) throws IOException {
        if (length == 0) {
            return 0;
        }
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(length);
            long count = check(
                    "read",
                    patiently(true, millis, () -> Call.READ.raw(descriptor, buffer.address(), length, 0, 0, 0)));
            MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, into, offset, (int) count);
            return count == 0 ? -1 : (int) count;
        }
    }

    void write(byte[] bytes, int offset, int length) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(Math.max(length, 1));
            MemorySegment.copy(bytes, offset, buffer, ValueLayout.JAVA_BYTE, 0, length);
            for (long done = 0; done < length; ) {
                long from = buffer.address() + done;
                long left = length - done;
                done += check(
                        "write", patiently(false, 0, () -> Call.SENDTO.raw(descriptor, from, left, NO_SIGNAL, 0, 0)));
            }
        }
    }

    /// @param to nobody when it is connected
    void send(byte[] bytes, int offset, int length, InetSocketAddress to) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(Math.max(length, 1));
            MemorySegment.copy(bytes, offset, buffer, ValueLayout.JAVA_BYTE, 0, length);
            var where = address(arena, to);
            check(
                    "send",
                    patiently(
                            false,
                            0,
                            () -> Call.SENDTO.raw(
                                    descriptor, buffer.address(), length, NO_SIGNAL, where.address(), ADDRESS)));
        }
    }

    /// @param length of what came, which may have been cut
    record Received(int length, InetSocketAddress from) {}

    Received receive(byte[] into, int offset, int length, int millis) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(Math.max(length, 1));
            var from = arena.allocate(ADDRESS, 8);
            var size = arena.allocate(4, 4);
            long count = patiently(true, millis, () -> {
                size.set(ValueLayout.JAVA_INT, 0, ADDRESS);
                return Call.RECVFROM.raw(descriptor, buffer.address(), length, 0, from.address(), size.address());
            });
            MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, into, offset, (int) check("receive", count));
            return new Received((int) count, address(from));
        }
    }

    int available() throws IOException {
        try (var arena = Arena.ofConfined()) {
            var count = arena.allocate(4, 4);
            int unread = 0x541B; // FIONREAD
            check("available", once(() -> Call.IOCTL.raw(descriptor, unread, count.address(), 0, 0, 0)));
            return count.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /// @param how 0 for reading, 1 for writing
    void shutdown(int how) throws IOException {
        check("shutdown", once(() -> Call.SHUTDOWN.raw(descriptor, how, 0, 0, 0, 0)));
    }

    int option(int level, int name) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var value = arena.allocate(4, 4);
            var size = arena.allocate(4, 4);
            size.set(ValueLayout.JAVA_INT, 0, 4);
            check(
                    "getsockopt",
                    once(() -> Call.GETSOCKOPT.raw(descriptor, level, name, value.address(), size.address(), 0)));
            return value.get(ValueLayout.JAVA_INT, 0);
        }
    }

    void option(int level, int name, int... values) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var value = arena.allocateFrom(ValueLayout.JAVA_INT, values);
            check(
                    "setsockopt",
                    once(() -> Call.SETSOCKOPT.raw(descriptor, level, name, value.address(), value.byteSize(), 0)));
        }
    }

    InetSocketAddress local() throws IOException {
        return name(Call.GETSOCKNAME);
    }

    InetSocketAddress remote() throws IOException {
        return name(Call.GETPEERNAME);
    }

    private InetSocketAddress name(Call call) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var name = arena.allocate(ADDRESS, 8);
            var size = arena.allocate(4, 4);
            size.set(ValueLayout.JAVA_INT, 0, ADDRESS);
            check("ask for an address", once(() -> call.raw(descriptor, name.address(), size.address(), 0, 0, 0)));
            return address(name);
        }
    }

    private static long check(String what, long result) throws SocketException {
        if (result < 0) {
            throw new SocketException(
                    switch ((int) -result) {
                        case 104 -> "Connection reset";
                        case LinuxException.EPIPE -> "Broken pipe";
                        case 111 -> "Connection refused";
                        default -> new LinuxException(what, (int) -result).getMessage();
                    });
        }
        return result;
    }

    private static MemorySegment address(Arena arena, InetSocketAddress address) throws IOException {
        if (!(address.getAddress() instanceof Inet4Address inet)) {
            throw new UnknownHostException(String.valueOf(address));
        }
        var out = arena.allocate(ADDRESS, 8);
        out.set(ValueLayout.JAVA_SHORT, 0, (short) FAMILY);
        out.set(ValueLayout.JAVA_BYTE, 2, (byte) (address.getPort() >> 8));
        out.set(ValueLayout.JAVA_BYTE, 3, (byte) address.getPort());
        MemorySegment.copy(inet.getAddress(), 0, out, ValueLayout.JAVA_BYTE, 4, 4);
        return out;
    }

    private static InetSocketAddress address(MemorySegment in) throws IOException {
        int port = Byte.toUnsignedInt(in.get(ValueLayout.JAVA_BYTE, 2)) << 8
                | Byte.toUnsignedInt(in.get(ValueLayout.JAVA_BYTE, 3));
        return new InetSocketAddress(InetAddress.getByAddress(in.asSlice(4, 4).toArray(ValueLayout.JAVA_BYTE)), port);
    }

    /// What Java calls any address.
    static InetSocketAddress checked(SocketAddress address) throws IOException {
        if (address instanceof InetSocketAddress inet && !inet.isUnresolved()) {
            return inet;
        }
        throw new UnknownHostException(String.valueOf(address));
    }

    void close() {
        using.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            Descriptors.close(descriptor);
        } finally {
            using.unlock();
        }
        watch.end();
    }
}
