package dev.towtank.apiserver.store;

import org.jspecify.annotations.Nullable;

/// One state of a key, linked to the state before it as far as history is kept.
final class KeyVersion {

    private final Stored stored;
    private final boolean deleted;
    private volatile @Nullable KeyVersion older;
    // Only the thread that writes asks.
    private boolean superseded;

    KeyVersion(Stored stored, boolean deleted, @Nullable KeyVersion older) {
        this.stored = stored;
        this.deleted = deleted;
        this.older = older;
    }

    /// For a deletion, the last state.
    Stored stored() {
        return stored;
    }

    long revision() {
        return stored.revision();
    }

    boolean isDeleted() {
        return deleted;
    }

    /// Whether it is what its key holds, and the key holds something.
    boolean isCurrent() {
        return !superseded && !deleted;
    }

    /// From now on it is what its key holds, and the one before is not.
    void publish() {
        var before = older;
        if (before != null) {
            before.superseded = true;
            before.stored.supersede();
        }
    }

    /// What the key held at a revision; null when it did not exist.
    @Nullable
    Stored at(long revision) {
        var version = this;
        while (version.stored.revision() > revision) {
            version = version.older;
            if (version == null) {
                return null;
            }
        }
        return version.deleted ? null : version.stored;
    }

    void forgetOlder() {
        older = null;
    }
}
