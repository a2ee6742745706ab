package dev.towtank.node.images.zstd;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Bits that are read from the end of a piece of memory to its beginning. Behind the beginning there are zeros, so
/// whoever
/// reads must look whether it has gone too far.
final class BackwardBits {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /// What must follow in the array behind any piece.
    static final int PADDING = 8;

    private final byte[] bytes;
    private final int start;
    private long left;

    /// @param end behind the last byte, which holds a mark
    BackwardBits(byte[] bytes, int start, int end) throws ZstdProblem {
        if (end <= start || bytes[end - 1] == 0) {
            throw new ZstdProblem("a stream of bits has no end");
        }
        this.bytes = bytes;
        this.start = start;
        int last = bytes[end - 1] & 0xff;
        this.left = (end - 1L - start) * 8 + (31 - Integer.numberOfLeadingZeros(last));
    }

    /// How many there are; less than none when more were taken.
    long left() {
        return left;
    }

    /// @param count at most 48
    long peek(int count) {
        long low = left - count;
        if (low >= 0) {
            return ((long) LONG.get(bytes, start + (int) (low >> 3)) >>> (low & 7)) & ((1L << count) - 1);
        }
        if (left <= 0) {
            return 0;
        }
        return (((long) LONG.get(bytes, start)) & ((1L << left) - 1)) << -low;
    }

    void skip(int count) {
        left -= count;
    }

    long read(int count) {
        long value = peek(count);
        left -= count;
        return value;
    }
}
