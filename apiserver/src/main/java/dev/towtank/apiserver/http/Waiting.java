package dev.towtank.apiserver.http;

import dev.towtank.model.StatusError;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A request that may wait, for its body or for the disk. When it takes too long, the client is told so.
///
/// Work that has its body goes on: interrupting it could hit a write half-way. It is counted until it is over, so work
/// that hangs cannot pile up. Who still waits for the body need not any more: see [Reception].
record Waiting(Reply reply, Deadlines deadlines, Instant deadline, Runnable work) implements Runnable, Deadlines.Item {

    @Override
    public void run() {
        deadlines.add(this);
        try {
            work.run();
        } finally {
            deadlines.remove(this);
        }
    }

    // Each is one of a kind, and there are many: nothing is gained by looking into them.
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public void look(Instant now) {
        if (now.isAfter(deadline)) {
            deadlines.remove(this);
            reply.refuse(new StatusError(
                    StatusError.Reason.TIMEOUT, "Timeout: request did not complete within the allotted timeout"));
        }
    }
}
