package dev.towtank.node.images.registry;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// An answer that must go on coming: one that stops in the middle is given up.
final class PatientBody extends FilterInputStream {

    private static final int BLOCK = 1 << 16;

    private final Duration patience;
    private final AtomicLong bytes = new AtomicLong();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean stalled;

    PatientBody(InputStream in, Duration patience) {
        super(in);
        this.patience = patience;
        Thread.ofVirtual().name("patience").start(this::watch);
    }

    private void watch() {
        try {
            long before = -1;
            while (bytes.get() != before) {
                before = bytes.get();
                if (closed.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
            stalled = true;
            in.close(); // whoever reads is let go
        } catch (IOException | InterruptedException e) {
            // whoever reads will see what is left
        }
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        try {
            int count = in.read(into, offset, length);
            bytes.addAndGet(Math.max(0, count));
            return count;
        } catch (IOException e) {
            throw stalled
                    ? new RegistryProblem("the registry sent nothing for " + patience.toSeconds() + " seconds")
                    : e;
        }
    }

    @Override
    public long skip(long length) throws IOException {
        return length <= 0
                ? 0
                : Math.max(0, read(new byte[(int) Math.min(length, BLOCK)], 0, (int) Math.min(length, BLOCK)));
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        in.close();
    }
}
