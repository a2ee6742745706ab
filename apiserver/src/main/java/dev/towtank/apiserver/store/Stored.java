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
    // The same object under its former revision, where the bytes are made only when somebody asks for them.
    private final @Nullable Stored former;
    private volatile byte @Nullable [] bytes;
    private volatile @Nullable SoftReference<Json.Obj> tree;

    public Stored(Key key, long revision, byte[] bytes) {
        this(key, revision, bytes, null, null);
    }

    /// Spares the first reader the parsing: the tree must be what the bytes say.
    Stored(Key key, long revision, byte[] bytes, Json.Obj tree) {
        this(key, revision, bytes, new SoftReference<>(tree), null);
    }

    private Stored(
            Key key,
            long revision,
            byte @Nullable [] bytes,
            @Nullable SoftReference<Json.Obj> tree,
            @Nullable Stored former) {
        this.key = key;
        this.revision = revision;
        this.bytes = bytes;
        this.tree = tree;
        this.former = former;
    }

    /// The last state of an object that went with its whole logical cluster. Nobody may ever look at it, so it costs
    /// nothing until somebody does.
    Stored deletedAt(long deletion) {
        return new Stored(key, deletion, null, null, this);
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
        var text = bytes;
        if (text == null) {
            if (former == null) {
                throw new IllegalStateException(this + " has no text");
            }
            text = JsonText.halves(former.tree()).join(revision);
            bytes = text;
        }
        return text;
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
            parsed = JsonText.parseObject(bytes());
            tree = new SoftReference<>(parsed);
        }
        return parsed;
    }

    /// The tree's metadata, without reading the rest where nobody has read it yet.
    public Json.Obj metadata() {
        var reference = tree;
        var parsed = reference == null ? null : reference.get();
        if (parsed != null) {
            return parsed.object("metadata");
        }
        return JsonText.field(bytes(), "metadata").orElse(Json.Obj.EMPTY) instanceof Json.Obj metadata
                ? metadata
                : Json.Obj.EMPTY;
    }

    /// How much memory the text takes at present.
    int weight() {
        var text = bytes;
        return text == null ? 0 : text.length;
    }

    @Override
    public String toString() {
        return key + "@" + revision;
    }
}
