package dev.towtank.apiserver.store;

import dev.towtank.apiserver.Content;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/// One version of one object: the bytes as they are served, and their tree, parsed when first asked for.
///
/// The tree that a write leaves is there for those who follow changes, and goes with the next collection. Who needs it
/// later makes it again, and from then on it is held softly: memory holds every object's bytes, and the trees of
/// those in use. Of an object that has settled it holds the bytes softly, too, and for good only their packed form.
public final class Stored implements Content {

    private static final int LARGE = 64 << 10;

    private final Key key;
    private final long revision;
    // The same object under its former revision, where the bytes are made only when somebody asks for them.
    private final @Nullable Stored former;
    private volatile byte @Nullable [] bytes;
    private volatile Packing.@Nullable Packed packed;
    private volatile @Nullable SoftReference<byte[]> unpacked;
    private volatile @Nullable Reference<Json.Obj> tree;

    public Stored(Key key, long revision, byte[] bytes) {
        this(key, revision, bytes, null, null);
    }

    /// Spares the first reader the parsing: the tree must be what the bytes say.
    Stored(Key key, long revision, byte[] bytes, Json.Obj tree) {
        this(key, revision, bytes, new WeakReference<>(tree), null);
    }

    private Stored(
            Key key,
            long revision,
            byte @Nullable [] bytes,
            @Nullable Reference<Json.Obj> tree,
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
        if (text != null) {
            return text;
        }
        var small = packed;
        if (small != null) {
            return unpack(small);
        }
        if (former == null) {
            throw new IllegalStateException(this + " has no text");
        }
        text = JsonText.halves(former.tree()).join(revision);
        bytes = text;
        return text;
    }

    private byte[] unpack(Packing.Packed small) {
        var reference = unpacked;
        var text = reference == null ? null : reference.get();
        if (text == null) {
            text = small.unpack();
            unpacked = new SoftReference<>(text);
        }
        return text;
    }

    /// There is a newer version. Who still has to see this one may find its tree, unless it is large: of something that
    /// changes often, many would be held for as long as softly means.
    void supersede() {
        var text = bytes;
        var parsed = tree instanceof SoftReference<Json.Obj> reference ? reference.get() : null;
        if (text != null && text.length > LARGE) {
            tree = null;
        } else if (parsed != null) {
            tree = new WeakReference<>(parsed);
        }
    }

    /// Null where the text is packed, or was not made yet.
    byte @Nullable [] text() {
        return bytes;
    }

    /// From now on the text is held in its packed form.
    void pack(Packing.Packed small) {
        // In this order: a reader that misses the text finds the packed one.
        packed = small;
        bytes = null;
        tree = null;
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
        var small = packed;
        return text != null ? text.length : small != null ? small.weight() : 0;
    }

    @Override
    public String toString() {
        return key + "@" + revision;
    }
}
