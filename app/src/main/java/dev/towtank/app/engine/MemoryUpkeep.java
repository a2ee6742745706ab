package dev.towtank.app.engine;

import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;

/// Keeps the process small. The serial collector takes all the memory that it may before it looks at old objects, and
/// keeps what it has until somebody needs it: so this collects when much more has gathered than was left the last
/// time, and some times after each busy time.
public final class MemoryUpkeep implements AutoCloseable {

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(15);

    /// Heartbeats and the like need less than this from one look to the next.
    private static final long AT_REST = 16L << 20;

    /// To collect costs a tenth of a second: not for less than this.
    private static final long WORTH_IT = 128L << 20;

    /// In a busy time, so much on top of twice what was left.
    private static final long MUCH = 64L << 20;

    private static final long AFTER_START = 64L << 20;

    /// After how many looks at rest: at once, when the store has packed what the busy time left in its history,
    /// and when nothing of that time is in the history any more.
    private static final Set<Integer> QUIET = Set.of(1, 3, 24);

    private final LongSupplier used;
    private final LongSupplier reserved;
    private final Runnable collect;
    private final Thread thread =
            Thread.ofPlatform().name("memory upkeep").daemon().unstarted(this::run);
    private long before;
    private long left = AFTER_START;
    private int quiet;

    /// @param used how many bytes objects take
    /// @param reserved how many bytes the process has for objects
    MemoryUpkeep(LongSupplier used, LongSupplier reserved, Runnable collect) {
        this.used = used;
        this.reserved = reserved;
        this.collect = collect;
    }

    public static MemoryUpkeep ofThisProcess() {
        var runtime = Runtime.getRuntime();
        var memory =
                new MemoryUpkeep(() -> runtime.totalMemory() - runtime.freeMemory(), runtime::totalMemory, System::gc);
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

    void look() {
        long now = used.getAsLong();
        quiet = Math.abs(now - before) < AT_REST ? quiet + 1 : 0;
        boolean isOver = QUIET.contains(quiet) && reserved.getAsLong() > WORTH_IT;
        if (isOver || now > 2 * left + MUCH) {
            collect.run();
            left = used.getAsLong();
        }
        before = used.getAsLong();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
