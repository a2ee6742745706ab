package dev.towtank.node.network;

import dev.towtank.node.network.ServiceTable.Backend;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Ways from the machine to ports of pods that are behind a network of their own, for what in this process asks pods by
/// their addresses. Whoever uses it holds a lock.
final class Ways {

    private static final System.Logger LOG = System.getLogger(Ways.class.getName());
    private static final int MOST = 1024;
    private static final int WAITING = 256;

    private final Map<Backend, Way> open = new HashMap<>();
    private final Connections connections = new Connections();

    private record Way(int port, Door door) {}

    /// Where it is reached from the machine.
    ///
    /// @param toPods the sockets that reach it
    String authority(Backend pod, Sockets toPods) {
        boolean direct = toPods.equals(Sockets.MACHINE) || pod.host().startsWith("127.");
        var way = direct ? null : open.get(pod);
        if (way == null && !direct && open.size() < MOST) {
            way = open(pod, toPods);
        }
        return way == null ? pod.host() + ":" + pod.port() : ServiceTable.LOCAL + ":" + way.port();
    }

    private @Nullable Way open(Backend pod, Sockets toPods) {
        try {
            var socket = Sockets.MACHINE.listen(InetAddress.getLoopbackAddress(), 0, WAITING);
            var places = new Door.Places(Sockets.MACHINE, () -> toPods, (_, _) -> true, connections);
            var door = new TcpDoor(socket, List.of(pod), places);
            var way = new Way(socket.getLocalPort(), door);
            open.put(pod, way);
            return way;
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the pod at {0} is not reached: {1}", pod.host(), e.getMessage());
            return null;
        }
    }

    /// Of the machine.
    Set<Integer> ports() {
        return open.values().stream().map(Way::port).collect(Collectors.toSet());
    }

    /// The pod of that address is gone.
    void close(String podAddress) {
        open.entrySet().removeIf(way -> {
            boolean gone = way.getKey().host().equals(podAddress);
            if (gone) {
                way.getValue().door.close();
            }
            return gone;
        });
    }

    /// See [Connections#leave].
    void leave(String podAddress, boolean isCut) {
        connections.leave(podAddress, isCut);
    }

    void close() {
        open.values().forEach(way -> way.door.close());
        open.clear();
    }
}
