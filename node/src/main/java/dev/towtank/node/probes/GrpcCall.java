package dev.towtank.node.probes;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// One question to a gRPC server over a fresh connection: HTTP/2 without encryption, as far as that needs.
///
/// The client of the JDK would first ask over HTTP/1.1 whether the server speaks HTTP/2, which gRPC servers refuse.
final class GrpcCall {

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GO_AWAY = 7;
    private static final int CONTINUATION = 9;
    private static final int ACKNOWLEDGED = 1;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int PADDED = 8;
    private static final int WITH_PRIORITY = 0x20;
    private static final int LARGEST_FRAME = 1 << 14;
    private static final int LARGEST_ANSWER = 1 << 16;

    private final DataInputStream in;
    private final OutputStream out;
    private final ByteArrayOutputStream block = new ByteArrayOutputStream();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final Map<String, String> headers = new HashMap<>();
    private boolean greeted;
    private boolean over;
    private boolean lastBlock;

    GrpcCall(DataInputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    /// @param headers of the answer's beginning and end together
    /// @param message empty when there was none
    record Answer(Map<String, String> headers, Optional<ByteBuffer> message) {}

    /// Whether the other side has proved to be an HTTP/2 server.
    boolean greeted() {
        return greeted;
    }

    void ask(String authority, String path, byte[] message, Duration timeout) throws IOException {
        var request = new HeaderBlock.Writer()
                .fixed(HeaderBlock.METHOD_POST)
                .fixed(HeaderBlock.SCHEME_HTTP)
                .named(HeaderBlock.PATH, path)
                .named(HeaderBlock.AUTHORITY, authority)
                .named(HeaderBlock.CONTENT_TYPE, "application/grpc")
                .named(HeaderBlock.USER_AGENT, "kube-probe/1.35")
                .header("te", "trailers")
                .header("grpc-timeout", timeout.toMillis() + "m")
                .bytes();
        var data = ByteBuffer.allocate(5 + message.length)
                .put((byte) 0)
                .putInt(message.length)
                .put(message)
                .array();
        // No table of headers, no pushed answers.
        var settings = ByteBuffer.allocate(12)
                .putShort((short) 1)
                .putInt(0)
                .putShort((short) 2)
                .putInt(0);
        var all = new ByteArrayOutputStream();
        all.writeBytes(PREFACE);
        all.writeBytes(frame(SETTINGS, 0, 0, settings.array()));
        all.writeBytes(frame(HEADERS, END_HEADERS, 1, request));
        all.writeBytes(frame(DATA, END_STREAM, 1, data));
        out.write(all.toByteArray());
        out.flush();
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .put((byte) (payload.length >> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /// Reads to the answer's end.
    Answer answer() throws IOException {
        while (!over) {
            int first = in.readInt();
            int length = first >>> 8;
            int type = first & 0xff;
            int flags = in.readUnsignedByte();
            var _ = in.readInt(); // there is one stream only
            if (length > LARGEST_FRAME || (!greeted && type != SETTINGS)) {
                throw new IOException("error reading server preface: this is not HTTP/2");
            }
            receive(type, flags, in.readNBytes(length));
        }
        var bytes = body.toByteArray();
        // One byte that says whether it is compressed, four for its length.
        return new Answer(
                headers,
                bytes.length < 5 ? Optional.empty() : Optional.of(ByteBuffer.wrap(bytes, 5, bytes.length - 5)));
    }

    private void receive(int type, int flags, byte[] payload) throws IOException {
        switch (type) {
            case SETTINGS -> {
                greeted = true;
                if ((flags & ACKNOWLEDGED) == 0) {
                    send(frame(SETTINGS, ACKNOWLEDGED, 0, new byte[0]));
                }
            }
            case PING -> {
                if ((flags & ACKNOWLEDGED) == 0) {
                    send(frame(PING, ACKNOWLEDGED, 0, payload));
                }
            }
            case HEADERS -> {
                lastBlock = (flags & END_STREAM) != 0;
                headers(unpadded(payload, flags, (flags & WITH_PRIORITY) != 0 ? 5 : 0), flags);
            }
            case CONTINUATION -> headers(payload, flags);
            case DATA -> data(unpadded(payload, flags, 0), flags);
            case RESET -> throw new IOException("stream terminated by RST_STREAM with error code: " + code(payload, 0));
            case GO_AWAY -> {
                if (stream(payload) < 1) {
                    throw new IOException("the connection is draining, error code " + code(payload, 4));
                }
            }
            default -> {
                // windows are wide enough, and what is new may be ignored
            }
        }
    }

    private void send(byte[] frame) throws IOException {
        out.write(frame);
        out.flush();
    }

    private static int code(byte[] payload, int at) {
        return payload.length < at + 4 ? -1 : ByteBuffer.wrap(payload).getInt(at);
    }

    private static int stream(byte[] payload) {
        return code(payload, 0) & Integer.MAX_VALUE;
    }

    private static byte[] unpadded(byte[] payload, int flags, int skipped) throws IOException {
        boolean padded = (flags & PADDED) != 0;
        int from = (padded ? 1 : 0) + skipped;
        int to = payload.length - (padded && payload.length > 0 ? payload[0] & 0xff : 0);
        if (from > to) {
            throw new IOException("malformed frame");
        }
        return Arrays.copyOfRange(payload, from, to);
    }

    private void headers(byte[] part, int flags) throws IOException {
        block.writeBytes(part);
        bounded(block);
        if ((flags & END_HEADERS) != 0) {
            headers.putAll(HeaderBlock.read(block.toByteArray()));
            block.reset();
            over |= lastBlock;
        }
    }

    private void data(byte[] part, int flags) throws IOException {
        body.writeBytes(part);
        bounded(body);
        over |= (flags & END_STREAM) != 0;
    }

    private static void bounded(ByteArrayOutputStream bytes) throws IOException {
        if (bytes.size() > LARGEST_ANSWER) {
            throw new IOException("the answer is larger than " + LARGEST_ANSWER + " bytes");
        }
    }
}
