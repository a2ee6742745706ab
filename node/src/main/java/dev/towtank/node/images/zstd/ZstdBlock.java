package dev.towtank.node.images.zstd;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The packed blocks of one frame, whose tables may be those of the block before.
final class ZstdBlock {

    static final int LARGEST = 128 << 10;

    private static final int[] LITERAL_BASES = {
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 28, 32, 40, 48, 64, 128, 256, 512,
        1024, 2048, 4096, 8192, 16384, 32768, 65536
    };
    private static final int[] LITERAL_BITS = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
        16
    };
    private static final int[] MATCH_BASES = {
        3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32,
        33, 34, 35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771, 65539
    };
    private static final int[] MATCH_BITS = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2,
        2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
    };
    private static final int[] USUAL_LITERALS = {
        4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1
    };
    private static final int[] USUAL_MATCHES = {
        1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1
    };
    private static final int[] USUAL_OFFSETS = {
        1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1
    };
    private static final int MOST_OFFSETS = 32;

    private final byte[] literals = new byte[LARGEST];
    private final long[] repeated = {1, 4, 8};
    private @Nullable HuffmanTable tree;
    private @Nullable FseTable literalLengths;
    private @Nullable FseTable offsets;
    private @Nullable FseTable matchLengths;

    // Of the block in hand.
    private byte[] bytes = new byte[0];
    private int at;
    private int end;
    private int literalCount;

    /// @param in the block, with [BackwardBits#PADDING] bytes behind it
    /// @param out with what came before, and room for a block behind `from`
    /// @return behind the last byte that it wrote
    int unpack(byte[] in, int length, byte[] out, int from) throws ZstdProblem {
        bytes = in;
        at = 0;
        end = length;
        literals();
        return sequences(out, from);
    }

    private int next() throws ZstdProblem {
        if (at >= end) {
            throw new ZstdProblem("a block breaks off");
        }
        return bytes[at++] & 0xff;
    }

    private long next(int count) throws ZstdProblem {
        long value = 0;
        for (int i = 0; i < count; i++) {
            value |= (long) next() << (8 * i);
        }
        return value;
    }

    private void literals() throws ZstdProblem {
        int type = peeked() & 3;
        int form = (peeked() >> 2) & 3;
        if (type < 2) {
            plainLiterals(type == 1, form);
            return;
        }
        int width = form < 2 ? 10 : form == 2 ? 14 : 18;
        long header = next(form < 2 ? 3 : form == 2 ? 4 : 5) >> 4;
        literalCount = checked(header & ((1L << width) - 1));
        int packed = (int) ((header >> width) & ((1L << width) - 1));
        int behind = at + packed;
        if (behind > end) {
            throw new ZstdProblem("literals break off");
        }
        if (type == 2) {
            var described = HuffmanTable.read(bytes, at, behind);
            tree = described.table();
            at = described.end();
        }
        var known = tree;
        if (known == null) {
            throw new ZstdProblem("a tree is missing");
        }
        if (form == 0) {
            known.unpack(new BackwardBits(bytes, at, behind), literals, 0, literalCount);
        } else {
            fourStreams(known, behind);
        }
        at = behind;
    }

    private int peeked() throws ZstdProblem {
        if (at >= end) {
            throw new ZstdProblem("a block is empty");
        }
        return bytes[at];
    }

    private static int checked(long count) throws ZstdProblem {
        if (count > LARGEST) {
            throw new ZstdProblem("a block has too many literals");
        }
        return (int) count;
    }

    private void plainLiterals(boolean isRun, int form) throws ZstdProblem {
        literalCount = checked((form & 1) == 0 ? next(1) >> 3 : next(form == 1 ? 2 : 3) >> 4);
        if (isRun) {
            Arrays.fill(literals, 0, literalCount, (byte) next());
            return;
        }
        if (at + literalCount > end) {
            throw new ZstdProblem("literals break off");
        }
        System.arraycopy(bytes, at, literals, 0, literalCount);
        at += literalCount;
    }

    private void fourStreams(HuffmanTable known, int behind) throws ZstdProblem {
        var ends = new int[4];
        int place = at + 6;
        for (int i = 0; i < 3; i++) {
            place += (int) next(2);
            ends[i] = place;
        }
        ends[3] = behind;
        int each = (literalCount + 3) / 4;
        int start = at;
        for (int i = 0; i < 4; i++) {
            int from = i * each;
            int to = i == 3 ? literalCount : from + each;
            if (ends[i] > behind || to > literalCount || from > to) {
                throw new ZstdProblem("streams of literals are too long");
            }
            known.unpack(new BackwardBits(bytes, start, ends[i]), literals, from, to);
            start = ends[i];
        }
    }

    private int sequences(byte[] out, int from) throws ZstdProblem {
        int count = next();
        if (count >= 128) {
            count = count < 255 ? ((count - 128) << 8) + next() : (int) next(2) + 0x7f00;
        }
        if (count == 0) {
            if (at != end) {
                throw new ZstdProblem("something follows a block");
            }
            System.arraycopy(literals, 0, out, from, literalCount);
            return from + literalCount;
        }
        int modes = next();
        if ((modes & 3) != 0) {
            throw new ZstdProblem("a block has an unknown form");
        }
        var lengths = table(modes >> 6, literalLengths, USUAL_LITERALS, 6, LITERAL_BASES.length, 9);
        var distances = table((modes >> 4) & 3, offsets, USUAL_OFFSETS, 5, MOST_OFFSETS, 8);
        var matches = table((modes >> 2) & 3, matchLengths, USUAL_MATCHES, 6, MATCH_BASES.length, 9);
        literalLengths = lengths;
        offsets = distances;
        matchLengths = matches;
        return execute(count, new BackwardBits(bytes, at, end), lengths, distances, matches, out, from);
    }

    private FseTable table(int mode, @Nullable FseTable last, int[] usual, int accuracy, int symbols, int most)
            throws ZstdProblem {
        return switch (mode) {
            case 0 -> FseTable.of(accuracy, usual);
            case 1 -> {
                int symbol = next();
                if (symbol >= symbols) {
                    throw new ZstdProblem("a block has an unknown symbol");
                }
                yield FseTable.of(symbol);
            }
            case 2 -> {
                var described = FseTable.read(bytes, at, end, symbols, most);
                at = described.end();
                yield described.table();
            }
            default -> {
                if (last == null) {
                    throw new ZstdProblem("a table is missing");
                }
                yield last;
            }
        };
    }

    private int execute(
            int count, BackwardBits in, FseTable lengths, FseTable distances, FseTable matches, byte[] out, int from)
            throws ZstdProblem {
        int length = (int) in.read(lengths.accuracy());
        int distance = (int) in.read(distances.accuracy());
        int match = (int) in.read(matches.accuracy());
        int place = from;
        int used = 0;
        for (int i = 0; i < count; i++) {
            int code = distances.symbol(distance);
            long value = (1L << code) + in.read(code);
            int matchCode = matches.symbol(match);
            int matchLength = MATCH_BASES[matchCode] + (int) in.read(MATCH_BITS[matchCode]);
            int literalCode = lengths.symbol(length);
            int literalLength = LITERAL_BASES[literalCode] + (int) in.read(LITERAL_BITS[literalCode]);
            long back = offset(value, literalLength == 0);
            if (used + literalLength > literalCount || place - from + literalLength + matchLength > LARGEST) {
                throw new ZstdProblem("a block unpacks to too much");
            }
            System.arraycopy(literals, used, out, place, literalLength);
            used += literalLength;
            place += literalLength;
            if (back > place || back <= 0) {
                throw new ZstdProblem("a match is before the beginning");
            }
            copy(out, place, (int) back, matchLength);
            place += matchLength;
            if (i + 1 < count) {
                length = lengths.next(length, in);
                match = matches.next(match, in);
                distance = distances.next(distance, in);
            }
            if (in.left() < 0) {
                throw new ZstdProblem("sequences break off");
            }
        }
        int rest = literalCount - used;
        if (in.left() != 0 || place - from + rest > LARGEST) {
            throw new ZstdProblem("sequences have another length");
        }
        System.arraycopy(literals, used, out, place, rest);
        return place + rest;
    }

    private static void copy(byte[] out, int place, int back, int length) {
        if (back >= length) {
            System.arraycopy(out, place - back, out, place, length);
            return;
        }
        for (int i = 0; i < length; i++) {
            out[place + i] = out[place + i - back]; // it may repeat what it writes
        }
    }

    private long offset(long value, boolean hasNoLiterals) {
        if (value > 3) {
            repeated[2] = repeated[1];
            repeated[1] = repeated[0];
            repeated[0] = value - 3;
            return repeated[0];
        }
        int which = (int) value - (hasNoLiterals ? 0 : 1);
        if (which == 0) {
            return repeated[0];
        }
        long chosen = which == 3 ? repeated[0] - 1 : repeated[which];
        if (which != 1) {
            repeated[2] = repeated[1];
        }
        repeated[1] = repeated[0];
        repeated[0] = chosen;
        return chosen;
    }
}
