package dev.towtank.apiserver.store;

import dev.towtank.model.LogicalCluster;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// All durability and ordering of the platform: objects by key, one revision counter, and their recent history.
///
/// A commit that has returned survives the death of the process and of the machine. Reads never wait for writes. Every
/// implementation passes `StoreContract`.
public interface Store extends AutoCloseable {

    /// Writes all or nothing, and returns once it is on disk. Each write gets a revision of its own, in their order.
    ///
    /// @return the changes in the order of the writes, without the checks
    /// @throws Conflict when a key is not as a write expects it
    /// @throws Unavailable when the storage cannot take it now: disk full, file system error
    List<Change> commit(List<Write> writes);

    default Stored commit(Write write) {
        return commit(List.of(write)).getFirst().now();
    }

    @Nullable
    Stored get(Key key);

    /// The objects of a range in key order as they were at one revision.
    ///
    /// @param at the revision, or 0 for the newest
    /// @param after where the page begins: the first key greater than this, or null for the beginning
    /// @param limit how many at most, or 0 for all
    /// @throws Feed.Expired when the revision is older than the history window
    /// @throws Future when the revision has not been reached yet
    Page list(Range range, long at, @Nullable Key after, int limit);

    /// How many objects a range has now.
    int count(Range range);

    /// The changes of a range after a revision.
    ///
    /// @throws Feed.Expired when the revision is older than the history window
    Feed feed(Range range, long since);

    /// The newest committed revision. It never goes down, also across restarts.
    long revision();

    /// The oldest revision that lists and feeds may start from.
    long oldest();

    /// Forgets the history before a revision; the newest state stays.
    void compact(long revision);

    /// Removes every object of a logical cluster in one step. Feeds see each deletion.
    ///
    /// @return how many objects went
    int drop(LogicalCluster cluster);

    @Override
    void close();

    /// A consistent part of a list.
    ///
    /// @param revision of the whole list, the same for all its pages
    /// @param more whether the range goes on after the last item
    /// @param remaining how many items follow, where that is cheap to say
    record Page(long revision, List<Stored> items, boolean more, Optional<Long> remaining) {
        public Page {
            items = List.copyOf(items);
        }
    }

    /// A key was not as a write expected it.
    final class Conflict extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient Key key;
        private final transient @Nullable Stored found;

        public Conflict(Key key, @Nullable Stored found) {
            super(
                    key + (found == null ? " does not exist" : " is at revision " + found.revision()),
                    null,
                    false,
                    false);
            this.key = key;
            this.found = found;
        }

        public Key key() {
            return key;
        }

        /// What is there instead; null when there is nothing.
        public @Nullable Stored found() {
            return found;
        }
    }

    /// A list asked for a revision that has not been written yet.
    final class Future extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final long asked;
        private final long current;

        public Future(long asked, long current) {
            super("revision " + asked + " is in the future; the current one is " + current, null, false, false);
            this.asked = asked;
            this.current = current;
        }

        public long asked() {
            return asked;
        }

        public long current() {
            return current;
        }
    }

    /// The storage cannot take a write now; nothing of it was written. It may work again later.
    final class Unavailable extends RuntimeException {
        private static final long serialVersionUID = 1;

        public Unavailable(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /// The files are not what we wrote. Found when opening; such a store is never served.
    final class Damaged extends RuntimeException {
        private static final long serialVersionUID = 1;

        public Damaged(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /// A later version has written the files; this one cannot know what they mean.
    final class TooNew extends RuntimeException {
        private static final long serialVersionUID = 1;

        public TooNew(String message) {
            super(message);
        }
    }
}
