package dev.towtank.node.network;

import dev.towtank.node.network.ServiceTable.Backend;
import dev.towtank.node.network.ServiceTable.Listener;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Listens on the addresses of services and passes connections and datagrams on to those who answer for them.
public final class ServiceProxy implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(ServiceProxy.class.getName());

    private volatile Sockets toPods = Sockets.MACHINE;
    private final Connections connections = new Connections();
    private volatile Judge judge = Judge.EVERYBODY;

    // Guarded by this object's monitor.
    private final Map<Listener, Door> doors = new HashMap<>();
    private final Map<Listener, Door> onHub = new HashMap<>();
    private Map<Listener, List<Backend>> wanted = Map.of();

    void ask(Judge other) {
        judge = other;
    }

    /// Opens, changes and closes what is needed.
    ///
    /// @return why an address could not be listened on
    public synchronized Map<Listener, String> update(Map<Listener, List<Backend>> listeners) {
        wanted = listeners;
        var problems = update(doors, listeners, Sockets.MACHINE);
        updateHub();
        return problems;
    }

    /// Pods are behind another network than the machine's: from now on services are there as well.
    public synchronized void alsoOn(Sockets hub) {
        if (!hub.equals(Sockets.MACHINE)) {
            toPods = hub;
            updateHub();
        }
    }

    /// Ports of nodes are the machine's alone.
    private void updateHub() {
        if (toPods.equals(Sockets.MACHINE)) {
            return;
        }
        var there = new HashMap<>(wanted);
        there.keySet().removeIf(listener -> listener.address().equals(ServiceTable.LOCAL));
        var problems = update(onHub, there, toPods);
        problems.forEach(
                (listener, problem) -> LOG.log(Level.WARNING, "pods do not reach {0}: {1}", listener, problem));
    }

    private Map<Listener, String> update(
            Map<Listener, Door> doors, Map<Listener, List<Backend>> wanted, Sockets listening) {
        doors.entrySet().removeIf(entry -> {
            boolean gone = !wanted.containsKey(entry.getKey());
            if (gone) {
                entry.getValue().close();
            }
            return gone;
        });
        var problems = new TreeMap<Listener, String>();
        wanted.forEach((listener, backends) -> {
            var door = doors.get(listener);
            if (door != null) {
                door.lead(backends);
                return;
            }
            try {
                var places = new Door.Places(
                        listening,
                        () -> toPods,
                        (client, backend) -> judge.may(client, listener, backend),
                        connections);
                doors.put(listener, Door.open(listener, backends, places));
            } catch (IOException e) {
                problems.put(listener, String.valueOf(e.getMessage()));
            }
        });
        return problems;
    }

    Connections connections() {
        return connections;
    }

    @Override
    public synchronized void close() {
        doors.values().forEach(Door::close);
        doors.clear();
        onHub.values().forEach(Door::close);
        onHub.clear();
    }
}
