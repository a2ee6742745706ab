package dev.towtank.node.images.zstd;

/// A table of finite state entropy: by state, the symbol that it stands for and the way to the next.
final class FseTable {

    private static final int LEAST_ACCURACY = 5;

    private final int accuracy;
    private final byte[] symbols;
    private final byte[] bits;
    private final short[] bases;

    private FseTable(int accuracy) {
        int size = 1 << accuracy;
        this.accuracy = accuracy;
        this.symbols = new byte[size];
        this.bits = new byte[size];
        this.bases = new short[size];
    }

    int accuracy() {
        return accuracy;
    }

    int symbol(int state) {
        return symbols[state] & 0xff;
    }

    int bits(int state) {
        return bits[state];
    }

    int next(int state, BackwardBits in) {
        return (bases[state] & 0xffff) + (int) in.read(bits[state]);
    }

    /// One symbol alone, which takes no bits.
    static FseTable of(int symbol) {
        var table = new FseTable(0);
        table.symbols[0] = (byte) symbol;
        return table;
    }

    /// @param counts how many states each symbol has; −1 for less than one
    static FseTable of(int accuracy, int[] counts) throws ZstdProblem {
        var table = new FseTable(accuracy);
        var next = new int[counts.length];
        table.spread(counts, next);
        for (int state = 0; state < 1 << accuracy; state++) {
            int count = next[table.symbols[state] & 0xff]++;
            int width = accuracy - (31 - Integer.numberOfLeadingZeros(count));
            table.bits[state] = (byte) width;
            table.bases[state] = (short) ((count << width) - (1 << accuracy));
        }
        return table;
    }

    private void spread(int[] counts, int[] next) throws ZstdProblem {
        int size = 1 << accuracy;
        int high = size - 1;
        for (int symbol = 0; symbol < counts.length; symbol++) {
            if (counts[symbol] == -1) {
                symbols[high--] = (byte) symbol;
            }
            next[symbol] = Math.abs(counts[symbol]);
        }
        int step = (size >> 1) + (size >> 3) + 3;
        int place = 0;
        for (int symbol = 0; symbol < counts.length; symbol++) {
            for (int i = 0; i < counts[symbol]; i++) {
                symbols[place] = (byte) symbol;
                do {
                    place = (place + step) & (size - 1);
                } while (place > high);
            }
        }
        if (place != 0) {
            throw new ZstdProblem("a table of states is not full");
        }
    }

    /// A table as it is described in the data.
    ///
    /// @param end behind the description, or later
    record Described(FseTable table, int end) {}

    static Described read(byte[] bytes, int start, int end, int mostSymbols, int mostAccuracy) throws ZstdProblem {
        var reading = new Reading(bytes, start, end);
        int accuracy = reading.take(4) + LEAST_ACCURACY;
        if (accuracy > mostAccuracy) {
            throw new ZstdProblem("a table of states is too large");
        }
        var counts = reading.counts(accuracy, mostSymbols);
        return new Described(of(accuracy, counts), reading.behind());
    }

    /// Reads a description, bit by bit from its beginning.
    private static final class Reading {
        private final byte[] bytes;
        private final int start;
        private final int end;
        private int at;

        Reading(byte[] bytes, int start, int end) {
            this.bytes = bytes;
            this.start = start;
            this.end = end;
        }

        int peek(int count) {
            int value = 0;
            for (int i = 0; i < count; i++) {
                int index = start + ((at + i) >> 3);
                int bit = index < end ? (bytes[index] >> ((at + i) & 7)) & 1 : 0;
                value |= bit << i;
            }
            return value;
        }

        int take(int count) {
            int value = peek(count);
            at += count;
            return value;
        }

        int behind() throws ZstdProblem {
            int behind = start + ((at + 7) >> 3);
            if (behind > end) {
                throw new ZstdProblem("a table of states breaks off");
            }
            return behind;
        }

        int[] counts(int accuracy, int mostSymbols) throws ZstdProblem {
            var counts = new int[mostSymbols];
            int remaining = (1 << accuracy) + 1;
            int threshold = 1 << accuracy;
            int width = accuracy + 1;
            int symbol = 0;
            while (remaining > 1) {
                if (symbol >= mostSymbols) {
                    throw new ZstdProblem("a table of states has too many symbols");
                }
                int count = count(threshold, remaining, width);
                remaining -= Math.abs(count);
                counts[symbol++] = count;
                if (count == 0) {
                    symbol += zeros(mostSymbols);
                }
                while (remaining < threshold && threshold > 1) {
                    width--;
                    threshold >>= 1;
                }
            }
            if (remaining != 1) {
                throw new ZstdProblem("a table of states has too many of them");
            }
            return counts;
        }

        private int count(int threshold, int remaining, int width) {
            int spare = 2 * threshold - 1 - remaining;
            int low = peek(width - 1);
            if (low < spare) {
                at += width - 1;
                return low - 1;
            }
            int value = take(width);
            return (value >= threshold ? value - spare : value) - 1;
        }

        private int zeros(int most) throws ZstdProblem {
            int zeros = 0;
            int more;
            do {
                more = take(2);
                zeros += more;
                if (zeros > most) {
                    throw new ZstdProblem("a table of states has too many symbols");
                }
            } while (more == 3);
            return zeros;
        }
    }
}
