package dev.towtank.apiserver.http.streams;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/// Several streams in one WebSocket: the first byte of a message is the number of its stream.
final class Channels {

    static final int STDIN = 0;
    static final int STDOUT = 1;
    static final int STDERR = 2;
    static final int ERROR = 3;
    static final int RESIZE = 4;

    /// From version 5 on: the second byte is the number of a stream that the client ends.
    private static final int CLOSE = 255;

    private static final int CAPACITY = 256 * 1024;

    private final WebSocketLink link;
    private final BytePipe[] received;

    Channels(WebSocketLink link, int count) {
        this.link = link;
        this.received = new BytePipe[count];
        for (int i = 0; i < count; i++) {
            received[i] = new BytePipe(CAPACITY);
        }
    }

    /// Takes what the client sends, until it goes.
    void receive() {
        try {
            int channel = -1;
            for (var piece = link.receive(); piece != null; piece = link.receive()) {
                var bytes = ByteBuffer.wrap(piece.bytes());
                if (piece.first()) {
                    channel = bytes.hasRemaining() ? bytes.get() & 0xff : -1;
                }
                deliver(channel, bytes);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            for (var pipe : received) {
                pipe.end();
            }
        }
    }

    private void deliver(int channel, ByteBuffer bytes) throws InterruptedException {
        if (channel == CLOSE && bytes.hasRemaining()) {
            int closed = bytes.get() & 0xff;
            if (closed < received.length) {
                received[closed].end();
            }
        } else if (channel >= 0 && channel < received.length) {
            var content = new byte[bytes.remaining()];
            bytes.get(content);
            received[channel].put(content);
        }
    }

    InputStream input(int channel) {
        return received[channel].input();
    }

    OutputStream output(int channel) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                var message =
                        ByteBuffer.allocate(1 + length).put((byte) channel).put(bytes, from, length);
                link.send(message.flip());
            }
        };
    }
}
