package dev.towtank.cluster.remote;

import dev.towtank.cluster.Watch;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A watch over HTTP: one event a line. Bytes are asked for only while few events wait, so a slow reader holds up the
/// server, not our memory.
final class RemoteWatch implements Watch, AsyncBody.Consumer<List<ByteBuffer>> {

    private static final int MOST_WAITING = 1_000;
    private static final int LONGEST_LINE = 64 << 20;

    private final Function<Json.Obj, Resource> reader;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // All guarded by the lock.
    private final Queue<Event> waiting = new ArrayDeque<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private @Nullable AsyncBody body;
    private @Nullable RuntimeException end;
    private boolean held;

    RemoteWatch(Function<Json.Obj, Resource> reader) {
        this.reader = reader;
    }

    /// The answer has begun. A refusal has a body too, which is read whole.
    void opened(int code, AsyncBody answer) {
        lock.lock();
        try {
            body = answer;
        } finally {
            lock.unlock();
        }
        // However it ends, a broken connection included, one opens another.
        var _ = answer.done().whenComplete((_, _) -> ended(new Ended()));
        answer.consume();
        if (code != 200) {
            throw refusal(code, answer);
        }
    }

    private StatusError refusal(int code, AsyncBody answer) {
        try {
            answer.done().get(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | CancellationException e) {
            // the code says enough
        }
        lock.lock();
        try {
            if (end instanceof StatusError told) {
                return told;
            }
            return RemoteErrors.of(code, line.toByteArray(), "");
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void consume(List<ByteBuffer> bytes, AsyncBody from) {
        boolean more;
        lock.lock();
        try {
            bytes.forEach(this::split);
            more = end == null && waiting.size() < MOST_WAITING;
            held = !more;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (more) {
            from.consume();
        }
    }

    private void split(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            if (next != '\n') {
                line.write(next);
            } else if (line.size() > 0) {
                var text = line.toByteArray();
                line.reset();
                read(text);
            }
        }
        if (line.size() > LONGEST_LINE) {
            ended(StatusError.internal("an event of a watch is longer than " + LONGEST_LINE + " bytes"));
        }
    }

    private void read(byte[] text) {
        try {
            var json = JsonText.parseObject(text);
            var object = json.object("object");
            switch (json.string("type")) {
                case "ADDED" -> waiting.add(new Added(reader.apply(object)));
                case "MODIFIED" -> waiting.add(new Modified(reader.apply(object)));
                case "DELETED" -> waiting.add(new Deleted(reader.apply(object)));
                case "BOOKMARK" -> waiting.add(new Bookmark(object.string("metadata", "resourceVersion")));
                case "ERROR" -> ended(RemoteErrors.of(object, 500));
                default -> ended(RemoteErrors.of(json, 500));
            }
        } catch (JsonText.Malformed e) {
            ended(StatusError.internal("an event of a watch is not JSON: " + e.getMessage()));
        }
    }

    private void ended(RuntimeException why) {
        lock.lock();
        try {
            if (end == null) {
                end = why;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<Event> next(Duration longest) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = longest.toNanos();
            while (waiting.isEmpty() && end == null && left > 0) {
                left = changed.awaitNanos(left);
            }
            if (waiting.isEmpty() && end != null) {
                throw end;
            }
            var events = new ArrayList<>(waiting);
            waiting.clear();
            if (held && body != null) {
                held = false;
                body.consume();
            }
            return events;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            ended(new Ended());
            if (body != null) {
                body.cancel();
            }
        } finally {
            lock.unlock();
        }
    }
}
