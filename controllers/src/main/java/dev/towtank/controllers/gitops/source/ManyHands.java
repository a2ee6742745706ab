package dev.towtank.controllers.gitops.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/// The same work for many, several at a time: each of them waits for the disk or the network more than it works.
public final class ManyHands {

    private static final int AT_ONCE = 16;

    private ManyHands() {}

    @FunctionalInterface
    public interface Work<T, R> {
        R done(T item) throws IOException;
    }

    /// What came of each, in their order. Where one throws, the others come to their end.
    public static <T, R> List<R> each(List<T> items, Work<T, R> work) throws IOException, InterruptedException {
        if (items.size() == 1) {
            return List.of(work.done(items.getFirst()));
        }
        var room = new Semaphore(AT_ONCE);
        var begun = new ArrayList<Future<R>>();
        try (var hands = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var item : items) {
                room.acquire();
                begun.add(hands.submit(() -> {
                    try {
                        return work.done(item);
                    } finally {
                        room.release();
                    }
                }));
            }
        }
        var all = new ArrayList<R>();
        for (var each : begun) {
            all.add(ended(each));
        }
        return all;
    }

    private static <R> R ended(Future<R> work) throws IOException, InterruptedException {
        try {
            return work.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException problem -> throw problem;
                case RuntimeException mistake -> throw mistake;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }
}
