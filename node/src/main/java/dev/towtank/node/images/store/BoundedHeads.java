package dev.towtank.node.images.store;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// An archive whose entries' heads have a bound: whoever reads it keeps names, attributes and maps of sparse files in
/// memory, and a few packed kilobytes can stand for gigabytes of them.
final class BoundedHeads extends FilterInputStream {

    private static final int LARGEST_HEAD = 1 << 20;
    private static final int RECORD = 512;

    private long left = LARGEST_HEAD;
    private long position;
    private long filledUpTo;

    BoundedHeads(InputStream archive) {
        super(archive);
    }

    /// From here on comes the head of an entry.
    void head() {
        left = LARGEST_HEAD;
        filledUpTo = Math.ceilDiv(position, RECORD) * RECORD;
    }

    /// From here on comes what an entry holds, which others count.
    void content() {
        left = Long.MAX_VALUE;
        filledUpTo = 0;
    }

    @Override
    public int read() throws IOException {
        int one = in.read();
        count(one < 0 ? 0 : 1);
        return one;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int got = in.read(into, offset, length);
        if (got < 0) {
            got = filling(into, offset, length);
        }
        count(got);
        return got;
    }

    @Override
    public long skip(long length) throws IOException {
        long skipped = in.skip(length);
        count(skipped);
        return skipped;
    }

    /// What fills the last record of an entry may be missing at the end of an archive, as `umoci insert` leaves it
    /// out: others who read layers do not miss it either.
    private int filling(byte[] into, int offset, int length) {
        int missing = (int) Math.min(length, filledUpTo - position);
        if (missing <= 0) {
            return -1;
        }
        Arrays.fill(into, offset, offset + missing, (byte) 0);
        return missing;
    }

    private void count(long bytes) throws IOException {
        position += Math.max(0, bytes);
        left -= Math.max(0, bytes);
        if (left < 0) {
            throw new IOException(
                    "the archive has an entry with more than " + (LARGEST_HEAD >> 20) + " MiB of names and attributes");
        }
    }
}
