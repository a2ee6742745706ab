package dev.towtank.node.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Waits for many descriptors at once. Safe to add to and remove from while another thread waits.
public final class Epoll implements AutoCloseable {

    private static final int EVENTS = 64;
    private static final int READABLE = 1;
    private static final int WRITABLE = 4;
    private static final int ONCE = 1 << 30;
    private static final int HALF_CLOSED = 1 << 13;
    private static final int CHANGES = 1 << 31;
    private static final int ADD = 1;
    private static final int REMOVE = 2;
    /// The kernel packs its record on x86-64 alone.
    private static final int SIZE = System.getProperty("os.arch", "").equals("aarch64") ? 16 : 12;

    private static final int TOKEN = SIZE - 8;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate((long) EVENTS * SIZE, 8);
    private final int descriptor;

    public Epoll() throws LinuxException {
        descriptor = (int) Call.EPOLL_CREATE1.call("epoll_create", 0x80000);
    }

    /// Reports `token` for as long as the descriptor is readable.
    public void add(int watched, long token) throws LinuxException {
        add(watched, token, READABLE);
    }

    /// Reports `token` once when the descriptor is writable, or its other side has gone.
    public void addWritable(int watched, long token) throws LinuxException {
        add(watched, token, WRITABLE | ONCE);
    }

    /// Reports `token` whenever there is something new to read or new room to write, or the other side has gone.
    public void addChanges(int watched, long token) throws LinuxException {
        add(watched, token, READABLE | WRITABLE | HALF_CLOSED | CHANGES);
    }

    private void add(int watched, long token, int events) throws LinuxException {
        try (var call = Arena.ofConfined()) {
            var event = call.allocate(16, 8);
            event.set(ValueLayout.JAVA_INT, 0, events);
            event.set(ValueLayout.JAVA_LONG_UNALIGNED, TOKEN, token);
            Call.EPOLL_CTL.call("epoll_ctl", descriptor, ADD, watched, event.address());
        }
    }

    public void remove(int watched) {
        var _ = Call.EPOLL_CTL.raw(descriptor, REMOVE, watched, 0, 0, 0);
    }

    /// Waits for at least one and gives the tokens; for one thread alone.
    public long[] await() throws LinuxException {
        int count = (int) Call.EPOLL_PWAIT.call("epoll_wait", descriptor, buffer.address(), EVENTS, -1, 0, 8);
        var tokens = new long[count];
        for (int i = 0; i < count; i++) {
            tokens[i] = buffer.get(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * SIZE + TOKEN);
        }
        return tokens;
    }

    /// Not while another thread waits.
    @Override
    public void close() {
        Descriptors.close(descriptor);
        arena.close();
    }
}
