package dev.towtank.node.logs;

import dev.towtank.node.linux.Descriptors;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// Turns what a container writes into its stored log: divided into lines, with the time, without secrets,
/// bounded.
///
/// Exactly as much leaves the pipe as gets into the [Spool], and each record of the log tells how much of the
/// spool it stands for. So whenever this process dies, the next one knows where to go on.
public final class LogWriter implements ContainerLog, AutoCloseable {

    static final int LONGEST_LINE = 16 * 1024;

    private static final byte[] NEWLINE = {'\n'};
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'");

    private final LogFiles files;
    private final SecretMask mask;
    private final InstantSource clock;
    private final Bounds bounds;
    private final Growth growth = new Growth();
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Consumer<byte[]>> listeners = new CopyOnWriteArrayList<>();
    private final Stream[] streams;
    private final byte[] first;

    private int descriptor = -1;
    private LogFiles.Segment segment;
    private long size;

    /// @param fileBytes when a file is full and the next one begins
    /// @param files how many are kept
    public record Bounds(long fileBytes, int files) {
        /// As kubelets have it.
        public static Bounds usual() {
            return new Bounds(10 << 20, 5);
        }
    }

    /// What a thread needs to pump logs, for all of them.
    public static final class Scratch {
        private final MemorySegment memory = Arena.ofAuto().allocate(256 * 1024);
        private final byte[] bytes = new byte[256 * 1024];
        private final Bytes records = new Bytes();

        /// What can be read there now, as text.
        public String read(int descriptor) throws IOException {
            return new String(readBytes(descriptor), StandardCharsets.UTF_8);
        }

