package dev.towtank.cluster.web;

import java.util.Optional;
import java.util.concurrent.Semaphore;

/// How much of what requests carry a feature has in memory at once, over all that ask it. Who says how much is to come
/// takes that much; who does not say takes as much as may come.
public final class BodyRoom {

    private final Semaphore kilobytes;
    private final long largestBody;

    /// @param bytes for all bodies together
    /// @param largestBody what a single one may have, and not more than all
    public BodyRoom(long bytes, long largestBody) {
        if (largestBody > bytes) {
            throw new IllegalArgumentException("no body of " + largestBody + " bytes has room in " + bytes);
        }
        this.kilobytes = new Semaphore(Math.toIntExact(bytes >> 10));
        this.largestBody = largestBody;
    }

    /// Given back when whoever handles the request is done with its body.
    public interface Taken extends AutoCloseable {
        @Override
        void close();
    }

    /// Empty when there is no room just now: see [#full].
    public Optional<Taken> take(WebRequest request) {
        int size = (int) Math.max(1, (bytes(request) + 1023) >> 10);
        return kilobytes.tryAcquire(size) ? Optional.of(() -> kilobytes.release(size)) : Optional.empty();
    }

    private long bytes(WebRequest request) {
        var length = request.header("content-length");
        if (length.isEmpty()) {
            return request.method().equals("GET") ? 0 : largestBody;
        }
        try {
            return Math.clamp(Long.parseLong(length), 0, largestBody);
        } catch (NumberFormatException e) {
            return largestBody;
        }
    }

    /// What is answered without room.
    public static WebResponse full() {
        return WebResponse.text(503, "too many large requests are under way; try again in a moment\n")
                .with("Retry-After", "1");
    }
}
