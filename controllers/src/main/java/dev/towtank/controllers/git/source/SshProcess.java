package dev.towtank.controllers.git.source;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A program `ssh` whose output ends after its complaints: whoever reads both with two threads, as JGit does, knows by
/// the end of the one all that the other had to say. Otherwise it depended on luck whether a refusal had its reason.
final class SshProcess extends Process {

    /// A child of it may hold its output open.
    private static final int PATIENCE_SECONDS = 5;

    private final Process process;
    private final CountDownLatch saidAll = new CountDownLatch(1);
    private final InputStream output;
    private final InputStream complaints;

    SshProcess(Process process) {
        this.process = process;
        this.output = new Watched(process.getInputStream(), this::awaitComplaints);
        this.complaints = new Watched(process.getErrorStream(), saidAll::countDown);
    }

    private void awaitComplaints() {
        try {
            var _ = saidAll.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Tells its end before whoever reads it sees it.
    private static final class Watched extends FilterInputStream {
        private final Runnable end;

        Watched(InputStream from, Runnable end) {
            super(from);
            this.end = end;
        }

        @Override
        public int read() throws IOException {
            return told(super.read());
        }

        @Override
        public int read(byte[] bytes, int from, int count) throws IOException {
            return told(super.read(bytes, from, count));
        }

        private int told(int result) {
            if (result < 0) {
                end.run();
            }
            return result;
        }
    }

    @Override
    public OutputStream getOutputStream() {
        return process.getOutputStream();
    }

    @Override
    public InputStream getInputStream() {
        return output;
    }

    @Override
    public InputStream getErrorStream() {
        return complaints;
    }

    @Override
    public int waitFor() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public boolean waitFor(long time, TimeUnit unit) throws InterruptedException {
        return process.waitFor(time, unit);
    }

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    /// Asked when its output has ended, and so will it.
    @Override
    public int exitValue() {
        try {
            var _ = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return process.exitValue();
    }

    @Override
    public void destroy() {
        process.destroy();
    }
}
