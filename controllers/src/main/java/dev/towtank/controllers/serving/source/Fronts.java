package dev.towtank.controllers.serving.source;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.web.WebDoor;
import dev.towtank.controllers.serving.api.Routes;
import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The port of every InferenceService, and where it leads.
public final class Fronts implements AutoCloseable {

    /// More than this is answered with 413, by KServe's own servers too.
    static final long LARGEST_BODY = 32L << 20;

    private static final int AT_ONCE = 2048;
    private static final Duration LONGEST = Duration.ofHours(1);

    private final WebDoor door;
    private final Cache services;
    private final Forwarding forwarding;
    private final Map<ObjectName, Front> fronts = new HashMap<>();
    private boolean closed;

    /// A port, and where it leads.
    private static final class Front {
        private final WebDoor.Open open;
        private final RouteTable table;

        Front(WebDoor.Open open, RouteTable table) {
            this.open = open;
            this.table = table;
        }
    }

    public Fronts(Place place) {
        this.door = place.web();
        this.services = place.caches().of(ServingKinds.INFERENCE_SERVICE);
        this.forwarding = new Forwarding(place.meters(), place.pods());
    }

    /// Where an InferenceService is listened for, if it is.
    public synchronized Optional<Integer> port(ObjectName service) {
        return Optional.ofNullable(fronts.get(service)).map(front -> front.open.port());
    }

    public synchronized Optional<Routes> routes(ObjectName service) {
        return Optional.ofNullable(fronts.get(service)).map(front -> front.table.routes());
    }

    /// What became of requests, by revision.
    public synchronized Map<String, Routes.Tally> tallies(ObjectName service) {
        var front = fronts.get(service);
        return front == null ? Map.of() : front.table.tallies();
    }

    public synchronized int open(ObjectName service) throws IOException {
        if (closed) {
            throw new IOException("fronts are no longer opened");
        }
        var present = fronts.get(service);
        if (present == null) {
            var table = new RouteTable(service.name());
            var port = new WebDoor.Port(
                    "inferenceservice " + service,
                    0,
                    Optional.empty(),
                    Optional.empty(),
                    LARGEST_BODY,
                    AT_ONCE,
                    LONGEST,
                    request -> forwarding.handle(table, request));
            present = new Front(door.open(port), table);
            fronts.put(service, present);
        }
        return present.open.port();
    }

    /// From now on requests go there; those under way are not touched.
    public synchronized void lead(ObjectName service, Routes routes) throws IOException {
        open(service);
        var front = fronts.get(service);
        if (front != null) {
            front.table.lead(routes);
        }
    }

    /// What one pod answers to rows, or why it does not.
    public Json predict(Routes.Target target, String model, Json.Arr instances) {
        return forwarding.predict(target, model, instances);
    }

    /// For changes of InferenceServices: closes the port of one that is gone.
    public void seen(@Nullable Resource before, @Nullable Resource now) {
        if (before != null && now == null) {
            var gone = ObjectName.of(before);
            Thread.ofVirtual().name("front-closing").start(() -> close(gone));
        }
    }

    private synchronized void close(ObjectName service) {
        if (services.get(service).isEmpty()) {
            var front = fronts.remove(service);
            if (front != null) {
                front.open.close();
            }
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            fronts.values().forEach(front -> front.open.close());
            fronts.clear();
        }
        forwarding.close();
    }
}
