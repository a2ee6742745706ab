package dev.towtank.cluster;

import dev.towtank.model.Resource;
import java.time.Duration;
import java.util.List;

/// Changes of selected objects in order. Closed by whoever opened it.
public interface Watch extends AutoCloseable {

    sealed interface Event {}

    record Added(Resource object) implements Event {}

    record Modified(Resource object) implements Event {}

    /// The object's last state.
    record Deleted(Resource object) implements Event {}

    /// Nothing before this revision is still to come.
    record Bookmark(String resourceVersion) implements Event {}

    /// What has come, waiting for the first event until the time is over; empty when nothing came.
    ///
    /// @throws dev.towtank.model.StatusError with reason Expired when the watch must start again from a list
    /// @throws Ended when the server ended the watch in the ordinary way
    List<Event> next(Duration longest) throws InterruptedException;

    @Override
    void close();

    /// The server ended the watch, as servers do after some minutes; open another from the last revision seen.
    final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1;

        public Ended() {
            super("the server ended the watch", null, false, false);
        }
    }
}
