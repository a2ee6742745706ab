package dev.towtank.node.linux;

import java.io.IOException;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/// A thread of its own that starts programs, as these inherit from their thread what nobody can give them later without
/// waiting: a filter of system calls and a domain, which nobody can shed, and the cgroups in which it is.
///
/// Threads that it starts would inherit the same, and whoever wakes a virtual thread may have to start a carrier for
/// it. So it takes no lock that others wait for, and another thread tells what came of its work.
public final class SpawningThread implements AutoCloseable {

    private static final Messenger MESSENGER = new Messenger();

    private final Queue<Runnable> work = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private final String descriptors;
    private volatile boolean closed;
    private volatile boolean ended;

    public SpawningThread(String name) throws IOException {
        thread = Thread.ofPlatform().daemon().name(name).start(this::run);
        descriptors = "/proc/" + ProcessHandle.current().pid() + "/task/" + await(SpawningThread::number) + "/fd/";
    }

    private static int number() throws IOException {
        return (int) Call.GETTID.call("gettid");
    }

    private void run() {
        while (!closed || !work.isEmpty()) {
            var next = work.poll();
            if (next == null) {
                LockSupport.park(this);
            } else {
                next.run();
            }
        }
        ended = true;
        for (var late = work.poll(); late != null; late = work.poll()) {
            late.run();
        }
    }

    /// Brings words of threads that must wake nobody.
    private static final class Messenger {
        private final Queue<Runnable> words = new ConcurrentLinkedQueue<>();
        private final Thread thread =
                Thread.ofPlatform().daemon().name("spawned").start(this::run);

        private void run() {
            while (true) {
                var next = words.poll();
                if (next == null) {
                    LockSupport.park(this);
                } else {
                    next.run();
                }
            }
        }

        void bring(Runnable word) {
            words.add(word);
            LockSupport.unpark(thread);
        }
    }

    /// From now on it may no longer make these calls, nor may what it starts.
    public void hold(SystemCallFilter filter) throws IOException {
        await(() -> {
            filter.apply();
            return 0;
        });
    }

    /// From now on it is in a domain of its own, with what it starts.
    public void isolate() throws IOException {
        await(() -> {
            SocketScope.apply();
            return 0;
        });
    }

    /// A directory with what this process has open, for those whom the thread started: into a thread of their own
    /// domain they may look.
    public String descriptors() {
        return descriptors;
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

    /// It is short, and whoever gave up would never learn which process was started: nobody may.
    private int await(Work asked) throws IOException {
        var answer = new CompletableFuture<Integer>();
        Runnable task = () -> answer(asked, answer);
        work.add(task);
        LockSupport.unpark(thread);
        if (ended && work.remove(task)) {
            throw new IOException("nothing is started any more: the server ends");
        }
        try {
            return answer.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case IOException problem -> throw problem;
                case RuntimeException problem -> throw problem;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    private static void answer(Work asked, CompletableFuture<Integer> answer) {
        try {
            int result = asked.run();
            MESSENGER.bring(() -> answer.complete(result));
        } catch (IOException | RuntimeException | Error e) {
            MESSENGER.bring(() -> answer.completeExceptionally(e));
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
