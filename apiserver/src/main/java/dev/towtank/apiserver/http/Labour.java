package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Body;
import dev.towtank.model.StatusError;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Requests whose bodies take long to read: a few at a time, on threads of their own, so that others have processors
/// and
/// memory meanwhile. Those whose client is gone when it is their turn are dropped.
final class Labour implements AutoCloseable {

    /// A reader of YAML takes a microsecond for each byte, and fifty times the text in memory.
    private static final int LONG = 128 * 1024;

    private final ExecutorService threads;

    /// @param atOnce how many
    Labour(int atOnce) {
        threads = Executors.newFixedThreadPool(
                atOnce, Thread.ofPlatform().daemon().name("labour-", 0).factory());
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

    /// Waits until it is done.
    void carryOut(Reply reply, Runnable work) {
        reply.request().addFailureListener(_ -> reply.abandon());
        Disconnection.noticeWhileWorking(reply, reply::abandon);
        var task = threads.submit(() -> {
            if (reply.isOver()) {
                throw StatusError.badRequest("nobody waits for the answer any more");
            }
            work.run();
        });
        try {
            task.get();
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

    @Override
    public void close() {
        threads.shutdown();
    }
}
