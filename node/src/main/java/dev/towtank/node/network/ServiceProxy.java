package dev.towtank.node.network;

import dev.towtank.node.network.ServiceTable.Backend;
import dev.towtank.node.network.ServiceTable.Listener;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Listens on the addresses of services and passes connections and datagrams on to those who answer for them.
public final class ServiceProxy implements AutoCloseable {

    private final Map<Listener, Door> doors = new HashMap<>();

    /// Opens, changes and closes what is needed.
    ///
    /// @return why an address could not be listened on
    public synchronized Map<Listener, String> update(Map<Listener, List<Backend>> wanted) {
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
                doors.put(listener, Door.open(listener, backends));
            } catch (IOException e) {
                problems.put(listener, String.valueOf(e.getMessage()));
            }
        });
        return problems;
    }

    @Override
    public synchronized void close() {
        doors.values().forEach(Door::close);
        doors.clear();
    }
}
