package dev.towtank.cluster.loop;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.Sha256;
import dev.towtank.model.StatusError;
import dev.towtank.model.Timestamps;
import dev.towtank.model.kinds.core.Events;
import dev.towtank.model.patch.Patch;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// Writes Kubernetes Events. The same thing told again raises the count of the first telling.
///
/// The name of an Event is a function of what it says, so this holds across restarts too. Events are for people: one
/// that cannot be written is dropped and counted, and never holds up the work.
public final class EventRecorder implements EventLog {

    static final Kind<Json.Obj> EVENTS = Events.KIND;

    private static final int LONGEST_NAME = 253;
    private static final int LONGEST_MESSAGE = 1024;
    private static final int HASH_BYTES = 8;

    private final Cluster cluster;
    private final InstantSource clock;
    private final String component;
    private final LongAdder dropped = new LongAdder();

    public EventRecorder(Cluster cluster, InstantSource clock, String component) {
        this.cluster = cluster;
        this.clock = clock;
        this.component = component;
    }

    @Override
    public void record(Change.Event event, String part) {
        try {
            write(event, part);
        } catch (StatusError | UncheckedIOException e) {
            dropped.increment();
        }
    }

    /// In one write where all of them are new, as nearly always.
    @Override
    public void record(List<Told> together) {
        if (together.size() < 2 || !areWritten(together)) {
            EventLog.super.record(together);
        }
    }

    private boolean areWritten(List<Told> together) {
        var events =
                together.stream().map(told -> event(told.event(), told.part())).toList();
        try {
            return cluster.createTogether(EVENTS, events, Cluster.WriteOptions.DEFAULT.by(component));
        } catch (StatusError | UncheckedIOException e) {
            return false;
        }
    }

    /// How many could not be written.
    public long dropped() {
        return dropped.sum();
    }

    /// Most are new, so nobody is asked first whether they are.
    private void write(Change.Event event, String part) {
        var object = event(event, part);
        var options = Cluster.WriteOptions.DEFAULT.by(component);
        try {
            cluster.create(EVENTS, object, options);
        } catch (StatusError e) {
            if (!e.is(StatusError.Reason.ALREADY_EXISTS)) {
                throw e;
            }
            tellAgain(ObjectName.of(object), options);
        }
    }

    private void tellAgain(ObjectName name, Cluster.WriteOptions options) {
        var known = cluster.get(EVENTS, name);
        if (known.isPresent()) {
            var more = Json.Obj.of(
                    "count", Json.of(known.get().json().integer("count") + 1), "lastTimestamp", Json.of(now()));
            cluster.patch(EVENTS, name, new Patch.Merge(more), options);
        }
    }

    private Resource event(Change.Event event, String part) {
        var about = event.about();
        // Events about cluster-scoped objects live in the namespace default.
        var namespace = about.namespace().isEmpty() ? "default" : about.namespace();
        var json = Json.Obj.builder()
                .put("apiVersion", EVENTS.apiVersion())
                .put("kind", EVENTS.kind())
                .put("metadata", Json.Obj.of("name", Json.of(name(event, part)), "namespace", Json.of(namespace)))
                .put("involvedObject", reference(about, part))
                .put("reason", event.reason())
                .put("message", shortened(event.message()))
                .put("source", Json.Obj.of("component", Json.of(component)))
                .put("firstTimestamp", now())
                .put("lastTimestamp", now())
                .put("count", 1)
                .put("type", event.severity().wire())
                .put("reportingComponent", component)
                .put("reportingInstance", "")
                .build();
        return new Resource(about.cluster(), json);
    }

    private static Json.Obj reference(Resource about, String part) {
        return Json.Obj.builder()
                .put("apiVersion", about.apiVersion())
                .put("kind", about.kind())
                .putNonEmpty("namespace", about.namespace())
                .put("name", about.name())
                .putNonEmpty("uid", about.uid())
                .putNonEmpty("resourceVersion", about.resourceVersion())
                .putNonEmpty("fieldPath", part)
                .build();
    }

    private String now() {
        return Timestamps.seconds(clock.instant());
    }

    private static String shortened(String message) {
        return message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE - 1) + "…";
    }

    private String name(Change.Event event, String part) {
        var said = String.join(
                "\0",
                component,
                event.about().kind(),
                event.about().uid(),
                event.severity().wire(),
                event.reason(),
                event.message(),
                part);
        var hash = HexFormat.of().formatHex(Sha256.of(said), 0, HASH_BYTES);
        var name = event.about().name();
        int room = LONGEST_NAME - hash.length() - 1;
        return (name.length() <= room ? name : name.substring(0, room)) + "." + hash;
    }
}