        public byte[] readBytes(int descriptor) throws IOException {
            int count = Math.max(Descriptors.read(descriptor, memory), 0);
            return memory.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /// One of the two outputs, or both in one.
    private static final class Stream {
        final char letter;
        final Spool spool;
        final Optional<Path> copy;
        int copyDescriptor = -1;
        long stored;

        Stream(char letter, Spool spool, Optional<Path> copy, long stored) {
            this.letter = letter;
            this.spool = spool;
            this.copy = copy;
            this.stored = stored;
        }
    }

    private LogWriter(Path directory, Path spool, Options options, InstantSource clock, boolean fresh)
            throws IOException {
        this.files = new LogFiles(directory);
        this.mask = options.mask;
        this.bounds = options.bounds;
        this.first = options.heldBack.getBytes(StandardCharsets.UTF_8);
        this.clock = clock;
        var stored = new long[2];
        segment = fresh ? files.named(0, 0, 0) : resume(stored);
        var stdout = fresh ? Spool.begin(spool, "stdout") : Spool.open(spool, "stdout", stored[0]);
        var stderr = fresh ? Spool.begin(spool, "stderr") : Spool.open(spool, "stderr", stored[1]);
        streams = new Stream[] {
            new Stream('o', stdout, options.stdoutCopy, stored[0]),
            new Stream('e', stderr, options.stderrCopy, stored[1])
        };
    }

    /// @param heldBack output that begins so is shown only when there is more of it: it may be the sandbox
    ///     speaking
    /// @param stdoutCopy a file that gets the same bytes, secrets included; no symbolic link may be in its
    ///     path
    public record Options(
            SecretMask mask, Bounds bounds, String heldBack, Optional<Path> stdoutCopy, Optional<Path> stderrCopy) {}

    /// Begins a log.
    ///
    /// @param directory of the log, made when there is something to store
    /// @param spool a directory for what is not in the log yet
    public static LogWriter begin(Path directory, Path spool, Options options, InstantSource clock) throws IOException {
        return new LogWriter(directory, spool, options, clock, true);
    }

    /// Goes on with what an earlier process left, be it nothing.
    public static LogWriter open(Path directory, Path spool, Options options, InstantSource clock) throws IOException {
        return new LogWriter(directory, spool, options, clock, false);
    }

    private LogFiles.Segment resume(long[] stored) throws IOException {
        var segments = files.list();
        if (segments.isEmpty()) {
            return files.named(0, 0, 0);
        }
        var last = segments.getLast();
        stored[0] = last.stdoutBefore();
        stored[1] = last.stderrBefore();
        var content = Files.readAllBytes(last.path());
        int at = 0;
        for (int end; (end = newline(content, at, content.length)) >= 0; at = end + 1) {
            stored[content[at + LogFiles.TIME + 1] == 'o' ? 0 : 1] += raw(content, at + LogFiles.TIME + 4);
        }
        if (at < content.length) { // a record that was not finished, and whose bytes are still in the spool
            try (var file = FileChannel.open(last.path(), StandardOpenOption.WRITE)) {
                file.truncate(at);
            }
        }
        size = at;
        return last;
    }

    private static long raw(byte[] content, int at) {
        long value = 0;
        for (int i = at; content[i] != ' '; i++) {
            value = value * 10 + content[i] - '0';
        }
        return value;
    }

    /// Takes what is in the pipe, though not endlessly. False when it is empty.
    public boolean pump(boolean stderr, int pipe, Scratch scratch) throws IOException {
        lock.lock();
        try {
            var stream = streams[stderr ? 1 : 0];
            long count = stream.spool.fill(pipe);
            if (count > 0) {
                tell(stream, count, scratch);
                store(stream, scratch, false);
            }
            return count > 0;
        } finally {
            lock.unlock();
        }
    }

    private void tell(Stream stream, long count, Scratch scratch) throws IOException {
        if (listeners.isEmpty()) {
            return;
        }
        int length = stream.spool.read(stream.spool.end() - count, scratch.memory);
        var bytes = scratch.memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        listeners.forEach(listener -> listener.accept(bytes));
    }

    /// Gives a listener the output as it comes, with everything in it, until it is taken away.
    public void listen(Consumer<byte[]> listener) {
        listeners.add(listener);
    }

    public void unlisten(Consumer<byte[]> listener) {
        listeners.remove(listener);
    }

    /// The first output of a container, if nothing of it was shown and it begins with what is held back.
    public Optional<String> heldBack(Scratch scratch) throws IOException {
        lock.lock();
        try {
            var stream = streams[0].spool.end() > 0 ? streams[0] : streams[1];
            if (stream.stored != 0 || stream.spool.end() == 0) {
                return Optional.empty();
            }
            int count = read(stream, scratch);
            return begins(scratch.bytes, count)
                    ? Optional.of(new String(scratch.bytes, 0, count, StandardCharsets.UTF_8).strip())
                    : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /// Nothing more will come. What was held back is stored, or dropped.
    public void finish(boolean dropHeldBack, Scratch scratch) throws IOException {
        lock.lock();
        try {
            for (var stream : streams) {
                if (!dropHeldBack && stream.stored < stream.spool.end()) {
                    store(stream, scratch, true);
                }
                stream.spool.delete();
            }
        } finally {
            lock.unlock();
            close();
            growth.end();
        }
    }

    private int read(Stream stream, Scratch scratch) throws IOException {
        int count = stream.spool.read(stream.stored, scratch.memory);
        MemorySegment.copy(scratch.memory, ValueLayout.JAVA_BYTE, 0, scratch.bytes, 0, count);
        return count;
    }

    private void store(Stream stream, Scratch scratch, boolean ended) throws IOException {
        var time = time(clock.instant());
        while (stream.stored < stream.spool.end()) {
            int count = read(stream, scratch);
            if (stream.stored == 0 && !ended && count < LONGEST_LINE && begins(scratch.bytes, count)) {
                return;
            }
            scratch.records.clear();
            boolean last = ended && stream.stored + count == stream.spool.end();
            int used = divide(stream.letter, time, scratch, count, last);
            if (used == 0) {
                return;
            }
            copy(stream, scratch.bytes, used);
            write(scratch.records, stream, used);
        }
        stream.spool.stored(stream.stored);
    }

    private boolean begins(byte[] bytes, int count) {
        int same = Math.min(count, first.length);
        return first.length > 0 && Arrays.equals(bytes, 0, same, first, 0, same);
    }

    /// Puts as many records together as there are lines. How many bytes they stand for.
    private int divide(char letter, byte[] time, Scratch scratch, int count, boolean last) {
        var bytes = scratch.bytes;
        int at = 0;
        while (at < count) {
            int end = newline(bytes, at, Math.min(count, at + LONGEST_LINE));
            if (end >= 0) {
                record(scratch.records, time, letter, 'F', end + 1 - at);
                mask.copy(bytes, at, end, scratch.records);
                at = end + 1;
            } else if (last || count - at >= LONGEST_LINE + mask.longest()) {
                int cut = mask.dividable(bytes, at, count, Math.min(count, at + LONGEST_LINE));
                record(scratch.records, time, letter, 'P', cut - at);
                mask.copy(bytes, at, cut, scratch.records);
                at = cut;
            } else {
                return at;
            }
            scratch.records.append(NEWLINE, 0, 1);
        }
        return at;
    }

    private static void record(Bytes out, byte[] time, char letter, char kind, long raw) {
        var head = (" " + letter + kind + " " + raw + " ").getBytes(StandardCharsets.US_ASCII);
        out.append(time, 0, time.length);
        out.append(head, 0, head.length);
    }

    private static int newline(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private static byte[] time(Instant instant) {
        return TIME.format(instant.atOffset(ZoneOffset.UTC)).getBytes(StandardCharsets.US_ASCII);
    }

    /// At its place in the stream, so that doing it again after a crash changes nothing.
    private void copy(Stream stream, byte[] bytes, int count) throws IOException {
        if (stream.copy.isEmpty()) {
            return;
        }
        if (stream.copyDescriptor < 0) {
            int flags = Descriptors.WRITE_ONLY | Descriptors.CREATE | Descriptors.NONBLOCK;
            stream.copyDescriptor = Descriptors.openWithoutLinks(stream.copy.get(), flags, 0644);
        }
        Descriptors.writeAt(stream.copyDescriptor, bytes, count, stream.stored);
    }

    private void write(Bytes records, Stream stream, int raw) throws IOException {
        if (size >= bounds.fileBytes) {
            rotate();
        }
        if (descriptor < 0) {
            int flags = Descriptors.WRITE_ONLY | Descriptors.CREATE;
            Files.createDirectories(files.directory());
            descriptor = Descriptors.open(segment.path(), flags, 0600);
        }
        Descriptors.writeAt(descriptor, records.array(), records.length(), size);
        size += records.length();
        stream.stored += raw;
        growth.grown();
    }

    private void rotate() throws IOException {
        Descriptors.close(descriptor);
        descriptor = -1;
        segment = files.named(segment.number() + 1, streams[0].stored, streams[1].stored);
        size = 0;
        var all = files.list();
        for (var old : all.subList(0, Math.max(0, all.size() + 1 - bounds.files))) {
            Files.deleteIfExists(old.path());
        }
    }

    @Override
    public void append(String line) throws IOException {
        lock.lock();
        try {
            var records = new Bytes();
            var time = time(clock.instant());
            for (var one : line.split("\n", -1)) {
                line(one.getBytes(StandardCharsets.UTF_8), time, records);
            }
            write(records, streams[0], 0);
            if (growth.ended()) {
                close();
            }
        } finally {
            lock.unlock();
        }
    }

    private void line(byte[] bytes, byte[] time, Bytes records) {
        int at = 0;
        while (bytes.length - at > LONGEST_LINE) {
            int cut = mask.dividable(bytes, at, bytes.length, at + LONGEST_LINE);
            record(records, time, 'o', 'P', 0);
            mask.copy(bytes, at, cut, records);
            records.append(NEWLINE, 0, 1);
            at = cut;
        }
        record(records, time, 'o', 'F', 0);
        mask.copy(bytes, at, bytes.length, records);
        records.append(NEWLINE, 0, 1);
    }

    @Override
    public InputStream read(Query query) throws IOException {
        return LogReader.open(files, growth, query);
    }

    @Override
    public boolean lacksBeginning() throws IOException {
        return files.lackBeginning();
    }

    /// Lets go of the files; whoever opens the log next goes on.
    @Override
    public void close() {
        lock.lock();
        try {
            Descriptors.close(descriptor);
            descriptor = -1;
            for (var stream : streams) {
                stream.spool.close();
                Descriptors.close(stream.copyDescriptor);
                stream.copyDescriptor = -1;
            }
        } finally {
            lock.unlock();
        }
    }
}
