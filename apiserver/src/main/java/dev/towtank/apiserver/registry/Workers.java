package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.admission.Passage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Does the same to many, several at once: writes that wait for the disk together share one sync of it.
final class Workers<T> {

    private static final int MOST = 32;
    /// A worker for fewer than this is not worth it; what is few is done in order.
    private static final int ITEMS_FOR_EACH = 16;

    private final List<T> items;
    private final Predicate<T> work;
    private final boolean[] chosen;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private Workers(List<T> items, Predicate<T> work) {
        this.items = items;
        this.work = work;
        this.chosen = new boolean[items.size()];
    }

    /// The items that the work says yes to, in their order. After a failure no more is begun, and it is thrown when all
    /// that was begun is over.
    static <T> List<T> filter(List<T> items, Predicate<T> work) {
        int count = Math.min(MOST, items.size() / ITEMS_FOR_EACH);
        return count < 2 ? items.stream().filter(work).toList() : new Workers<>(items, work).filter(count);
    }

    private List<T> filter(int count) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < count; i++) {
                threads.execute(Passage.carried(this::run));
            }
        }
        switch (failure.get()) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> {
                // all is done
            }
        }
        var all = new ArrayList<T>();
        for (int i = 0; i < chosen.length; i++) {
            if (chosen[i]) {
                all.add(items.get(i));
            }
        }
        return all;
    }

    private void run() {
        try {
            for (int i = next.getAndIncrement(); i < chosen.length; i = next.getAndIncrement()) {
                chosen[i] = work.test(items.get(i));
            }
        } catch (RuntimeException | Error e) {
            next.set(chosen.length);
            failure.compareAndSet(null, e);
        }
    }
}
