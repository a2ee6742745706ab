package dev.towtank.node.images.store;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// An archive whose entries' heads have a bound: whoever reads it keeps names, attributes and maps of sparse files in
/// memory, and a few packed kilobytes can stand for gigabytes of them.
final class BoundedHeads extends FilterInputStream {

    private static final int LARGEST_HEAD = 1 << 20;

    private long left = LARGEST_HEAD;

    BoundedHeads(InputStream archive) {
        super(archive);
    }

    /// From here on comes the head of an entry.
    void head() {
        left = LARGEST_HEAD;
    }

    /// From here on comes what an entry holds, which others count.
    void content() {
        left = Long.MAX_VALUE;
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
        count(got);
        return got;
    }

    @Override
    public long skip(long length) throws IOException {
        long skipped = in.skip(length);
        count(skipped);
        return skipped;
    }

    private void count(long bytes) throws IOException {
        left -= Math.max(0, bytes);
        if (left < 0) {
            throw new IOException(
                    "the archive has an entry with more than " + (LARGEST_HEAD >> 20) + " MiB of names and attributes");
        }
    }
}
