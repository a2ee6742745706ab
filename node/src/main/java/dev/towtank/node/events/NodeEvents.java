package dev.towtank.node.events;

import dev.towtank.cluster.Change.Event;
import dev.towtank.cluster.EventRecorder;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.LongAdder;

/// Takes events at once and writes them when there is time. Those about one object keep their order. When more come
/// than can be written, the newest are dropped: events are for people.
public final class NodeEvents implements AutoCloseable {

    private static final int LANES = 4;
    private static final int WAITING_PER_LANE = 4096;

    private record Entry(Event event, String part) {}

    private final EventRecorder recorder;
    private final List<BlockingQueue<Entry>> lanes = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final LongAdder dropped = new LongAdder();

    public NodeEvents(EventRecorder recorder) {
        this.recorder = recorder;
        for (int i = 0; i < LANES; i++) {
            var lane = new ArrayBlockingQueue<Entry>(WAITING_PER_LANE);
            lanes.add(lane);
            threads.add(Thread.ofVirtual().name("events " + i).start(() -> write(lane)));
        }
    }

    public void normal(Resource about, String reason, String message) {
        add(Event.normal(about, reason, message), "");
    }

    public void warning(Resource about, String reason, String message) {
        add(Event.warning(about, reason, message), "");
    }

    /// @param part of the object, like `spec.containers{web}`
    public void normal(Resource about, String part, String reason, String message) {
        add(Event.normal(about, reason, message), part);
    }

    public void warning(Resource about, String part, String reason, String message) {
        add(Event.warning(about, reason, message), part);
    }

    private void add(Event event, String part) {
        var lane = lanes.get(Math.floorMod(event.about().uid().hashCode(), LANES));
        if (!lane.offer(new Entry(event, part))) {
            dropped.increment();
        }
    }

    /// How many were never tried.
    public long dropped() {
        return dropped.sum();
    }

    private void write(BlockingQueue<Entry> lane) {
        try {
            while (true) {
                var entry = lane.take();
                recorder.record(entry.event, entry.part);
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}
