package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Body;
import dev.towtank.model.StatusError;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Requests whose bodies take long to read: a few at a time, on threads of their own, so that others have processors
/// and memory meanwhile. Those whose client goes before it is their turn are dropped.
final class Labour implements AutoCloseable {

    /// A reader of YAML takes a microsecond for each byte, and fifty times the text in memory.
    private static final int LONG = 128 * 1024;

    private final ThreadPoolExecutor threads;

    /// @param atOnce how many
    Labour(int atOnce) {
        threads = new ThreadPoolExecutor(
                atOnce,
                atOnce,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("labour-", 0).factory());
    }

    /// Half of the machine, so that whoever asks for something small has the other half.
    static Labour ofThisMachine() {
        return new Labour(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
    }

    static boolean isNeededFor(Body body) {
        return body instanceof Body.Text text
                && text.bytes().length > LONG
                && text.mediaType().endsWith("yaml");
    }

    /// Waits until it is done, or nobody waits for it any more.
    void carryOut(Reply reply, Runnable work) {
        var task = new FutureTask<>(() -> {
            if (reply.isOver()) {
                throw unwanted();
            }
            work.run();
            return true;
        });
        Runnable leave = () -> {
            reply.abandon();
            drop(task);
        };
        reply.request().addFailureListener(_ -> leave.run());
        Disconnection.noticeWhileWorking(reply, leave);
        threads.execute(task);
        if (reply.isOver()) {
            drop(task); // who left before it waited
        }
        try {
            task.get();
        } catch (CancellationException e) {
            throw unwanted();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException problem -> throw problem;
                case Error problem -> throw problem;
                case null, default -> throw new IllegalStateException(e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// If it waits for its turn: meanwhile it has a place among the requests in flight.
    private void drop(FutureTask<?> task) {
        if (threads.remove(task)) {
            task.cancel(false);
        }
    }

    private static StatusError unwanted() {
        return StatusError.badRequest("nobody waits for the answer any more");
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
