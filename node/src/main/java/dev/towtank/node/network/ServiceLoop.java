package dev.towtank.node.network;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Informers;
import dev.towtank.cluster.Timers;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.kinds.core.Services;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import dev.towtank.node.events.NodeEvents;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Follows Services and EndpointSlices: listens on the addresses that the server gave them, and tells when names
/// change.
public final class ServiceLoop implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(ServiceLoop.class.getName());

    // Rollouts change many endpoints at once: one look for all of them.
    private static final Duration GATHERING = Duration.ofMillis(20);

    // Until whoever was sent away has let go.
    private static final Duration GOING = Duration.ofMillis(500);

    private final Informers informers;
    private final Timers timers;
    private final NodeEvents events;
    private final String nodeAddress;
    private final ServiceTable.Backend server;
    private final Runnable namesChanged;
    private final Predicate<ServiceTable.Listener> sendAway;
    private final Cache services;
    private final Cache slices;
    private final ServiceProxy proxy = new ServiceProxy();
    private final Semaphore wanted = new Semaphore(0);
    private final Map<ServiceTable.Listener, String> problems = new HashMap<>();
    private final Set<ServiceTable.Listener> intruded = new HashSet<>();
    private final Thread thread;
    private volatile ServiceTable.Services table = ServiceTable.Services.NONE;

    /// @param namesChanged runs when pods should hear of other names
    /// @param sendAway pods that are at an address of services; whether there were any
    public ServiceLoop(
            Informers informers,
            Timers timers,
            NodeEvents events,
            String nodeAddress,
            ServiceTable.Backend server,
            Runnable namesChanged,
            Predicate<ServiceTable.Listener> sendAway) {
        this.informers = informers;
        this.timers = timers;
        this.events = events;
        this.nodeAddress = nodeAddress;
        this.server = server;
        this.namesChanged = namesChanged;
        this.sendAway = sendAway;
        this.services = informers.of(Services.KIND);
        this.slices = informers.of(EndpointSlices.KIND);
        this.thread = Thread.ofVirtual().name("services").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /// From now on it is asked for each connection.
    public void ask(Judge judge) {
        proxy.ask(judge);
    }

    /// Whose service is at an address.
    public Optional<LogicalCluster> ownerOf(String address) {
        return Optional.ofNullable(table.owners().get(address));
    }

    /// The machine's, of services of any cluster.
    public Set<Integer> nodePorts() {
        return table.listeners().keySet().stream()
                .filter(listener -> listener.address().equals(ServiceTable.LOCAL))
                .map(ServiceTable.Listener::port)
                .collect(Collectors.toSet());
    }

    /// See [ServiceProxy#alsoOn].
    public void alsoOn(Sockets hub) {
        proxy.alsoOn(hub);
    }

    public PodNetwork.Callers callers() {
        return proxy.connections();
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
                if (look()) {
                    timers.pause(GOING);
                    wanted.release();
                }
                wanted.acquire();
                timers.pause(GATHERING);
                wanted.drainPermits();
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /// Whether to look again soon.
    private boolean look() {
        try {
            var before = table;
            table = ServiceTable.of(services.list(), slices.list(), nodeAddress, server);
            boolean anyWent = tell(proxy.update(table.listeners()));
            if (!before.names().equals(table.names())) {
                namesChanged.run();
            }
            return anyWent;
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "cannot bring services up to date, trying again at the next change", e);
            return false;
        }
    }

    /// A new problem with an address is told once, unless it goes away with who made it.
    ///
    /// @return whether somebody goes
    private boolean tell(Map<ServiceTable.Listener, String> found) {
        intruded.retainAll(found.keySet());
        found.keySet().stream()
                .filter(listener -> !listener.address().equals(ServiceTable.LOCAL) && sendAway.test(listener))
                .forEach(intruded::add);
        found.forEach((listener, problem) -> {
            if (intruded.contains(listener) || problem.equals(problems.put(listener, problem))) {
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
        return !intruded.isEmpty();
    }

    @Override
    public void close() {
        thread.interrupt();
        proxy.close();
    }
}
