package dev.towtank.apiserver;

import java.time.Duration;
import java.util.List;

/// The events of a watch, in order, after selection and conversion.
public interface WatchStream extends AutoCloseable {

    enum Type {
        ADDED,
        MODIFIED,
        DELETED,
        BOOKMARK
    }

    record Event(Type type, Content object) {}

    /// What there is now, at most `limit` events; empty when there is nothing.
    ///
    /// @throws dev.towtank.model.StatusError with reason Expired when this reader was too slow
    List<Event> poll(int limit);

    /// Like [#poll], but waits for the first event until the time is over.
    List<Event> await(int limit, Duration longest) throws InterruptedException;

    /// Runs the action once, soon after there is something to poll; at once when there is already. It must not block.
    void whenReady(Runnable action);

    /// Whether what is watched is no more, as that of a logical cluster that was deleted.
    default boolean isOver() {
        return false;
    }

    /// A bookmark of where this stream is now, for clients that asked for them.
    Event bookmark();

    @Override
    void close();
}
