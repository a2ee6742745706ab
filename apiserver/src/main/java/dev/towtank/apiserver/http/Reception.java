package dev.towtank.apiserver.http;

import java.io.EOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Waiting for the body of one request.
///
/// It ends with the answer at the latest, which may be that it took too long: Jetty then forgets who waits for the
/// rest, and would never wake them. So they are interrupted, but nobody else is: what a request does once it has its
/// body, such as a write, must not be cut off half-way.
final class Reception {

    private @Nullable Thread reader;
    private boolean over;

    @FunctionalInterface
    interface Reading<T> {
        T read() throws IOException;
    }

    /// @throws IOException when the request is answered meanwhile, too
    <T> T read(Reading<T> reading) throws IOException {
        begin();
        try {
            return reading.read();
        } finally {
            end();
        }
    }

    private synchronized void begin() throws EOFException {
        if (over) {
            throw new EOFException("the request has been answered already");
        }
        reader = Thread.currentThread();
    }

    private synchronized void end() {
        reader = null;
        if (over) {
            // It was meant for the reading, which may have been quicker.
            var _ = Thread.interrupted();
        }
    }

    /// Nobody needs the body any more.
    synchronized void stop() {
        over = true;
        if (reader != null) {
            reader.interrupt();
        }
    }
}
