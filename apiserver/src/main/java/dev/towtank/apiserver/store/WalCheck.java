package dev.towtank.apiserver.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Looks for damage in the write-ahead log that SQLite would pass over in silence.
///
/// SQLite reads the log up to the first frame that does not match its checksum, and drops the rest: right for the torn
/// end that a crash leaves, wrong for damage further up, where commits would be lost that were promised. What tells
/// them apart: a transaction is synced before the next one begins. So where a whole transaction follows the bad
/// frame, and another frame of the same log after that, the bad frame had once been good.
///
/// The layout is documented at <https://sqlite.org/fileformat2.html#the_write_ahead_log>.
final class WalCheck {

    private static final int HEADER = 32;
    private static final int FRAME_HEADER = 24;
    private static final int MAGIC = 0x377f0682;

    private final Path path;
    private final FileChannel channel;

    private WalCheck(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    static void check(Path log) throws IOException {
        try (var channel = FileChannel.open(log, StandardOpenOption.READ)) {
            if (channel.size() >= HEADER + FRAME_HEADER) {
                new WalCheck(log, channel).check();
            }
        }
    }

    private void check() throws IOException {
        var header = read(0, HEADER);
        if (header == null || header.getLong(0) == 0) {
            // A crash before the first sync can leave zeros; nothing was promised by then.
            return;
        }
        int pageSize = header.getInt(8);
        var sums = new Sums((header.getInt(0) & 1) == 1);
        sums.add(header, 0, 24);
        boolean known = (header.getInt(0) & ~1) == MAGIC && Integer.bitCount(pageSize) == 1 && pageSize <= 1 << 16;
        // So few bytes in one place are written at once or not at all: no crash leaves them half done.
        if (!known || !sums.match(header, 24)) {
            throw SqliteFile.damaged(path, "its header is not that of a write-ahead log");
        }
        check(header.getLong(16), pageSize, sums);
    }

    private void check(long salt, int pageSize, Sums sums) throws IOException {
        long bad = 0;
        boolean committedAfterBad = false;
        long number = 1;
        for (var frame = frame(number, pageSize); frame != null; frame = frame(++number, pageSize)) {
            // Frames with another salt are, at the end of the file, left over from before the log began anew.
            boolean ours = frame.getLong(8) == salt;
            if (ours && committedAfterBad) {
                throw SqliteFile.damaged(
                        path, "its frame " + bad + " does not match its checksum, though whole commits follow");
            }
            sums.add(frame, 0, 8);
            sums.add(frame, FRAME_HEADER, pageSize);
            if (bad == 0 && !(ours && sums.match(frame, 16))) {
                bad = number;
            }
            committedAfterBad |= ours && bad > 0 && frame.getInt(4) != 0;
        }
    }

    private @Nullable ByteBuffer frame(long number, int pageSize) throws IOException {
        return read(HEADER + (number - 1) * (FRAME_HEADER + pageSize), FRAME_HEADER + pageSize);
    }

    private @Nullable ByteBuffer read(long position, int length) throws IOException {
        var buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, position + buffer.position()) < 0) {
                return null;
            }
        }
        return buffer.flip();
    }

    /// The running checksum over the log, in the byte order its magic number names.
    private static final class Sums {
        private final ByteOrder order;
        private int first;
        private int second;

        Sums(boolean bigEndian) {
            this.order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        }

        void add(ByteBuffer bytes, int from, int length) {
            var words = bytes.duplicate().order(order);
            for (int i = from; i < from + length; i += 8) {
                first += words.getInt(i) + second;
                second += words.getInt(i + 4) + first;
            }
        }

        boolean match(ByteBuffer bytes, int at) {
            return bytes.getInt(at) == first && bytes.getInt(at + 4) == second;
        }
    }
}
