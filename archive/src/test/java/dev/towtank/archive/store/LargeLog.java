package dev.towtank.archive.store;

import dev.towtank.archive.sql.Database;
import dev.towtank.model.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/// Archives one log of a size, reads it as it is and as `tkn` shows it, and compares. It is a program, so that it can
/// be
/// given little memory.
final class LargeLog {

    private LargeLog() {}

    public static void main(String[] arguments) throws IOException {
        long size = Long.parseLong(arguments[1]);
        try (var database = Database.open(arguments[0])) {
            var archive = new Archive(database, InstantSource.system(), Archive.Limits.DEFAULT);
            var written = new Lines(size);
            archive.store(new Bundle(
                    "dev",
                    "one",
                    Json.Obj.EMPTY,
                    Optional.empty(),
                    List.of(),
                    List.of(new Bundle.Log(
                            "log",
                            Json.Obj.EMPTY,
                            List.of(new Bundle.Part("t", "s", "c", () -> Optional.of(written)))))));
            var log = database.read(session -> Rows.record(session, "dev", "one", "log"))
                    .orElseThrow();
            var part = archive.parts(log).getFirst();
            var read = new Sum();
            archive.copy(part, read);
            var shown = new Sum();
            archive.copy(log, false, shown);
            System.out.println(part.state() + " " + part.size() + " " + read.bytes + " "
                    + (read.sum.getValue() == written.sum.getValue()) + " " + (shown.bytes > read.bytes));
        }
    }

    /// Lines that compress as those of builds do, and now and then one that has no end.
    private static final class Lines extends InputStream {
        private final CRC32 sum = new CRC32();
        private final long size;
        private long position;
        private int state = 1;

        Lines(long size) {
            this.size = size;
        }

        @Override
        public int read() {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            int count = (int) Math.min(length, size - position);
            for (int i = 0; i < count; i++) {
                bytes[offset + i] = next();
            }
            sum.update(bytes, offset, count);
            return count == 0 && length > 0 ? -1 : count;
        }

        private byte next() {
            long at = position++;
            boolean isEndless = (at >> 22) % 4 == 3;
            if (at % 97 == 96 && !isEndless) {
                return '\n';
            }
            state ^= state << 13;
            state ^= state >>> 17;
            state ^= state << 5;
            return (byte) ('a' + (state & 15));
        }
    }

    private static final class Sum extends OutputStream {
        private final CRC32 sum = new CRC32();
        private long bytes;

        @Override
        public void write(int value) {
            bytes++;
            sum.update(value);
        }

        @Override
        public void write(byte[] value, int offset, int length) {
            bytes += length;
            sum.update(value, offset, length);
        }
    }
}
