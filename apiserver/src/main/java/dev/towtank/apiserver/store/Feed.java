package dev.towtank.apiserver.store;

import java.time.Duration;
import java.util.List;

/// A cursor over the changes of a range, in the order of their revisions, none left out.
///
/// A feed holds no queue of its own: it walks the history all feeds share. One that falls behind the history
/// window gets [Expired], and its reader starts again with a list.
public interface Feed extends AutoCloseable {

    /// What has happened since the last call, at most `limit` changes; empty when nothing has.
    ///
    /// @throws Expired when the next change is no longer kept
    /// @throws IllegalStateException when there is nothing and never will be, because the store is closed
    List<Change> poll(int limit);

    /// Like [#poll], but waits for the first change until the time is over or the feed is closed.
    List<Change> await(int limit, Duration longest) throws InterruptedException;

    /// Runs the action once, soon after there is something to poll; at once when there is already. It must not block.
    ///
    /// It takes the place of one that still waits. Closing the store runs it, too; closing the feed drops it.
    void whenReady(Runnable action);

    /// Every change up to this revision has been polled, or lies outside the range: a bookmark.
    long revision();

    @Override
    void close();

    /// The revision asked for lies before the history window.
    final class Expired extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final long asked;
        private final long oldest;

        public Expired(long asked, long oldest) {
            super("revision " + asked + " is gone; the oldest kept is " + oldest, null, false, false);
            this.asked = asked;
            this.oldest = oldest;
        }

        public long asked() {
            return asked;
        }

        public long oldest() {
            return oldest;
        }
    }
}
