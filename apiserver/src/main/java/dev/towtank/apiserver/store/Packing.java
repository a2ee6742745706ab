package dev.towtank.apiserver.store;

import dev.towtank.model.GroupResource;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// Keeps small what has settled: objects that nobody has written for minutes, and versions in the history that
/// most have seen. Most of what a busy server holds has ended, and waits to be looked at one day, perhaps.
///
/// Objects of a kind are much alike, so some are written down together, as what differs from a sample and from each
/// other: about a tenth of their text. Only the thread that writes packs; anybody may unpack.
final class Packing implements AutoCloseable {

    /// Below this, what it takes to remember the packed form is most of it.
    private static final int WORTH_IT = 400;

    /// The more text is packed together, the smaller it gets, and the longer it takes to read one of them again: some
    /// hundredths of a millisecond.
    private static final int TOGETHER = 16 << 10;

    /// Some tens of megabytes.
    private static final int MOST_WAITING = 1 << 14;

    /// Deflate looks back no further.
    private static final int LARGEST_SAMPLE = 32 << 10;

    private final ArrayDeque<Waiting> settled = new ArrayDeque<>();
    private final Map<Shelf, Group> gathered = new LinkedHashMap<>();
    private final Map<GroupResource, byte[]> samples = new HashMap<>();
    private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    private final byte[] buffer = new byte[16 << 10];

    private record Waiting(Stored stored, boolean lasts) {}

    /// What stays for long is not packed with what will be forgotten soon: a block goes when all of it has gone.
    private record Shelf(GroupResource resource, boolean lasts) {}

    private record Member(Stored stored, int from, int until) {}

    private static final class Group {
        private final List<Member> members = new ArrayList<>();
        private final ByteArrayOutputStream text = new ByteArrayOutputStream();

        private void add(Stored stored, byte[] bytes) {
            int from = text.size();
            text.writeBytes(bytes);
            members.add(new Member(stored, from, text.size()));
        }
    }

    /// Texts, one after another, as their difference from a sample.
    private static final class Block {
        private final byte[] difference;
        private final byte[] sample;
        private final int length;

        private Block(byte[] difference, byte[] sample, int length) {
            this.difference = difference;
            this.sample = sample;
            this.length = length;
        }

        private byte[] unpack(int from, int until) {
            var inflater = new Inflater(true);
            try {
                inflater.setDictionary(sample);
                inflater.setInput(difference);
                var text = new byte[until];
                int read = inflater.inflate(text);
                if (read != until) {
                    throw new IllegalStateException("a packed object ends at " + read + " instead of " + until);
                }
                return from == 0 ? text : Arrays.copyOfRange(text, from, until);
            } catch (DataFormatException e) {
                throw new IllegalStateException("a packed object cannot be read", e);
            } finally {
                inflater.end();
            }
        }
    }

    /// A text in a block.
    static final class Packed {
        private final Block block;
        private final int from;
        private final int until;

        private Packed(Block block, int from, int until) {
            this.block = block;
            this.from = from;
            this.until = until;
        }

        /// Its share of the memory that the block takes, without the sample.
        int weight() {
            return (int) ((long) block.difference.length * (until - from) / block.length);
        }

        byte[] unpack() {
            return block.unpack(from, until);
        }
    }

    /// @param lasts whether it is what its key holds, and will perhaps hold for ever
    void add(Stored stored, boolean lasts) {
        settled.add(new Waiting(stored, lasts));
    }

    /// So much is waiting that it should not wait for a quiet moment.
    boolean isPressing() {
        return settled.size() > MOST_WAITING;
    }

    /// Packs some that go together.
    ///
    /// @return whether there may be more
    boolean some() {
        while (!settled.isEmpty()) {
            var next = settled.remove();
            var text = next.stored.text();
            if (text != null && text.length >= WORTH_IT) {
                var shelf = new Shelf(next.stored.key().resource(), next.lasts);
                var group = gathered.computeIfAbsent(shelf, _ -> new Group());
                group.add(next.stored, text);
                if (group.text.size() >= TOGETHER) {
                    gathered.remove(shelf);
                    pack(shelf.resource, group);
                    return true;
                }
            }
        }
        // Nothing else comes for now that they could be packed with.
        var rest = gathered.entrySet().iterator();
        if (!rest.hasNext()) {
            return false;
        }
        var first = rest.next();
        rest.remove();
        pack(first.getKey().resource, first.getValue());
        return true;
    }

    /// Leaves them as they are where packing does not pay.
    private void pack(GroupResource resource, Group group) {
        var text = group.text.toByteArray();
        var sample = samples.computeIfAbsent(resource, _ -> Arrays.copyOf(text, Math.min(text.length, LARGEST_SAMPLE)));
        var difference = difference(sample, text);
        if (difference.length > text.length / 2) {
            return;
        }
        var block = new Block(difference, sample, text.length);
        group.members.forEach(member -> member.stored.pack(new Packed(block, member.from, member.until)));
    }

    private byte[] difference(byte[] sample, byte[] text) {
        deflater.reset();
        // With care a pod becomes a third of what it becomes in a hurry, and takes three times as long.
        deflater.setLevel(isPressing() ? Deflater.BEST_SPEED : Deflater.DEFAULT_COMPRESSION);
        deflater.setDictionary(sample);
        deflater.setInput(text);
        deflater.finish();
        var packed = new ByteArrayOutputStream();
        while (!deflater.finished()) {
            packed.write(buffer, 0, deflater.deflate(buffer));
        }
        return packed.toByteArray();
    }

    @Override
    public void close() {
        deflater.end();
    }
}
