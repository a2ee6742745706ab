package dev.towtank.cluster.loop;

import dev.towtank.cluster.Change.Event;
import dev.towtank.model.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/// Takes events at once and writes them a little later, many together: so they are in nobody's way, and share the
/// syncs of the store. A warning does not wait. Events about one object keep their order. When more come than can
/// be written, the newest are dropped: events are for people.
public final class GatheredEvents implements AutoCloseable {

    private static final int MOST_WAITING = 16_384;
    private static final int MOST_TOGETHER = 256;
    private static final int GATHERING_MILLIS = 100;
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

    private record Entry(EventLog target, EventLog.Told told) {

        boolean isUrgent() {
            return told.event().severity() == Event.Severity.WARNING;
        }

        String about() {
            return told.event().about().uid();
        }
    }

    private final BlockingQueue<Entry> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Semaphore urgent = new Semaphore(0);
    private final LongAdder dropped = new LongAdder();
    private final Thread thread = Thread.ofVirtual().name("events").start(this::write);
    private volatile boolean closed;

    /// What is told here is told to the target later.
    public EventLog to(EventLog target) {
        return (event, part) -> add(new Entry(target, new EventLog.Told(withoutContents(event), part)));
    }

    /// An event names the object that it is about. The rest of that is at hand now, and would have to be read again
    /// when the event is written.
    private static Event withoutContents(Event event) {
        var about = event.about();
        var metadata = Json.Obj.builder()
                .put("name", about.name())
                .putNonEmpty("namespace", about.namespace())
                .putNonEmpty("uid", about.uid())
                .putNonEmpty("resourceVersion", about.resourceVersion());
        var named = Json.Obj.builder()
                .put("apiVersion", about.apiVersion())
                .put("kind", about.kind())
                .put("metadata", metadata.build());
        return new Event(about.with(named.build()), event.severity(), event.reason(), event.message());
    }

    private void add(Entry entry) {
        if (closed || !waiting.offer(entry)) {
            dropped.increment();
        } else if (entry.isUrgent()) {
            urgent.release();
        }
    }

    /// How many were never tried.
    public long dropped() {
        return dropped.sum();
    }

    private void write() {
        var together = new ArrayList<Entry>();
        try {
            while (true) {
                together.add(waiting.take());
                boolean _ = urgent.tryAcquire(GATHERING_MILLIS, TimeUnit.MILLISECONDS);
                urgent.drainPermits();
                waiting.drainTo(together, MOST_TOGETHER);
                var taken = List.copyOf(together);
                together.clear();
                write(taken);
            }
        } catch (InterruptedException e) {
            // closed
        }
        waiting.drainTo(together);
        byObject(together).forEach(GatheredEvents::writeInOrder);
    }

    private static Collection<List<Entry>> byObject(List<Entry> together) {
        var byObject = new LinkedHashMap<String, List<Entry>>();
        for (var entry : together) {
            byObject.computeIfAbsent(entry.about(), _ -> new ArrayList<>()).add(entry);
        }
        return byObject.values();
    }

    private static void write(List<Entry> together) throws InterruptedException {
        var threads = new ArrayList<Thread>();
        for (var entries : byObject(together)) {
            threads.add(Thread.ofVirtual().name("events").start(() -> writeInOrder(entries)));
        }
        boolean interrupted = false;
        for (var each : threads) {
            interrupted |= !joined(each);
        }
        if (interrupted) {
            throw new InterruptedException();
        }
    }

    /// What one part of the program has told without another between goes together.
    private static void writeInOrder(List<Entry> entries) {
        var told = new ArrayList<EventLog.Told>();
        for (int i = 0; i < entries.size(); i++) {
            var target = entries.get(i).target;
            told.add(entries.get(i).told);
            if (i + 1 == entries.size() || !entries.get(i + 1).target.equals(target)) {
                target.record(List.copyOf(told));
                told.clear();
            }
        }
    }

    /// Waits for the end in any case, as what is written next may be about the same object.
    private static boolean joined(Thread writing) {
        boolean interrupted = false;
        while (true) {
            try {
                writing.join();
                return !interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    /// Writes what is waiting, if that does not take long.
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            boolean _ = thread.join(LONGEST_CLOSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
