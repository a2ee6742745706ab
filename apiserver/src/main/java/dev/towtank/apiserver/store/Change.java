package dev.towtank.apiserver.store;

import org.jspecify.annotations.Nullable;

/// What a revision did to one key, as watchers see it.
///
/// @param now the object after the change; for a deletion its last state, carrying the revision of the deletion
/// @param before what was there, or null where the key was new
public record Change(Type type, Stored now, @Nullable Stored before) {

    public enum Type {
        CREATED,
        UPDATED,
        DELETED
    }

    public Key key() {
        return now.key();
    }

    public long revision() {
        return now.revision();
    }
}
