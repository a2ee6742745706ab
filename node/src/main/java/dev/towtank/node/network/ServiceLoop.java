package dev.towtank.node.network;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Informers;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Timers;
import dev.towtank.model.Json;
import dev.towtank.model.Patch;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Services;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import dev.towtank.node.events.NodeEvents;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;

/// Follows Services and EndpointSlices: gives addresses, keeps the proxy open, and tells when names change.
public final class ServiceLoop implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(ServiceLoop.class.getName());

    // Rollouts change many endpoints at once: one look for all of them.
    private static final Duration GATHERING = Duration.ofMillis(20);

    private final Cluster cluster;
    private final Informers informers;
    private final Timers timers;
    private final NodeEvents events;
    private final String nodeAddress;
    private final ServiceTable.Backend server;
    private final Runnable namesChanged;
    private final Cache services;
    private final Cache slices;
    private final ServiceProxy proxy = new ServiceProxy();
    private final Semaphore wanted = new Semaphore(0);
    private final Map<ServiceTable.Listener, String> problems = new HashMap<>();
    private final Thread thread;
    private volatile ServiceTable.Services table = ServiceTable.Services.NONE;

    /// @param namesChanged runs when pods should hear of other names
    public ServiceLoop(
            Cluster cluster,
            Informers informers,
            Timers timers,
            NodeEvents events,
            String nodeAddress,
            ServiceTable.Backend server,
            Runnable namesChanged) {
        this.cluster = cluster;
        this.informers = informers;
        this.timers = timers;
        this.events = events;
        this.nodeAddress = nodeAddress;
        this.server = server;
        this.namesChanged = namesChanged;
        this.services = informers.of(Services.KIND);
        this.slices = informers.of(EndpointSlices.KIND);
        this.thread = Thread.ofVirtual().name("services").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    public List<ServiceTable.Name> names() {
        return table.names();
    }

    private void run() {
        try {
            informers.informer(Services.KIND).awaitSynced();
            informers.informer(EndpointSlices.KIND).awaitSynced();
            informers.informer(Services.KIND).subscribe((_, _) -> wanted.release());
            informers.informer(EndpointSlices.KIND).subscribe((_, _) -> wanted.release());
            while (true) {
                look();
                wanted.acquire();
                timers.pause(GATHERING);
                wanted.drainPermits();
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private void look() {
        try {
            giveAddresses();
            var before = table;
            table = ServiceTable.of(services.list(), slices.list(), nodeAddress, server);
            tell(proxy.update(table.listeners()));
            if (!before.names().equals(table.names())) {
                namesChanged.run();
            }
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "cannot bring services up to date, trying again at the next change", e);
        }
    }

    private void giveAddresses() {
        var taken = new HashSet<String>();
        services.list().forEach(service -> taken.add(service.spec().string("clusterIP")));
        for (var service : services.list()) {
            if (ServiceAddresses.wanted(service)) {
                ServiceAddresses.choose(service, taken).ifPresent(address -> {
                    taken.add(address);
                    give(service, address);
                });
            }
        }
    }

    private void give(Resource service, String address) {
        var spec = Json.Obj.of("clusterIP", Json.of(address), "clusterIPs", Json.Arr.of(Json.of(address)));
        var fields = Json.Obj.of(
                "metadata", Json.Obj.of("resourceVersion", Json.of(service.resourceVersion())), "spec", spec);
        try {
            cluster.patch(
                    Services.KIND, ObjectName.of(service), new Patch.Merge(fields), Cluster.WriteOptions.DEFAULT);
        } catch (StatusError e) {
            // Somebody else was faster: the change that they made brings us back here.
            LOG.log(Level.DEBUG, "no address for {0}: {1}", service.describe(), e.text());
        }
    }

    /// A new problem with an address is told once.
    private void tell(Map<ServiceTable.Listener, String> found) {
        found.forEach((listener, problem) -> {
            if (problem.equals(problems.put(listener, problem))) {
                return;
            }
            services.list().stream()
                    .filter(service -> service.spec().string("clusterIP").equals(listener.address()))
                    .forEach(service -> events.warning(
                            service,
                            "FailedToListen",
                            "cannot listen on " + listener + ": " + problem
                                    + (listener.port() < 1024
                                            ? "; ports below 1024 need the right to use them: choose another port, or"
                                                    + " lower net.ipv4.ip_unprivileged_port_start"
                                            : "")));
        });
        problems.keySet().retainAll(found.keySet());
    }

    @Override
    public void close() {
        thread.interrupt();
        proxy.close();
    }
}
