package dev.towtank.apiserver.store;

import dev.towtank.model.Json;

/// A change of one key, with what must be true for it.
public sealed interface Write {

    Key key();

    /// The key must not exist.
    record Create(Key key, Json.Obj object) implements Write {}

    /// The key must exist at exactly this revision.
    record Update(Key key, long expected, Json.Obj object) implements Write {}

    /// The key must exist at exactly this revision.
    ///
    /// The object is its last state, which watchers see; its resourceVersion becomes that of the deletion.
    record Delete(Key key, long expected, Json.Obj object) implements Write {}

    /// Nothing is written; the key must exist at exactly this revision, or not at all when it is 0.
    record Check(Key key, long expected) implements Write {}
}
