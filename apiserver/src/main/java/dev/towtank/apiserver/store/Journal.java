package dev.towtank.apiserver.store;

import dev.towtank.model.LogicalCluster;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/// Where commits become durable. It knows nothing of versions or history: it gets entries and gives them back.
///
/// One thread uses it at a time.
interface Journal extends AutoCloseable {

    /// What is written down for a revision.
    sealed interface Entry {
        long revision();
    }

    record Put(Stored stored) implements Entry {
        @Override
        public long revision() {
            return stored.revision();
        }
    }

    record Remove(Key key, long revision) implements Entry {}

    /// Everything in a logical cluster went; the revision is that of the last deletion.
    record Drop(LogicalCluster cluster, long revision) implements Entry {}

    /// Hands out every entry in the order of revisions.
    ///
    /// @return the newest revision ever appended, whose entry may have become obsolete
    /// @throws Store.Damaged when it is not what was appended
    long load(Consumer<Entry> reader);

    /// Appends the entries and forgets obsolete ones: all or nothing, and on disk once this returns.
    ///
    /// @param obsolete revisions of entries that later entries make meaningless
    /// @throws IOException when nothing of it was written
    void append(List<Entry> entries, List<Long> obsolete) throws IOException;

    /// A bounded piece of upkeep, done when nobody waits.
    void tidy() throws IOException;

    @Override
    void close();
}
