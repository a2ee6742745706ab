package dev.towtank.node.linux;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A thread of its own that starts programs, as these inherit from their thread what nobody can give them later without
/// waiting: a filter of system calls, which nobody can shed, and the cgroups in which it is.
public final class SpawningThread implements AutoCloseable {

    private final ExecutorService thread;

    /// @param filter what the thread may no longer do, and all that it starts
    public SpawningThread(String name, Optional<SystemCallFilter> filter) throws IOException {
        thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
        try {
            await(() -> {
                if (filter.isPresent()) {
                    filter.get().apply();
                }
                return 0;
            });
        } catch (IOException | RuntimeException e) {
            thread.shutdown();
            throw e;
        }
    }

    /// Where a program is started.
    public interface Place {
        /// Takes the calling thread there.
        void enter() throws IOException;

        void leave() throws IOException;

        /// Both at once, where there are two.
        static Optional<Place> within(Optional<? extends Place> outer, Optional<? extends Place> inner) {
            if (outer.isEmpty() || inner.isEmpty()) {
                return outer.<Place>map(place -> place).or(() -> inner.map(place -> place));
            }
            return Optional.of(new Place() {
                @Override
                public void enter() throws IOException {
                    outer.get().enter();
                    inner.get().enter();
                }

                @Override
                public void leave() throws IOException {
                    try {
                        inner.get().leave();
                    } finally {
                        outer.get().leave();
                    }
                }
            });
        }
    }

    /// See [Spawn#start].
    ///
    /// @param place where the program is from its first moment
    public int start(Spawn.Program program, Optional<? extends Place> place) throws IOException {
        return place.isPresent() ? await(() -> start(program, place.get())) : await(() -> Spawn.start(program));
    }

    private static int start(Spawn.Program program, Place place) throws IOException {
        int pid = 0;
        try {
            place.enter();
            pid = Spawn.start(program);
        } finally {
            leave(place, pid);
        }
        return pid;
    }

    private static void leave(Place place, int pid) throws IOException {
        try {
            place.leave();
        } catch (IOException e) {
            if (pid != 0) {
                int kill = 9;
                Processes.signal(pid, kill);
                var _ = Processes.await(pid);
            }
            throw e;
        }
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
