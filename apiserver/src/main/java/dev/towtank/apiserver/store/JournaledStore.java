package dev.towtank.apiserver.store;

import dev.towtank.model.LogicalCluster;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The store: everything is read from memory, and every write goes through a [Journal] first.
public final class JournaledStore implements Store {

    /// Counting on beyond a page costs time; who has more left than this is not told how many.
    private static final int MAX_COUNTED = 10_000;

    private final Index index;
    private final History history;
    private final Committer committer;
    private final Journal journal;
    private final AutoCloseable directory;

    /// Opens the store in a directory, which is made where it is missing, and keeps other processes out of it.
    ///
    /// @param owner says who uses it, to whoever else tries
    /// @throws Damaged when the files are not what was written
    /// @throws TooNew when a later version has written them
    /// @throws DirectoryLock.Taken when another process, or another store of this one, uses the directory
    public static Store open(Path directory, InstantSource clock, StoreLimits limits, String owner) {
        var lock = DirectoryLock.acquire(directory, owner);
        try {
            return new JournaledStore(SqliteJournal.open(directory), clock, limits, lock);
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /// Loads what takes longest to load, for a start that has something else to do meanwhile.
    public static void warmUp() {
        SqliteFile.warmUp();
    }

    /// A store that is gone when closed, and in which no time passes: its history does not age.
    public static Store inMemory() {
        return over(new MemoryJournal(), InstantSource.fixed(Instant.EPOCH), StoreLimits.DEFAULT);
    }

    public static Store inMemory(InstantSource clock, StoreLimits limits) {
        return over(new MemoryJournal(), clock, limits);
    }

    static Store over(Journal journal, InstantSource clock, StoreLimits limits) {
        return new JournaledStore(journal, clock, limits, () -> {});
    }

    private JournaledStore(Journal journal, InstantSource clock, StoreLimits limits, AutoCloseable directory) {
        this.journal = journal;
        this.directory = directory;
        this.index = new Index();
        var obsolete = new ArrayDeque<Long>();
        long revision;
        try {
            revision = journal.load(entry -> replay(entry, index, obsolete));
        } catch (RuntimeException e) {
            journal.close();
            throw e;
        }
        var packing = new Packing();
        this.history = new History(index, revision, clock, limits, packing);
        this.committer = new Committer(index, history, journal, packing, obsolete);
        committer.start();
    }

    /// Puts an entry into the index, and the entries that it makes meaningless into the queue.
    static void replay(Journal.Entry entry, Index index, ArrayDeque<Long> obsolete) {
        switch (entry) {
            case Journal.Put(var stored) -> {
                var before = index.put(new KeyVersion(stored, false, null));
                if (before != null) {
                    obsolete.add(before.revision());
                }
            }
            case Journal.Remove(var key, var revision) -> {
                var before = index.newest(key);
                if (before != null) {
                    obsolete.add(before.revision());
                    index.remove(key);
                }
                obsolete.add(revision);
            }
            case Journal.Drop(var cluster, var revision) -> {
                for (var stored : index.list(Range.of(cluster), revision)) {
                    obsolete.add(stored.revision());
                    index.remove(stored.key());
                }
                obsolete.add(revision);
            }
        }
    }

    @Override
    public List<Change> commit(List<Write> writes) {
        var steps = new ArrayList<Batch.Step>(writes.size());
        var written = new HashSet<Key>();
        for (var write : writes) {
            KeyText.check(write.key());
            var draft = switch (write) {
                case Write.Create(var key, var object) -> new Draft(key, object);
                case Write.Update(var key, var _, var object) -> new Draft(key, object);
                case Write.Delete(var key, var _, var object) -> new Draft(key, object);
                case Write.Check _ -> null;
            };
            if (draft != null && !written.add(write.key())) {
                throw new IllegalArgumentException("a commit writes a key only once: " + write.key());
            }
            steps.add(new Batch.Step(write, draft));
        }
        return committer.commit(steps);
    }

    @Override
    public @Nullable Stored get(Key key) {
        while (true) {
            long at = history.revision();
            var newest = index.newest(key);
            var found = newest == null ? null : newest.at(at);
            if (isKept(at)) {
                return found;
            }
        }
    }

    @Override
    public Page list(Range range, long at, @Nullable Key after, int limit) {
        while (true) {
            long current = history.revision();
            if (at > current) {
                throw new Future(at, current);
            }
            long revision = at == 0 ? current : at;
            var page = page(range, revision, after, limit);
            if (isKept(revision)) {
                return page;
            }
            if (at != 0) {
                throw new Feed.Expired(at, history.oldest());
            }
        }
    }

    // Asked after reading: if the window has moved past the revision meanwhile, what was read may have gaps.
    private boolean isKept(long revision) {
        return revision >= history.oldest();
    }

    private Page page(Range range, long at, @Nullable Key after, int limit) {
        var items = new ArrayList<Stored>();
        var rest = new int[1];
        index.scan(range, at, after, stored -> {
            if (limit <= 0 || items.size() < limit) {
                return items.add(stored);
            }
            return ++rest[0] <= MAX_COUNTED;
        });
        var remaining = limit <= 0 || rest[0] > MAX_COUNTED ? Optional.<Long>empty() : Optional.of((long) rest[0]);
        return new Page(at, items, rest[0] > 0, remaining);
    }

    @Override
    public int count(Range range) {
        while (true) {
            long at = history.revision();
            var count = new int[1];
            index.scan(range, at, null, _ -> ++count[0] > 0);
            if (isKept(at)) {
                return count[0];
            }
        }
    }

    @Override
    public Feed feed(Range range, long since) {
        return history.feed(range, since);
    }

    @Override
    public long revision() {
        return history.revision();
    }

    @Override
    public long oldest() {
        return history.oldest();
    }

    @Override
    public void compact(long revision) {
        committer.compact(revision);
    }

    @Override
    public int drop(LogicalCluster cluster) {
        return committer.drop(cluster);
    }

    @Override
    public void close() {
        committer.close();
        history.close();
        journal.close();
        try {
            directory.close();
        } catch (Exception e) {
            throw new IllegalStateException("cannot release the directory of the store", e);
        }
    }
}
