package dev.towtank.controllers.triggers.source;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Meters;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.web.BodyRoom;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.cluster.web.WebDoor;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.operator.api.OperatorKinds;
import dev.towtank.controllers.triggers.api.TriggersKinds;
import dev.towtank.controllers.triggers.events.Event;
import dev.towtank.controllers.triggers.events.Headers;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Secrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// The ports on which EventListeners listen, and what they answer there.
public final class Listeners implements AutoCloseable {

    /// On an EventListener: `false` lets bodies through that are no JSON objects.
    private static final String PAYLOAD_VALIDATION = "tekton.dev/payload-validation";

    /// More events than this are not worked on at once; senders are told to come again.
    private static final int AT_ONCE = 256;

    /// For the bodies of all listeners.
    private static final long ROOM = 64L << 20;

    private final WebDoor door;
    private final Cache listeners;
    private final Cluster cluster;
    private final Cache secrets;
    private final EventWork work;
    private final Meters.Count received;
    private final Meters.Distribution took;
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final BodyRoom room = new BodyRoom(ROOM, Endpoint.USUAL_BODY);

    // Guarded by this object's monitor.
    private final Map<ObjectName, Opened> open = new HashMap<>();
    private boolean closed;

    public Listeners(Place place) {
        this.door = place.web();
        this.listeners = place.caches().of(TriggersKinds.EVENT_LISTENER);
        this.cluster = place.cluster();
        this.secrets = place.caches().of(Secrets.KIND);
        this.work = new EventWork(place, workers);
        this.received = place.meters()
                .counter(
                        "eventlistener_event_received_total",
                        "Events that listeners have got, by whether they could be read",
                        "status");
        this.took = place.meters()
                .histogram(
                        "eventlistener_http_duration_seconds",
                        "How long listeners took for their answers",
                        List.of(0.001, 0.01, 0.1, 1.0, 5.0, 10.0));
        for (var counted : TriggersKinds.COUNTED.entrySet()) {
            var cache = place.caches().of(counted.getValue());
            place.meters()
                    .gauge(
                            "controller_" + counted.getKey() + "_count",
                            "Objects of the kind " + counted.getValue().kind(),
                            () -> cache.list().size());
        }
    }

    /// A port that is open.
    ///
    /// @param identity what it shows to its clients, where it speaks TLS
    private record Opened(WebDoor.Open port, Optional<WebDoor.KeyPair> identity) {}

    /// Where a listener listens, if it does, as it should.
    public Optional<Integer> port(Resource listener) {
        var wanted = identity(listener).filter(Identity.Found.class::isInstance);
        synchronized (this) {
            return Optional.ofNullable(open.get(ObjectName.of(listener)))
                    .filter(known -> known.identity.equals(wanted.map(found -> ((Identity.Found) found).pair())))
                    .map(known -> known.port.port());
        }
    }

    /// The certificate that a listener is to show; nothing where it speaks plain HTTP.
    public Optional<Identity> identity(Resource listener) {
        return Identity.of(
                listener, name -> secrets.get(new ObjectName(listener.cluster(), listener.namespace(), name)));
    }

    public int open(ObjectName name) throws IOException {
        var listener = listeners.get(name).orElseThrow(() -> new IOException("the listener is gone"));
        var identity = identity(listener);
        if (identity.isPresent() && identity.get() instanceof Identity.Missing(var why)) {
            throw new IOException(why);
        }
        var pair = identity.map(found -> ((Identity.Found) found).pair());
        synchronized (this) {
            if (closed) {
                throw new IOException("listeners are no longer opened");
            }
            var present = open.get(name);
            if (present == null || !present.identity.equals(pair)) {
                if (present != null) {
                    present.port.close();
                    open.remove(name);
                }
                var plain = WebDoor.Port.plain("eventlistener " + name, request -> timed(name, request));
                present = new Opened(door.open(pair.map(plain::withTls).orElse(plain)), pair);
                open.put(name, present);
            }
            return present.port.port();
        }
    }

