package dev.towtank.apiserver.store;

import dev.towtank.apiserver.Content;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import java.lang.ref.SoftReference;
import org.jspecify.annotations.Nullable;

/// One version of one object: the bytes as they are served, and their tree, parsed when first asked for.
///
/// The tree is held softly: memory holds every object's bytes, and the trees of those in use.
public final class Stored implements Content {

    private final Key key;
    private final long revision;
    private final byte[] bytes;
    private volatile @Nullable SoftReference<Json.Obj> tree;

    public Stored(Key key, long revision, byte[] bytes) {
        this.key = key;
        this.revision = revision;
        this.bytes = bytes;
    }

    public Key key() {
        return key;
    }

    /// The revision that wrote this version: the object's resourceVersion.
    public long revision() {
        return revision;
    }

    @Override
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public LogicalCluster cluster() {
        return key.cluster();
    }

    @Override
    public Json.Obj tree() {
        var reference = tree;
        var parsed = reference == null ? null : reference.get();
        if (parsed == null) {
            parsed = JsonText.parseObject(bytes);
            tree = new SoftReference<>(parsed);
        }
        return parsed;
    }

    @Override
    public String toString() {
        return key + "@" + revision;
    }
}
