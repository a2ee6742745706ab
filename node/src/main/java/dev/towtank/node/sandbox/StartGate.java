package dev.towtank.node.sandbox;

import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.Processes;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;

/// Holds a command back until it is bounded, and its mounts are known to be the right ones. Whoever uses it holds a
/// lock.
final class StartGate implements AutoCloseable {

    private final int writeEnd;
    private final OptionalLong processes;
    private final Optional<Fence> fence;
    private final CountDownLatch closed = new CountDownLatch(1);

    /// @param writeEnd what is written here lets the command begin
    /// @param processes how many it may have, where nothing else bounds them
    StartGate(int writeEnd, OptionalLong processes, Optional<Fence> fence) {
        this.writeEnd = writeEnd;
        this.processes = processes;
        this.fence = fence;
    }

    Optional<Fence> fence() {
        return fence;
    }

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    void bound(int child) throws IOException {
        if (processes.isPresent()) {
            Processes.limit(child, Processes.LIMIT_PROCESSES, processes.getAsLong());
        }
    }

    void open() throws IOException {
        Descriptors.write(writeEnd, new byte[1]);
        close();
    }

    /// Waits until nothing of ours holds the command back any more.
    void awaitClosed() throws InterruptedException {
        closed.await();
    }

    /// Whoever waits there waits on, unless it was opened before.
    @Override
    public void close() {
        if (!isClosed()) {
            Descriptors.close(writeEnd);
            fence.ifPresent(Fence::close);
            closed.countDown();
        }
    }
}