    private WebResponse timed(ObjectName name, WebRequest request) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        try {
            return handle(name, request);
        } finally {
            took.observe((System.nanoTime() - begun) / 1e9);
        }
    }

    /// The last events of the namespaces, for those who may see the listeners there.
    public Json.Arr told(LogicalCluster where, String namespace) {
        return work.ledger().of(where, namespace);
    }

    /// Starts the template of a Trigger because it is time.
    public Json.Obj scheduled(Resource trigger, Instant due) throws InterruptedException {
        return work.scheduled(trigger, due);
    }

    /// Gives a listener an event that did not come by HTTP, and waits for what it does with it.
    public Json.Arr deliver(ObjectName name, String body, Headers headers) throws IOException, InterruptedException {
        var listener = listeners
                .get(name)
                .orElseThrow(() -> new IOException(
                        "there is no EventListener " + name.name() + " in namespace " + name.namespace()));
        if (isSwitchedOff()) {
            throw new IOException("Tekton Triggers is switched off by TektonConfig config");
        }
        received.count("succeeded");
        return work.done(listener, new Event(UUID.randomUUID().toString(), "/", body, headers, Json.Obj.EMPTY));
    }

    /// For changes of EventListeners: closes the port of one that is gone.
    public void seen(@Nullable Resource before, @Nullable Resource now) {
        if (before != null && now == null) {
            var gone = ObjectName.of(before);
            workers.execute(() -> close(gone));
        }
    }

    private synchronized void close(ObjectName listener) {
        if (listeners.get(listener).isEmpty()) {
            var port = open.remove(listener);
            if (port != null) {
                port.port.close();
            }
        }
    }

    // Where nobody installs the kind, nobody has switched anything off.
    private boolean isSwitchedOff() {
        try {
            return cluster.get(OperatorKinds.TEKTON_CONFIG, OperatorKinds.CONFIG)
                    .filter(OperatorKinds::isWithoutTriggers)
                    .isPresent();
        } catch (StatusError e) {
            if (e.is(StatusError.Reason.NOT_FOUND)) {
                return false;
            }
            throw e;
        }
    }

    private WebResponse handle(ObjectName name, WebRequest request) throws IOException, InterruptedException {
        if (request.method().equals("GET") && request.path().equals("/live")) {
            return WebResponse.text(200, "ok");
        }
        if (isSwitchedOff()) {
            return WebResponse.text(503, "Tekton Triggers is switched off by TektonConfig config\n");
        }
        var taken = room.take(request);
        if (taken.isEmpty()) {
            received.count("failed");
            return BodyRoom.full();
        }
        try (var _ = taken.get()) {
            return handle(name, request, new String(request.readBody(), StandardCharsets.UTF_8));
        } catch (WebRequest.TooLarge e) {
            received.count("failed");
            throw e;
        }
    }

    private WebResponse handle(ObjectName name, WebRequest request, String body) throws InterruptedException {
        var found = listeners.get(name);
        if (found.isEmpty()) {
            received.count("failed");
            return WebResponse.empty(500);
        }
        var listener = found.get();
        var problem = problem(listener, body);
        if (problem.isPresent()) {
            received.count("failed");
            return WebResponse.json(400, answer(listener, "").with("errorMessage", Json.of(problem.get())));
        }
        if (!places.tryAcquire()) {
            received.count("failed");
            return WebResponse.text(503, "EventListener Timeout!").with("Retry-After", "1");
        }
        received.count("succeeded");
        var query = request.query().isEmpty() ? "" : "?" + request.query();
        var event = new Event(
                UUID.randomUUID().toString(),
                request.path() + query,
                body,
                new Headers(request.headers()),
                Json.Obj.EMPTY);
        return accepted(listener, event, request.parameter("wait").equals("true"));
    }

    private WebResponse accepted(Resource listener, Event event, boolean waits) throws InterruptedException {
        var answer = answer(listener, event.id());
        if (waits) {
            try {
                return told(event, listener, answer.with("triggers", work.done(listener, event)));
            } finally {
                places.release();
            }
        }
        workers.execute(() -> {
            try {
                work.done(listener, event);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the server ends
            } finally {
                places.release();
            }
        });
        return told(event, listener, answer);
    }

    // Who speaks in CloudEvents is answered with one.
    private static WebResponse told(Event event, Resource listener, Json.Obj answer) {
        var response = WebResponse.json(202, answer);
        return CloudEvents.isOne(event)
                ? response.with("ce-specversion", "1.0")
                        .with("ce-id", event.id())
                        .with("ce-type", "dev.tekton.event.triggers.accepted.v1")
                        .with("ce-source", listener.name())
                        .with("ce-subject", listener.namespace() + "." + listener.name() + " accepted " + event.id())
                : response;
    }

    private static Optional<String> problem(Resource listener, String body) {
        if ("false".equals(listener.annotations().get(PAYLOAD_VALIDATION))) {
            return Optional.empty();
        }
        try {
            JsonText.parseObject(body);
            return Optional.empty();
        } catch (JsonText.Malformed e) {
            return Optional.of("Invalid event body format : " + e.getMessage());
        }
    }

    private static Json.Obj answer(Resource listener, String eventId) {
        return Json.Obj.builder()
                .put("eventListener", listener.name())
                .put("namespace", listener.namespace())
                .put("eventListenerUID", eventId.isEmpty() ? "" : listener.uid())
                .putNonEmpty("eventID", eventId)
                .build();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            open.values().forEach(each -> each.port.close());
            open.clear();
        }
        workers.shutdownNow();
        work.close();
    }
}
