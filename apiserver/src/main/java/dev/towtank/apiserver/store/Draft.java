package dev.towtank.apiserver.store;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;

/// An object with all but its revision filled in: the costly part of a write, done in the caller's thread.
final class Draft {

    /// Far beyond what the API accepts.
    static final int MAX_BYTES = 16 << 20;

    private final Json.Obj object;
    private final Json.Obj metadata;
    private final JsonText.Halves text;

    Draft(Key key, Json.Obj object) {
        this.object = object;
        this.metadata = object.object("metadata").without("resourceVersion");
        this.text = JsonText.halves(object);
        if (text.length() > MAX_BYTES) {
            throw new IllegalArgumentException(
                    key + " has " + text.length() + " bytes; at most " + MAX_BYTES + " are stored");
        }
    }

    Stored at(Key key, long revision) {
        var stamped = metadata.with("resourceVersion", Json.of(Long.toString(revision)));
        return new Stored(key, revision, text.join(revision), object.with("metadata", stamped));
    }
}
