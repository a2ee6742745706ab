package dev.towtank.node.linux;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Starts programs under a filter of system calls. A filter is inherited and nobody can shed it, so a thread of its own
/// has it on.
public final class FilteredSpawn implements AutoCloseable {

    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("filtered").factory());

    public FilteredSpawn(SystemCallFilter filter) throws IOException {
        try {
            await(() -> {
                filter.apply();
                return 0;
            });
        } catch (IOException | RuntimeException e) {
            thread.shutdown();
            throw e;
        }
    }

    /// See [Spawn#start].
    public int start(Spawn.Program program) throws IOException {
        return await(() -> Spawn.start(program));
    }

    private interface Work {
        int run() throws IOException;
    }

    private int await(Work work) throws IOException {
        var task = thread.submit(work::run);
        boolean interrupted = false;
        try {
            // It is short, and whoever gave up would never learn which process was started.
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException problem -> throw problem;
                case RuntimeException problem -> throw problem;
                case null, default -> throw new IllegalStateException(e);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
