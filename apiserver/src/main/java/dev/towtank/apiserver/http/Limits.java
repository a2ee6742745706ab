package dev.towtank.apiserver.http;

import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.StatusError.Reason;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts what is under way, and refuses what would be too much.
final class Limits {

    private final Counter readOnly;
    private final Counter mutating;
    private final Counter longRunning;

    Limits(Options options) {
        readOnly = new Counter(options.readOnly());
        mutating = new Counter(options.mutating());
        longRunning = new Counter(options.longRunning());
    }

    Counter of(Route.OnResource route) {
        return route.isLongRunning() ? longRunning : route.verb().isReadOnly() ? readOnly : mutating;
    }

    Counter readOnly() {
        return readOnly;
    }

    Counter mutating() {
        return mutating;
    }

    Counter longRunning() {
        return longRunning;
    }

    static final class Counter {
        private final int most;
        private final AtomicInteger current = new AtomicInteger();

        Counter(int most) {
            this.most = most;
        }

        int current() {
            return current.get();
        }

        /// Whoever gets past this calls [#leave] once.
        ///
        /// @param exempt counted, but never refused: who repairs an overloaded server must get in
        /// @throws StatusError TooManyRequests
        void enter(boolean exempt) {
            if (current.incrementAndGet() > most && !exempt) {
                current.decrementAndGet();
                throw new StatusError(
                        Reason.TOO_MANY_REQUESTS,
                        "Too many requests, please try again later.",
                        Json.Obj.of("retryAfterSeconds", Json.of(1)));
            }
        }

        void leave() {
            current.decrementAndGet();
        }
    }
}
