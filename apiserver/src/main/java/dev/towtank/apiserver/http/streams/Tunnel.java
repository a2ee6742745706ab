package dev.towtank.apiserver.http.streams;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/// A byte stream inside a WebSocket: where its messages begin and end means nothing.
record Tunnel(WebSocketLink link, BytePipe received) implements Duplex {

    private static final int CAPACITY = 256 * 1024;

    Tunnel(WebSocketLink link) {
        this(link, new BytePipe(CAPACITY));
    }

    /// Takes what the client sends, until it goes.
    void receive() {
        try {
            for (var piece = link.receive(); piece != null; piece = link.receive()) {
                received.put(piece.bytes());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            received.end();
        }
    }

    @Override
    public InputStream input() {
        return received.input();
    }

    @Override
    public OutputStream output() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                link.send(ByteBuffer.wrap(bytes, from, length));
            }
        };
    }

    @Override
    public void close() {
        link.close();
    }
}
