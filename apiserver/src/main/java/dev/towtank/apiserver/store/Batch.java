package dev.towtank.apiserver.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Commits that go to disk together: each is checked against the state that those before it will leave.
final class Batch {

    /// Enough to share the cost of a sync, few enough to bound the longest wait and the longest transaction.
    static final int MAX_ENTRIES = 4096;

    private static final int MAX_BYTES = 8 << 20;

    /// One write of a commit, ready to get its revision.
    ///
    /// @param draft null for a check
    record Step(Write write, @Nullable Draft draft) {}

    private final Index index;
    private final Map<Key, KeyVersion> pending = new HashMap<>();
    private final List<History.Happened> happened = new ArrayList<>();
    private final List<Journal.Entry> entries = new ArrayList<>();
    private final List<Long> obsolete = new ArrayList<>();
    private long revision;
    private long bytes;

    Batch(Index index, long revision) {
        this.index = index;
        this.revision = revision;
    }

    List<History.Happened> happened() {
        return happened;
    }

    List<Journal.Entry> entries() {
        return entries;
    }

    /// The entries that this batch makes meaningless, each after those whose meaning hangs on it.
    List<Long> obsolete() {
        return obsolete;
    }

    boolean isFull() {
        return entries.size() >= MAX_ENTRIES || bytes >= MAX_BYTES;
    }

    /// Takes all steps in, or none when one finds its key other than expected.
    ///
    /// @throws Store.Conflict and the batch is as before
    List<Change> add(List<Step> steps) {
        // A commit writes a key only once, so what is found for one step still holds when it is taken in.
        var found = new @Nullable KeyVersion[steps.size()];
        for (int i = 0; i < found.length; i++) {
            found[i] = newest(steps.get(i).write.key());
            check(steps.get(i).write, live(found[i]));
        }
        var changes = new ArrayList<Change>(steps.size());
        for (int i = 0; i < found.length; i++) {
            var step = steps.get(i);
            if (step.draft != null) {
                changes.add(add(step.write, step.draft, found[i]));
            }
        }
        return changes;
    }

    private static void check(Write write, @Nullable Stored found) {
        long present = found == null ? 0 : found.revision();
        boolean asExpected = switch (write) {
            case Write.Create _ -> found == null;
            case Write.Update update -> found != null && update.expected() == present;
            case Write.Delete delete -> found != null && delete.expected() == present;
            case Write.Check check -> check.expected() == present;
        };
        if (!asExpected) {
            throw new Store.Conflict(write.key(), found);
        }
    }

    private static @Nullable Stored live(@Nullable KeyVersion version) {
        return version == null || version.isDeleted() ? null : version.stored();
    }

    private @Nullable KeyVersion newest(Key key) {
        var version = pending.get(key);
        return version == null ? index.newest(key) : version;
    }

    private Change add(Write write, Draft draft, @Nullable KeyVersion older) {
        var stored = draft.at(write.key(), ++revision);
        bytes += stored.weight();
        if (write instanceof Write.Delete) {
            entries.add(new Journal.Remove(write.key(), revision));
            return add(Change.Type.DELETED, stored, older);
        }
        entries.add(new Journal.Put(stored));
        return add(write instanceof Write.Create ? Change.Type.CREATED : Change.Type.UPDATED, stored, older);
    }

    private Change add(Change.Type type, Stored now, @Nullable KeyVersion older) {
        var before = live(older);
        boolean deleted = type == Change.Type.DELETED;
        if (before != null) {
            obsolete.add(before.revision());
        }
        if (deleted) {
            obsolete.add(now.revision());
        }
        var version = new KeyVersion(now, deleted, older);
        pending.put(now.key(), version);
        var change = new Change(type, now, before);
        happened.add(new History.Happened(change, version));
        return change;
    }

    /// Deletes everything that the batch and the index have in a cluster; to be written as one entry.
    int drop(Range cluster) {
        var going = index.list(cluster, Long.MAX_VALUE);
        for (var stored : going) {
            var deleted = stored.deletedAt(++revision);
            var version = new KeyVersion(deleted, true, newest(stored.key()));
            obsolete.add(stored.revision());
            happened.add(new History.Happened(new Change(Change.Type.DELETED, deleted, stored), version));
        }
        if (!going.isEmpty()) {
            entries.add(new Journal.Drop(cluster.cluster().orElseThrow(), revision));
            obsolete.add(revision);
        }
        return going.size();
    }
}
