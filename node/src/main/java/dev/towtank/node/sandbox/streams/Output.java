package dev.towtank.node.sandbox.streams;

import dev.towtank.node.linux.Descriptors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.ReentrantLock;

/// What a process in a session says, moved by the loop from a descriptor into a queue as fast as it is read
/// there.
public final class Output {

    private final Loop loop;
    private final int descriptor;
    private final ReentrantLock lock = new ReentrantLock();
    private final ByteQueue queue = new ByteQueue(this::resume);
    private boolean watched;
    private boolean last;
    private boolean closed;

    /// @param descriptor does not block; it is closed at its end
    public Output(Loop loop, int descriptor) {
        this.loop = loop;
        this.descriptor = descriptor;
    }

    public ByteQueue queue() {
        return queue;
    }

    public void start() throws IOException {
        lock.lock();
        try {
            watch();
        } finally {
            lock.unlock();
        }
    }

    private void watch() throws IOException {
        if (!watched && !closed) {
            watched = true;
            loop.add(descriptor, _ -> move());
        }
    }

    private void unwatch() {
        if (watched) {
            watched = false;
            loop.remove(descriptor);
        }
    }

    private void resume() {
        try {
            move();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The process has ended: what is there now is all.
    public void last() throws IOException {
        lock.lock();
        try {
            last = true;
        } finally {
            lock.unlock();
        }
        move();
    }

    private void move() throws IOException {
        lock.lock();
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(32 * 1024);
            boolean room = true;
            int count = 1;
            while (room && count > 0 && !closed) {
                count = Descriptors.read(descriptor, buffer);
                if (count > 0) {
                    room = queue.offer(buffer.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE));
                }
            }
            if (closed) {
                return;
            }
            if (!room) {
                unwatch();
            } else if (count == 0 || last) {
                end();
            } else {
                watch();
            }
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        unwatch();
        closed = true;
        Descriptors.close(descriptor);
        queue.end();
    }

    public void close() {
        lock.lock();
        try {
            if (!closed) {
                end();
            }
        } finally {
            lock.unlock();
        }
    }
}
