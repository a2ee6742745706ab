package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.WatchStream;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.StatusError;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// A watch whose events the test makes.
final class FakeStream implements WatchStream {

    final CountDownLatch closed = new CountDownLatch(1);
    private final Deque<Event> events = new ArrayDeque<>();
    volatile boolean over;
    private Runnable waiting;
    private StatusError failure;

    void add(Type type, Json.Obj object) {
        add(new Event(type, Content.of(object)));
    }

    void add(Event event) {
        Runnable action;
        synchronized (this) {
            events.add(event);
            action = waiting;
            waiting = null;
        }
        if (action != null) {
            action.run();
        }
    }

    void fail(StatusError error) {
        Runnable action;
        synchronized (this) {
            failure = error;
            action = waiting;
            waiting = null;
        }
        if (action != null) {
            action.run();
        }
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public synchronized List<Event> poll(int limit) {
        if (events.isEmpty() && failure != null) {
            throw failure;
        }
        List<Event> taken = new ArrayList<>();
        while (taken.size() < limit && !events.isEmpty()) {
            taken.add(events.poll());
        }
        return taken;
    }

    @Override
    public List<Event> await(int limit, Duration longest) {
        throw new UnsupportedOperationException("nobody may block on a watch over HTTP");
    }

    @Override
    public void whenReady(Runnable action) {
        synchronized (this) {
            if (events.isEmpty() && failure == null) {
                waiting = action;
                return;
            }
        }
        action.run();
    }

    @Override
    public Event bookmark() {
        return new Event(Type.BOOKMARK, Content.of(JsonText.parseObject("""
                {"kind": "Pod", "apiVersion": "v1", "metadata": {"resourceVersion": "99"}}
                """)));
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
