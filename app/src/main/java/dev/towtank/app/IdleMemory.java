package dev.towtank.app;

import java.time.Duration;
import java.util.function.LongSupplier;

/// Gives back the memory that a busy time has left behind, once the server has nothing to do. The collector itself
/// would keep it until somebody needs it, which is for ever where nobody asks for anything.
final class IdleMemory implements AutoCloseable {

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(15);

    /// Heartbeats and the like need less than this from one look to the next.
    private static final long AT_REST = 16L << 20;

    /// To collect costs a tenth of a second: not for less than this.
    private static final long WORTH_IT = 128L << 20;

    private final LongSupplier used;
    private final LongSupplier reserved;
    private final Runnable collect;
    private final Thread thread =
            Thread.ofPlatform().name("idle memory").daemon().unstarted(this::run);
    private long before;
    private boolean tidy;

    /// @param used how many bytes objects take
    /// @param reserved how many bytes the process has for objects
    IdleMemory(LongSupplier used, LongSupplier reserved, Runnable collect) {
        this.used = used;
        this.reserved = reserved;
        this.collect = collect;
    }

    static IdleMemory ofThisProcess() {
        var runtime = Runtime.getRuntime();
        var memory =
                new IdleMemory(() -> runtime.totalMemory() - runtime.freeMemory(), runtime::totalMemory, System::gc);
        memory.thread.start();
        return memory;
    }

    private void run() {
        try {
            while (true) {
                synchronized (this) {
                    wait(BETWEEN_LOOKS.toMillis());
                }
                look();
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /// Once after each busy time.
    void look() {
        long now = used.getAsLong();
        boolean rests = Math.abs(now - before) < AT_REST;
        if (!rests) {
            tidy = false;
        } else if (!tidy && reserved.getAsLong() > WORTH_IT) {
            collect.run();
            tidy = true;
        }
        before = used.getAsLong();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
