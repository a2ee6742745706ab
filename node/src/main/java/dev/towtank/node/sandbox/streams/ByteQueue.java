package dev.towtank.node.sandbox.streams;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Bytes on their way from the thread of all containers, which never waits, to a reader, who does.
public final class ByteQueue extends InputStream {

    private static final int MOST = 256 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<byte[]> chunks = new ArrayDeque<>();
    private final Runnable resume;
    private int taken;
    private int size;
    private boolean full;
    private boolean ended;

    /// @param resume called when there is room again after [#offer] has said that there is none
    public ByteQueue(Runnable resume) {
        this.resume = resume;
    }

    /// False when there is no room for more.
    public boolean offer(byte[] bytes) {
        lock.lock();
        try {
            if (!ended && bytes.length > 0) {
                chunks.add(bytes);
                size += bytes.length;
                changed.signalAll();
            }
            full = size >= MOST;
            return !full;
        } finally {
            lock.unlock();
        }
    }

    public void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int count;
        boolean again;
        lock.lock();
        try {
            while (chunks.isEmpty() && !ended) {
                changed.await();
            }
            var chunk = chunks.peek();
            if (chunk == null) {
                return -1;
            }
            count = Math.min(length, chunk.length - taken);
            System.arraycopy(chunk, taken, into, offset, count);
            taken += count;
            size -= count;
            if (taken == chunk.length) {
                chunks.remove();
                taken = 0;
            }
            again = full && size < MOST / 2;
            full &= !again;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        } finally {
            lock.unlock();
        }
        if (again) {
            resume.run();
        }
        return count;
    }

    @Override
    public int available() {
        lock.lock();
        try {
            return size;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            ended = true;
            chunks.clear();
            size = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
