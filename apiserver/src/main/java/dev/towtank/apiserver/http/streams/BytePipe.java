package dev.towtank.apiserver.http.streams;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Bytes from one thread to another, a bounded number of them under way.
///
/// The JDK's pipe looks every second whether the other thread lives, and forgets threads that end; neither suits
/// virtual threads.
final class BytePipe {

    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<byte[]> pieces = new ArrayDeque<>();
    private int offset;
    private int held;
    private boolean ended;
    private boolean abandoned;

    BytePipe(int capacity) {
        this.capacity = capacity;
    }

    /// Waits for room. What comes after the reader has gone is dropped.
    void put(byte[] piece) throws InterruptedException {
        if (piece.length == 0) {
            return;
        }
        lock.lockInterruptibly();
        try {
            while (held >= capacity && !abandoned && !ended) {
                changed.await();
            }
            if (!abandoned && !ended) {
                pieces.add(piece);
                held += piece.length;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// No more will come.
    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private int take(byte[] into, int from, int length) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (pieces.isEmpty() && !ended && !abandoned) {
                changed.await();
            }
            var piece = abandoned ? null : pieces.peek();
            if (piece == null) {
                return -1;
            }
            int count = Math.min(length, piece.length - offset);
            System.arraycopy(piece, offset, into, from, count);
            offset += count;
            held -= count;
            if (offset == piece.length) {
                pieces.remove();
                offset = 0;
            }
            changed.signalAll();
            return count;
        } finally {
            lock.unlock();
        }
    }

    private void abandon() {
        lock.lock();
        try {
            abandoned = true;
            pieces.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    InputStream input() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                var one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                try {
                    return length == 0 ? 0 : take(into, from, length);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted", e);
                }
            }

            @Override
            public void close() {
                abandon();
            }
        };
    }

    /// Copies everything; ends when the source does or when either side is closed.
    static void copy(InputStream from, OutputStream to) {
        try (to) {
            var buffer = new byte[32 * 1024];
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                to.write(buffer, 0, count);
                to.flush();
            }
        } catch (IOException e) {
            // One side has gone; whoever waits for the other sees it end.
        }
    }
}
