package dev.towtank.node.events;

import dev.towtank.cluster.Change.Event;
import dev.towtank.cluster.loop.EventLog;
import dev.towtank.cluster.loop.GatheredEvents;
import dev.towtank.model.Resource;

/// What a part of the node tells people, beside its work.
public final class NodeEvents implements AutoCloseable {

    private final GatheredEvents gathered = new GatheredEvents();
    private final EventLog log;

    public NodeEvents(EventLog target) {
        this.log = gathered.to(target);
    }

    public void normal(Resource about, String reason, String message) {
        log.record(Event.normal(about, reason, message));
    }

    public void warning(Resource about, String reason, String message) {
        log.record(Event.warning(about, reason, message));
    }

    /// @param part of the object, like `spec.containers{web}`
    public void normal(Resource about, String part, String reason, String message) {
        log.record(Event.normal(about, reason, message), part);
    }

    public void warning(Resource about, String part, String reason, String message) {
        log.record(Event.warning(about, reason, message), part);
    }

    /// How many were never tried.
    public long dropped() {
        return gathered.dropped();
    }

    @Override
    public void close() {
        gathered.close();
    }
}
