package dev.towtank.node.images.zstd;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Unpacks what zstd has packed, one frame after the other. Its checksums are not looked at: those who use it know
/// better
/// ones.
public final class ZstdInputStream extends InputStream {

    private static final int MAGIC = 0xFD2FB528;
    private static final int SKIPPED = 0x184D2A50;
    private static final long LARGEST_WINDOW = 128L << 20;
    private static final int FIRST_BUFFER = 1 << 20;

    private final InputStream in;
    private final byte[] packed = new byte[ZstdBlock.LARGEST + BackwardBits.PADDING];
    private byte[] out = new byte[FIRST_BUFFER];
    private int served;
    private int ready;

    // Of the frame in hand.
    private @Nullable ZstdBlock block;
    private int window;
    private boolean hasSum;

    public ZstdInputStream(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (served == ready) {
            if (!advance()) {
                return -1;
            }
        }
        int count = Math.min(length, ready - served);
        System.arraycopy(out, served, into, offset, count);
        served += count;
        return count;
    }

    /// @return whether there is anything left
    private boolean advance() throws IOException {
        var frame = block;
        if (frame == null) {
            return begin();
        }
        int header = (int) number(3);
        boolean isLast = (header & 1) != 0;
        int size = header >> 3;
        makeRoom();
        switch ((header >> 1) & 3) {
            case 0 -> {
                check(size);
                fill(out, ready, size);
                ready += size;
            }
            case 1 -> {
                check(size);
                Arrays.fill(out, ready, ready + size, (byte) number(1));
                ready += size;
            }
            case 2 -> {
                check(size);
                fill(packed, 0, size);
                ready = frame.unpack(packed, size, out, ready);
            }
            default -> throw new ZstdProblem("a block has an unknown type");
        }
        if (isLast) {
            block = null;
            if (hasSum) {
                number(4);
            }
        }
        return true;
    }

    private static void check(int size) throws ZstdProblem {
        if (size > ZstdBlock.LARGEST) {
            throw new ZstdProblem("a block is too large");
        }
    }

    /// Keeps what matches may lead to, and a block's length free behind it.
    private void makeRoom() {
        if (out.length - ready >= ZstdBlock.LARGEST) {
            return;
        }
        int kept = Math.min(ready, window);
        // Twice the window, so that not every block moves it.
        long wanted = Math.min(2L * out.length, 2L * window + ZstdBlock.LARGEST);
        var target = kept + ZstdBlock.LARGEST > out.length / 2 && wanted > out.length ? new byte[(int) wanted] : out;
        System.arraycopy(out, ready - kept, target, 0, kept);
        out = target;
        ready = kept;
        served = kept;
    }

    private boolean begin() throws IOException {
        int first = in.read();
        if (first < 0) {
            return false;
        }
        int magic = first | (int) (number(3) << 8);
        if ((magic & ~15) == SKIPPED) {
            in.skipNBytes(number(4));
            return true;
        }
        if (magic != MAGIC) {
            throw new ZstdProblem("it begins otherwise");
        }
        header();
        block = new ZstdBlock();
        ready = 0;
        served = 0;
        return true;
    }

    private void header() throws IOException {
        int form = (int) number(1);
        boolean isOneSegment = (form & 32) != 0;
        hasSum = (form & 4) != 0;
        if ((form & 8) != 0) {
            throw new ZstdProblem("a frame has an unknown form");
        }
        long size = isOneSegment ? 0 : window((int) number(1));
        if (number(new int[] {0, 1, 2, 4}[form & 3]) != 0) {
            throw new ZstdProblem("it needs a dictionary");
        }
        int width = new int[] {isOneSegment ? 1 : 0, 2, 4, 8}[form >> 6];
        long content = number(width) + (width == 2 ? 256 : 0);
        window = bounded(isOneSegment ? content : size);
    }

    private static long window(int text) {
        long base = 1L << (10 + (text >> 3));
        return base + (base / 8) * (text & 7);
    }

    private static int bounded(long size) throws ZstdProblem {
        if (size < 0 || size > LARGEST_WINDOW) {
            throw new ZstdProblem("it needs more memory than the " + (LARGEST_WINDOW >> 20) + " MiB that it may have");
        }
        return (int) size;
    }

    private long number(int width) throws IOException {
        long value = 0;
        for (int i = 0; i < width; i++) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("zstd data break off");
            }
            value |= (long) next << (8 * i);
        }
        return value;
    }

    private void fill(byte[] into, int offset, int length) throws IOException {
        if (in.readNBytes(into, offset, length) < length) {
            throw new EOFException("zstd data break off");
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
