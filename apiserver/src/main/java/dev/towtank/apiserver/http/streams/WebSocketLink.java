package dev.towtank.apiserver.http.streams;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.OpCode;
import org.jspecify.annotations.Nullable;

/// A WebSocket whose messages are taken and given by threads that may wait.
final class WebSocketLink implements FrameHandler, AutoCloseable {

    /// @param first whether a message begins with it; a long message comes in several
    @SuppressWarnings("ArrayRecordComponent") // handed over once, and never compared
    record Piece(byte[] bytes, boolean first) {
        private static final Piece END = new Piece(new byte[0], true);
    }

    /// Older kubectls (1.32 does, 1.35 does not) read before they know their streams, and drop what belongs to
    /// none: an exit code, perhaps, which then counts as success.
    private static final long MOMENT_TO_LISTEN = Duration.ofMillis(20).toNanos();

    private final Consumer<WebSocketLink> handler;
    private final Executor mayBlock;
    private final LongSupplier nanoTime;
    private final LongConsumer park;
    private final BlockingQueue<Piece> received = new LinkedBlockingQueue<>();
    private volatile @Nullable CoreSession session;
    private volatile long openedAt;
    private volatile boolean closed;

    WebSocketLink(Executor mayBlock, Consumer<WebSocketLink> handler) {
        this(mayBlock, handler, System::nanoTime, LockSupport::parkNanos);
    }

    /// @param nanoTime what passes while somebody waits
    /// @param park waits for so many nanoseconds, or less
    WebSocketLink(Executor mayBlock, Consumer<WebSocketLink> handler, LongSupplier nanoTime, LongConsumer park) {
        this.mayBlock = mayBlock;
        this.handler = handler;
        this.nanoTime = nanoTime;
        this.park = park;
    }

    @Override
    public void onOpen(CoreSession opened, Callback callback) {
        opened.setIdleTimeout(PodStreams.IDLE);
        openedAt = nanoTime.getAsLong();
        session = opened;
        callback.succeeded();
        opened.demand();
        mayBlock.execute(() -> {
            try {
                handler.accept(this);
            } finally {
                close();
            }
        });
    }

    @Override
    public void onFrame(Frame frame, Callback callback) {
        switch (frame.getOpCode()) {
            case OpCode.BINARY, OpCode.TEXT, OpCode.CONTINUATION -> {
                // The next frame is asked for when this one is taken, so a fast client cannot fill the memory.
                received.add(new Piece(bytes(frame), frame.getOpCode() != OpCode.CONTINUATION));
                callback.succeeded();
            }
            case OpCode.PING -> {
                var pong = new Frame(OpCode.PONG, ByteBuffer.wrap(bytes(frame)));
                callback.succeeded();
                var opened = session;
                if (opened != null) {
                    opened.sendFrame(pong, Callback.NOOP, false);
                    opened.demand();
                }
            }
            case OpCode.CLOSE -> {
                end();
                callback.succeeded();
            }
            default -> {
                callback.succeeded();
                demand();
            }
        }
    }

    private static byte[] bytes(Frame frame) {
        var payload = frame.getPayload();
        if (payload == null) {
            return new byte[0];
        }
        var bytes = new byte[payload.remaining()];
        payload.get(bytes);
        return bytes;
    }

    private void demand() {
        var opened = session;
        if (opened != null && !closed) {
            opened.demand();
        }
    }

    private void end() {
        closed = true;
        received.add(Piece.END);
    }

    @Override
    public void onError(Throwable cause, Callback callback) {
        end();
        callback.succeeded();
    }

    @Override
    public void onClosed(CloseStatus status, Callback callback) {
        end();
        callback.succeeded();
    }

    /// Waits for the next piece; null once the client has gone.
    @Nullable
    Piece receive() throws InterruptedException {
        var piece = received.take();
        if (isEnd(piece)) {
            received.add(piece); // for whoever asks next
            return null;
        }
        demand();
        return piece;
    }

    @SuppressWarnings("ReferenceEquality") // the end is one object, which an empty piece is not
    private static boolean isEnd(Piece piece) {
        return piece == Piece.END;
    }

    private long toListen() {
        return openedAt + MOMENT_TO_LISTEN - nanoTime.getAsLong();
    }

    /// Sends one binary message.
    void send(ByteBuffer message) throws IOException {
        var opened = session;
        if (opened == null || closed) {
            throw new IOException("the client has gone");
        }
        for (long left = toListen(); left > 0; left = toListen()) {
            park.accept(left);
        }
        try (var sending = Blocker.callback()) {
            opened.sendFrame(new Frame(OpCode.BINARY, message), sending, false);
            sending.block();
        }
    }

    @Override
    public void close() {
        var opened = session;
        if (opened != null && !closed) {
            closed = true;
            opened.close(CloseStatus.NORMAL, "", Callback.NOOP);
        }
        received.add(Piece.END);
    }
}
