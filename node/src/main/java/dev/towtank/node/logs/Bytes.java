package dev.towtank.node.logs;

import java.util.Arrays;

/// Bytes being put together, in an array that its owner may read.
final class Bytes {

    private byte[] array = new byte[8 * 1024];
    private int length;

    void append(byte[] from, int offset, int count) {
        if (length + count > array.length) {
            array = Arrays.copyOf(array, Math.max(array.length * 2, length + count));
        }
        System.arraycopy(from, offset, array, length, count);
        length += count;
    }

    byte[] array() {
        return array;
    }

    int length() {
        return length;
    }

    void clear() {
        length = 0;
    }
}
