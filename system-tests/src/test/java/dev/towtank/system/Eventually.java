package dev.towtank.system;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// What becomes true a moment after something else has been seen: it is asked for until it is.
final class Eventually {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private Eventually() {}

    /// Something that fails until it is true.
    interface Claim {
        void check() throws IOException, InterruptedException;
    }

    /// Something that fails until there is an answer.
    interface Question<T> {
        T ask() throws IOException, InterruptedException;
    }

    /// What fails for two minutes fails.
    static void holds(Claim claim) {
        boolean _ = answer(() -> {
            claim.check();
            return true;
        });
    }

    static <T> T answer(Question<T> question) {
        var end = Instant.now().plus(PATIENCE);
        while (true) {
            try {
                return question.ask();
            } catch (AssertionError e) {
                if (Instant.now().isAfter(end)) {
                    throw e;
                }
            } catch (IOException e) {
                if (Instant.now().isAfter(end)) {
                    throw new AssertionError("it failed for " + PATIENCE, e);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    /// The address of a service is listened on a moment after it is told.
    static void listens(String host, int port) {
        holds(() -> new Socket(host, port).close());
    }
}
