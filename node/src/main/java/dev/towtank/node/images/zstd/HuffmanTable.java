package dev.towtank.node.images.zstd;

/// A table of Huffman's codes: by the next bits, the byte that they begin with and how many of them are its code.
final class HuffmanTable {

    private static final int MOST_BITS = 11;
    private static final int MOST_WEIGHTS = 255;
    private static final int DIRECT = 128;
    private static final int WEIGHT_ACCURACY = 6;

    private final int width;
    private final byte[] symbols;
    private final byte[] bits;

    private HuffmanTable(int width) {
        this.width = width;
        this.symbols = new byte[1 << width];
        this.bits = new byte[1 << width];
    }

    record Described(HuffmanTable table, int end) {}

    static Described read(byte[] bytes, int start, int end) throws ZstdProblem {
        if (start >= end) {
            throw new ZstdProblem("a tree is missing");
        }
        int header = bytes[start] & 0xff;
        var weights = new int[MOST_WEIGHTS + 1];
        if (header >= DIRECT) {
            int count = header - DIRECT + 1;
            int behind = start + 1 + (count + 1) / 2;
            if (behind > end) {
                throw new ZstdProblem("a tree breaks off");
            }
            for (int i = 0; i < count; i++) {
                int pair = bytes[start + 1 + i / 2];
                weights[i] = (i % 2 == 0 ? pair >> 4 : pair) & 15;
            }
            return new Described(of(weights, count), behind);
        }
        int behind = start + 1 + header;
        if (behind > end) {
            throw new ZstdProblem("a tree breaks off");
        }
        return new Described(of(weights, packedWeights(bytes, start + 1, behind, weights)), behind);
    }

    /// @return how many
    private static int packedWeights(byte[] bytes, int start, int end, int[] weights) throws ZstdProblem {
        var described = FseTable.read(bytes, start, end, MOST_BITS + 2, WEIGHT_ACCURACY);
        var table = described.table();
        var in = new BackwardBits(bytes, described.end(), end);
        int first = (int) in.read(table.accuracy());
        int second = (int) in.read(table.accuracy());
        int count = 0;
        while (true) {
            if (count + 2 > MOST_WEIGHTS) {
                throw new ZstdProblem("a tree has too many leaves");
            }
            weights[count++] = table.symbol(first);
            if (in.left() < table.bits(first)) {
                weights[count++] = table.symbol(second);
                return count;
            }
            first = table.next(first, in);
            int other = first;
            first = second;
            second = other;
        }
    }

    /// @param weights all but the last, which follows from the others
    private static HuffmanTable of(int[] weights, int count) throws ZstdProblem {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            if (weights[i] > MOST_BITS) {
                throw new ZstdProblem("a tree is too deep");
            }
            sum += weights[i] == 0 ? 0 : 1 << (weights[i] - 1);
        }
        if (sum == 0) {
            throw new ZstdProblem("a tree has no leaves");
        }
        int width = 32 - Integer.numberOfLeadingZeros(sum);
        int rest = (1 << width) - sum;
        if (width > MOST_BITS || Integer.bitCount(rest) != 1) {
            throw new ZstdProblem("a tree is not whole");
        }
        weights[count] = 32 - Integer.numberOfLeadingZeros(rest);
        var table = new HuffmanTable(width);
        table.fill(weights, count + 1);
        return table;
    }

    /// The lightest first; among them, the smallest.
    private void fill(int[] weights, int count) {
        int place = 0;
        for (int weight = 1; weight <= width; weight++) {
            for (int symbol = 0; symbol < count; symbol++) {
                if (weights[symbol] == weight) {
                    int length = 1 << (weight - 1);
                    java.util.Arrays.fill(symbols, place, place + length, (byte) symbol);
                    java.util.Arrays.fill(bits, place, place + length, (byte) (width + 1 - weight));
                    place += length;
                }
            }
        }
    }

    /// Unpacks one stream.
    void unpack(BackwardBits in, byte[] out, int from, int to) throws ZstdProblem {
        for (int i = from; i < to; i++) {
            int index = (int) in.peek(width);
            out[i] = symbols[index];
            in.skip(bits[index]);
        }
        if (in.left() != 0) {
            throw new ZstdProblem("a stream of literals has another length");
        }
    }
}
