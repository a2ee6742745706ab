package dev.towtank.node.sandbox.streams;

import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.Epoll;
import dev.towtank.node.logs.LogWriter;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/// The one thread that waits for all containers: their ends, their output, their sessions. What it calls
/// never waits.
public final class Loop implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Loop.class.getName());

    /// Called when its descriptor has something, again and again until it is taken away.
    public interface Handler {
        void ready(LogWriter.Scratch scratch) throws IOException;
    }

    private final Epoll epoll;
    private final Descriptors.Pipe end;
    private final AtomicLong tokens = new AtomicLong(1);
    private final Map<Long, Handler> handlers = new ConcurrentHashMap<>();
    private final Map<Integer, Long> byDescriptor = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile boolean closed;

    public Loop() throws IOException {
        epoll = new Epoll();
        end = Descriptors.pipe();
        epoll.add(end.readEnd(), 0);
        thread = Thread.ofPlatform().daemon().name("containers").start(this::run);
    }

    public void add(int descriptor, Handler handler) throws IOException {
        long token = tokens.getAndIncrement();
        handlers.put(token, handler);
        byDescriptor.put(descriptor, token);
        epoll.add(descriptor, token);
    }

    /// Calls it once, when the descriptor takes bytes or its other side has gone.
    public void addWritable(int descriptor, Handler handler) throws IOException {
        long token = tokens.getAndIncrement();
        handlers.put(token, handler);
        byDescriptor.put(descriptor, token);
        epoll.addWritable(descriptor, token);
    }

    /// Must come before the descriptor is closed. A call that is on its way may still arrive.
    public void remove(int descriptor) {
        var token = byDescriptor.remove(descriptor);
        if (token != null) {
            handlers.remove(token);
            epoll.remove(descriptor);
        }
    }

    /// Calls it once, so many milliseconds from now (less than a second).
    public void after(int milliseconds, Handler handler) throws IOException {
        int timer = Descriptors.timer(milliseconds);
        add(timer, scratch -> {
            remove(timer);
            Descriptors.close(timer);
            handler.ready(scratch);
        });
    }

    /// Waits until the descriptor takes bytes.
    void awaitWritable(int descriptor) throws IOException, InterruptedException {
        var latch = new CountDownLatch(1);
        long token = tokens.getAndIncrement();
        handlers.put(token, _ -> latch.countDown());
        try {
            epoll.addWritable(descriptor, token);
            latch.await();
        } finally {
            handlers.remove(token);
            epoll.remove(descriptor);
        }
    }

    private void run() {
        var scratch = new LogWriter.Scratch();
        while (!closed) {
            try {
                for (long token : epoll.await()) {
                    var handler = handlers.get(token);
                    if (handler != null && !closed) {
                        call(handler, scratch);
                    }
                }
            } catch (IOException e) {
                throw new IllegalStateException("the node can no longer wait for containers", e);
            }
        }
    }

    private static void call(Handler handler, LogWriter.Scratch scratch) {
        try {
            handler.ready(scratch);
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.WARNING, "A container's event could not be handled: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            Descriptors.write(end.writeEnd(), new byte[1]);
            thread.join();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return; // the thread still uses what would be closed now
        }
        epoll.close();
        Descriptors.close(end.readEnd());
        Descriptors.close(end.writeEnd());
    }
}
