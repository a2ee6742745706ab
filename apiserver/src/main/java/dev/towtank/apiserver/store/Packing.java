package dev.towtank.apiserver.store;

import dev.towtank.model.GroupResource;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// Keeps small what has settled: objects that nobody has written for minutes, and versions in the history that
/// most have seen. Most of what a busy server holds has ended, and waits to be looked at one day, perhaps.
///
/// Objects of a kind are much alike, so each is written down as what differs from a sample: about a tenth of its text.
/// Only the thread that writes packs; anybody may unpack.
final class Packing implements AutoCloseable {

    /// Below this, what it takes to remember the packed form is most of it.
    private static final int WORTH_IT = 400;

    /// Some tens of megabytes.
    private static final int MOST_WAITING = 1 << 14;

    /// Deflate looks back no further.
    private static final int LARGEST_SAMPLE = 32 << 10;

    /// Takes a millisecond to pack.
    private static final int LARGE = 128 << 10;

    private final ArrayDeque<Stored> settled = new ArrayDeque<>();
    private final Map<GroupResource, byte[]> samples = new HashMap<>();
    private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    private final byte[] buffer = new byte[16 << 10];

    /// A text as its difference from a sample.
    static final class Packed {
        private final byte[] difference;
        private final byte[] sample;
        private final int length;

        private Packed(byte[] difference, byte[] sample, int length) {
            this.difference = difference;
            this.sample = sample;
            this.length = length;
        }

        /// How much memory it takes, without the sample, which it shares.
        int weight() {
            return difference.length;
        }

        byte[] unpack() {
            var inflater = new Inflater(true);
            try {
                inflater.setDictionary(sample);
                inflater.setInput(difference);
                var text = new byte[length];
                int read = inflater.inflate(text);
                if (read != length) {
                    throw new IllegalStateException("a packed object has " + read + " bytes instead of " + length);
                }
                return text;
            } catch (DataFormatException e) {
                throw new IllegalStateException("a packed object cannot be read", e);
            } finally {
                inflater.end();
            }
        }
    }

    void add(Stored stored) {
        settled.add(stored);
    }

    /// So much is waiting that it should not wait for a quiet moment.
    boolean isPressing() {
        return settled.size() > MOST_WAITING;
    }

    /// Packs at most so many, or one that is large.
    ///
    /// @return whether there are more
    boolean some(int most) {
        long done = 0;
        for (int i = 0; i < most && done < LARGE && !settled.isEmpty(); i++) {
            var next = settled.remove();
            done += next.weight();
            next.pack(this);
        }
        return !settled.isEmpty();
    }

    /// @return nothing where packing does not pay
    Optional<Packed> pack(GroupResource resource, byte[] text) {
        if (text.length < WORTH_IT) {
            return Optional.empty();
        }
        var sample = samples.get(resource);
        if (sample == null) {
            samples.put(resource, Arrays.copyOf(text, Math.min(text.length, LARGEST_SAMPLE)));
            return Optional.empty();
        }
        var difference = difference(sample, text);
        return difference.length > text.length / 2
                ? Optional.empty()
                : Optional.of(new Packed(difference, sample, text.length));
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
