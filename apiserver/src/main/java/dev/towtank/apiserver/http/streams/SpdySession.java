package dev.towtank.apiserver.http.streams;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The server's side of SPDY/3.1 as Kubernetes clients speak it: they open all streams, and use no flow control.
final class SpdySession implements AutoCloseable {

    private static final int CONTROL = 0x80000000;
    private static final int VERSION = 3;
    private static final int FIN = 1;
    private static final int LARGEST_FRAME = 4 * 1024 * 1024;
    private static final int LARGEST_PIECE = 64 * 1024;
    private static final int CAPACITY = 256 * 1024;
    private static final int MOST_STREAMS = 1000;

    private static final int SYN_STREAM = 1;
    private static final int SYN_REPLY = 2;
    private static final int RST_STREAM = 3;
    private static final int PING = 6;
    private static final int GOAWAY = 7;

    private final Duplex duplex;
    private final OutputStream output;
    private final SpdyHeaders headers = new SpdyHeaders();
    private final ReentrantLock writing = new ReentrantLock();
    private final Map<Integer, Stream> streams = new ConcurrentHashMap<>();
    private final BlockingQueue<Stream> opened = new LinkedBlockingQueue<>();
    private volatile boolean ended;

    SpdySession(Duplex duplex) {
        this.duplex = duplex;
        this.output = duplex.output();
    }

    /// Takes what the client sends, until it goes.
    void receive() {
        try (var input = new DataInputStream(duplex.input())) {
            while (true) {
                int first = input.readInt();
                int second = input.readInt();
                int length = second & 0xffffff;
                if (length > LARGEST_FRAME) {
                    throw new IOException("a SPDY frame of " + length + " bytes");
                }
                var payload = input.readNBytes(length);
                if (payload.length < length) {
                    throw new EOFException("a SPDY frame is cut off");
                }
                take(first, second >>> 24, payload);
            }
        } catch (IOException e) {
            // The client has gone, or speaks something else: the end either way.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended = true;
            streams.values().forEach(stream -> stream.received.end());
            opened.add(new Stream(0, Map.of()));
        }
    }

    private void take(int first, int flags, byte[] payload) throws IOException, InterruptedException {
        if ((first & CONTROL) == 0) {
            var stream = streams.get(first);
            if (stream != null) {
                stream.received.put(payload);
                stream.finishIf(flags);
            }
            return;
        }
        if (((first >>> 16) & 0x7fff) != VERSION) {
            throw new IOException("not SPDY/3");
        }
        var body = ByteBuffer.wrap(payload);
        switch (first & 0xffff) {
            case SYN_STREAM -> open(body, flags);
            case RST_STREAM -> reset(body);
            case PING -> send(CONTROL | VERSION << 16 | PING, 0, payload);
            case GOAWAY -> throw new EOFException("the client says goodbye");
            default -> {} // settings, windows and headers change nothing here
        }
    }

    private void open(ByteBuffer body, int flags) throws IOException {
        if (body.remaining() < 10) {
            throw new IOException("a SPDY frame is cut off");
        }
        int id = body.getInt() & 0x7fffffff;
        body.position(10); // an associated stream, a priority and a slot come first
        var block = new byte[body.remaining()];
        body.get(block);
        var stream = new Stream(id, headers.read(block));
        if (streams.size() >= MOST_STREAMS) {
            throw new IOException("more than " + MOST_STREAMS + " streams");
        }
        streams.put(id, stream);
        stream.finishIf(flags);
        opened.add(stream);
    }

    private void reset(ByteBuffer body) {
        var stream = body.remaining() < 4 ? null : streams.remove(body.getInt() & 0x7fffffff);
        if (stream != null) {
            stream.received.end();
        }
    }

    /// Waits for the next stream that the client opens, and accepts it; null once the client has gone.
    @Nullable
    Stream accept() throws InterruptedException, IOException {
        return accepted(opened.take());
    }

    /// Likewise, but not for ever.
    @Nullable
    Stream accept(long seconds) throws InterruptedException, IOException {
        var stream = opened.poll(seconds, TimeUnit.SECONDS);
        return stream == null ? null : accepted(stream);
    }

    private @Nullable Stream accepted(Stream stream) throws IOException {
        if (stream.id == 0) {
            opened.add(stream); // for whoever asks next
            return null;
        }
        writing.lock();
        try {
            var block = headers.write(Map.of());
            var frame = ByteBuffer.allocate(4 + block.length).putInt(stream.id).put(block);
            send(CONTROL | VERSION << 16 | SYN_REPLY, 0, frame.array());
        } finally {
            writing.unlock();
        }
        return stream;
    }

    private void send(int first, int flags, byte[] payload) throws IOException {
        send(first, flags, payload, 0, payload.length);
    }

    private void send(int first, int flags, byte[] payload, int from, int length) throws IOException {
        var frame = ByteBuffer.allocate(8 + length)
                .putInt(first)
                .putInt(flags << 24 | length)
                .put(payload, from, length);
        writing.lock();
        try {
            output.write(frame.array());
        } finally {
            writing.unlock();
        }
    }

    @Override
    public void close() {
        duplex.close();
        headers.close();
    }

    /// One stream that the client opened, with the headers that say what it is for.
    final class Stream {
        private final int id;
        private final Map<String, String> headers;
        private final BytePipe received = new BytePipe(CAPACITY);
        private boolean finished;

        private Stream(int id, Map<String, String> headers) {
            this.id = id;
            this.headers = headers;
        }

        String header(String name) {
            return headers.getOrDefault(name, "");
        }

        private void finishIf(int flags) {
            if ((flags & FIN) != 0) {
                received.end();
            }
        }

        InputStream input() {
            return received.input();
        }

        /// Closing it tells the client that no more comes.
        OutputStream output() {
            return new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    write(new byte[] {(byte) b}, 0, 1);
                }

                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                    for (int done = 0; done < length; done += LARGEST_PIECE) {
                        send(id, 0, bytes, from + done, Math.min(LARGEST_PIECE, length - done));
                    }
                }

                @Override
                public void close() throws IOException {
                    if (!finished && !ended) {
                        finished = true;
                        send(id, FIN, new byte[0]);
                    }
                }
            };
        }

        /// Neither side needs it any more.
        void forget() {
            streams.remove(id);
            received.end();
        }
    }
}
