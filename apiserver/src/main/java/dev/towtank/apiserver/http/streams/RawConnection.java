package dev.towtank.apiserver.http.streams;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.BufferUtil;

/// A connection that has left HTTP behind: its bytes as they are, read and written by threads that may wait.
final class RawConnection extends AbstractConnection implements Connection.UpgradeTo, Duplex {

    private static final int BUFFER = 32 * 1024;

    private final Consumer<Duplex> handler;
    private final Executor mayBlock;
    private final ByteBuffer received = BufferUtil.allocateDirect(BUFFER);
    private ByteBuffer prefilled = BufferUtil.EMPTY_BUFFER;

    RawConnection(EndPoint endPoint, Executor executor, Executor mayBlock, Consumer<Duplex> handler) {
        super(endPoint, executor);
        this.handler = handler;
        this.mayBlock = mayBlock;
    }

    @Override
    public void onUpgradeTo(ByteBuffer buffer) {
        if (buffer != null && buffer.hasRemaining()) {
            prefilled = BufferUtil.copy(buffer);
        }
    }

    @Override
    public void onOpen() {
        super.onOpen();
        getEndPoint().setIdleTimeout(PodStreams.IDLE.toMillis());
        mayBlock.execute(() -> {
            try {
                handler.accept(this);
            } finally {
                close();
            }
        });
    }

    @Override
    public void onFillable() {
        // Readers wait with callbacks of their own.
    }

    @Override
    public InputStream input() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                var one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                if (length == 0) {
                    return 0;
                }
                if (prefilled.hasRemaining()) {
                    return take(prefilled, into, from, length);
                }
                while (!received.hasRemaining()) {
                    int filled = getEndPoint().fill(received);
                    if (filled < 0) {
                        return -1;
                    }
                    if (filled == 0) {
                        awaitBytes();
                    }
                }
                return take(received, into, from, length);
            }
        };
    }

    private void awaitBytes() throws IOException {
        try (var waiting = Blocker.callback()) {
            getEndPoint().fillInterested(waiting);
            waiting.block();
        }
    }

    private static int take(ByteBuffer buffer, byte[] into, int from, int length) {
        int count = Math.min(length, buffer.remaining());
        buffer.get(into, from, count);
        return count;
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
                if (!getEndPoint().isOpen()) {
                    throw new EOFException("the client has gone");
                }
                try (var writing = Blocker.callback()) {
                    getEndPoint().write(writing, ByteBuffer.wrap(bytes, from, length));
                    writing.block();
                }
            }
        };
    }

    @Override
    public void close() {
        super.close();
    }
}
