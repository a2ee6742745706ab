package dev.towtank.node.sandbox;

import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.Terminal;
import dev.towtank.node.sandbox.streams.ByteQueue;
import dev.towtank.node.sandbox.streams.Input;
import dev.towtank.node.sandbox.streams.Loop;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.util.OptionalInt;
import java.util.function.Consumer;

/// Somebody who listens to a container's own process, and talks to it if it has an input.
final class AttachSession implements PodAccess.Session {

    private static final System.Logger LOG = System.getLogger(AttachSession.class.getName());

    private final ContainerProcess container;
    private final OutputStream input;
    private final ByteQueue output = new ByteQueue(() -> {});
    /// Whoever reads too slowly misses some: the container must not wait for them.
    private final Consumer<byte[]> listener = this::heard;

    private boolean room = true;

    private AttachSession(ContainerProcess container, OutputStream input) {
        this.container = container;
        this.input = input;
    }

    static AttachSession to(Loop loop, ContainerProcess container) throws IOException {
        var input = container.stdin() < 0
                ? OutputStream.nullOutputStream()
                : new Input(loop, Descriptors.duplicate(container.stdin(), 0), new byte[0]);
        var session = new AttachSession(container, input);
        container.writer().listen(session.listener);
        Thread.ofVirtual().start(session::awaitEnd);
        return session;
    }

    private void heard(byte[] bytes) {
        if (room || output.available() == 0) {
            room = output.offer(bytes);
        }
    }

    private void awaitEnd() {
        try {
            container.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            container.writer().unlisten(listener);
            output.end();
        }
    }

    @Override
    public OutputStream stdin() {
        return input;
    }

    @Override
    public InputStream stdout() {
        return output;
    }

    @Override
    public InputStream stderr() {
        return InputStream.nullInputStream();
    }

    @Override
    public void resize(int columns, int rows) {
        if (container.terminal() < 0 || container.exit().isPresent()) {
            return;
        }
        try {
            Terminal.resize(container.terminal(), columns, rows);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "A terminal was not resized: {0}", e.getMessage());
        }
    }

    @Override
    public OptionalInt await() throws InterruptedException {
        return OptionalInt.of(container.await().code());
    }

    @Override
    public void close() {
        container.writer().unlisten(listener);
        output.close();
    }
}
