package dev.towtank.node.logs;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/// The stored log as its reader wants it.
final class LogReader extends InputStream {

    private static final int BUFFER = 64 * 1024;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'");

    private final LogFiles files;
    private final Growth growth;
    private final ContainerLog.Query query;
    private final byte[] since;
    private final Bytes out = new Bytes();
    private ByteBuffer in = ByteBuffer.allocate(BUFFER).limit(0);
    private @Nullable FileChannel file;
    private long number = -1;
    private long position;
    private int given;
    private long left;
    private boolean lineBegins = true;
    private volatile boolean closed;

    private LogReader(LogFiles files, Growth growth, ContainerLog.Query query) {
        this.files = files;
        this.growth = growth;
        this.query = query;
        this.since = query.since().map(LogReader::text).orElse(new byte[0]);
        this.left = query.limitBytes().orElse(Long.MAX_VALUE);
    }

    static InputStream open(LogFiles files, Growth growth, ContainerLog.Query query) throws IOException {
        var reader = new LogReader(files, growth, query);
        if (query.tailLines().isPresent()) {
            reader.seekTail(query.tailLines().getAsLong());
        }
        return reader;
    }

    private static byte[] text(Instant time) {
        return TIME.format(time.atOffset(ZoneOffset.UTC)).getBytes(StandardCharsets.US_ASCII);
    }

    /// Goes back from the end over as many records.
    private void seekTail(long lines) throws IOException {
        long wanted = lines;
        for (var segment : files.list().reversed()) {
            try (var channel = FileChannel.open(segment.path(), StandardOpenOption.READ)) {
                var found = tail(channel, wanted);
                number = segment.number();
                position = found.position();
                if (found.reached()) {
                    break;
                }
                wanted -= found.lines();
            } catch (NoSuchFileException e) {
                break; // the oldest, that has just been dropped
            }
        }
        if (number >= 0) {
            reopen(number);
        }
    }

    private record Tail(long position, long lines, boolean reached) {}

    private static Tail tail(FileChannel channel, long wanted) throws IOException {
        long lines = 0;
        long end = channel.size();
        var buffer = ByteBuffer.allocate(BUFFER);
        for (long to = end; to > 0; ) {
            long from = Math.max(0, to - BUFFER);
            channel.read(buffer.clear().limit((int) (to - from)), from);
            for (int i = (int) (to - from) - 1; i >= 0; i--) {
                if (buffer.get(i) == '\n' && lines++ == wanted) {
                    return new Tail(from + i + 1, lines, true);
                }
            }
            to = from;
        }
        return new Tail(0, lines, false);
    }

    private void reopen(long wanted) throws IOException {
        for (var segment : files.list()) {
            if (segment.number() == wanted) {
                file = FileChannel.open(segment.path(), StandardOpenOption.READ);
            }
        }
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
        if (left <= 0) {
            return -1;
        }
        while (given == out.length()) {
            if (!more()) {
                return -1;
            }
        }
        int count = (int) Math.min(Math.min(length, out.length() - given), left);
        System.arraycopy(out.array(), given, into, offset, count);
        given += count;
        left -= count;
        return count;
    }

    @Override
    public int available() {
        return (int) Math.min(out.length() - given, left);
    }

    /// Fills the output with at least one byte; false at the end.
    private boolean more() throws IOException {
        out.clear();
        given = 0;
        while (out.length() == 0) {
            long seen = growth.version();
            boolean ended = growth.ended();
            if (closed) {
                return false;
            }
            if (fill() || next()) {
                takeRecords();
            } else if (ended || !query.follow()) {
                return false;
            } else {
                await(seen);
            }
        }
        return true;
    }

    private void await(long seen) throws IOException {
        try {
            growth.await(seen);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    /// Reads on in the current file.
    private boolean fill() throws IOException {
        if (file == null) {
            return false;
        }
        in.compact();
        int count = file.read(in, position);
        in.flip();
        position += Math.max(count, 0);
        return count > 0;
    }

    /// Goes on to the file behind the current one.
    private boolean next() throws IOException {
        for (var segment : files.list()) {
            if (segment.number() > number) {
                // Something may have come into the current one since its end was seen; now it is complete.
                if (fill()) {
                    return true;
                }
                close(file);
                try {
                    file = FileChannel.open(segment.path(), StandardOpenOption.READ);
                } catch (NoSuchFileException e) {
                    continue; // dropped meanwhile
                }
                number = segment.number();
                position = 0;
                in = ByteBuffer.allocate(BUFFER).limit(0);
                return true;
            }
        }
        return false;
    }

    private void takeRecords() {
        int from = in.position();
        for (int i = from; i < in.limit(); i++) {
            if (in.get(i) == '\n') {
                take(from, i);
                from = i + 1;
            }
        }
        in.position(from);
    }

    private void take(int from, int to) {
        int tag = from + LogFiles.TIME + 1;
        int text = tag + 3;
        while (in.get(text) != ' ') {
            text++;
        }
        text++;
        if (before(from)) {
            return;
        }
        boolean whole = in.get(tag + 1) == 'F';
        if (query.timestamps() && lineBegins) {
            out.append(in.array(), from, LogFiles.TIME + 1);
        }
        out.append(in.array(), text, to - text);
        if (whole) {
            out.append(in.array(), to, 1);
        }
        lineBegins = whole;
    }

    private boolean before(int from) {
        for (int i = 0; i < since.length; i++) {
            int difference = in.get(from + i) - since[i];
            if (difference != 0) {
                return difference < 0;
            }
        }
        return false;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        growth.grown();
        close(file);
    }

    private static void close(@Nullable FileChannel channel) throws IOException {
        if (channel != null) {
            channel.close();
        }
    }

    /// For readers of a log that nobody writes.
    static Growth ended() {
        var growth = new Growth();
        growth.end();
        return growth;
    }
}
