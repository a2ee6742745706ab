package dev.towtank.node.network;

import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.node.linux.ListeningSockets;
import dev.towtank.node.linux.Netlink;
import dev.towtank.node.linux.NetworkNamespace;
import dev.towtank.node.linux.NetworkThread;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// A namespace for each pod that needs one, plugged into a bridge of this machine; for root.
final class OwnNetworks implements PodNetwork {

    private static final System.Logger LOG = System.getLogger(OwnNetworks.class.getName());
    private static final String LINK = "eth0";
    private static final int READY = 2;
    private static final int KEPT = 32;
    private static final Path SETTINGS = Path.of("/proc/sys/net/ipv4");

    /// Addresses of services are on the machine's loopback, and no other address of it is in reach.
    private static final int SERVICES = 127 << 24 | 96 << 16;

    private static final int SERVICES_PREFIX = 12;
    private static final int LOOPBACK = 127 << 24;

    private final Path directory;
    private final Supplier<List<ServiceTable.Name>> names;
    private final NetworkThread thread = new NetworkThread();
    private final Netlink machine;

    // Guarded by this object's monitor.
    private final Map<LogicalCluster, PodBridge> bridges = new HashMap<>();
    private final Map<LogicalCluster, ClusterDns> resolvers = new HashMap<>();
    private final Map<String, Plugged> plugged = new HashMap<>();

    /// To make one takes the kernel long, and it forgets one even more slowly: so some are ready, and those whose pod
    /// has
    /// ended, with all its processes, serve another one. No pod has the right to change anything in there.
    private final Map<PodBridge, Deque<Cable>> ready = new HashMap<>();

    private boolean filling;
    private boolean closed;
    private boolean swept;

    /// A network, and what connects it.
    ///
    /// @param link its end on the machine
    /// @param relays by their ports
    private record Cable(
            PodBridge bridge, int host, NetworkNamespace namespace, String link, Map<Integer, Door> relays) {}

    private record Plugged(Cable cable, Attachment attachment) {}

    /// @param directory of the node
    OwnNetworks(Path directory, Supplier<List<ServiceTable.Name>> names) throws IOException {
        this.directory = directory.resolve("networks");
        this.names = names;
        this.machine = Netlink.open();
    }

    @Override
    public synchronized void attach(Resource pod, Path record) throws IOException {
        if (plugged.containsKey(pod.uid()) || !NetworkNeeds.isOwn(pod)) {
            return;
        }
        var bridge = bridge(pod.cluster());
        var former = Files.exists(record) ? former(bridge, pod, record) : Optional.<Cable>empty();
        var cable =
                former.isPresent() ? former.get() : cable(bridge, pod.status().string("podIP"));
        relay(cable);
        if (former.isEmpty()) {
            Files.writeString(record, cable.namespace.name() + " " + cable.link);
        }
        var subnet = bridge.subnet();
        var resolver = ResolverFile.content(pod, subnet.gateway().getHostAddress());
        var address = subnet.host(cable.host).getHostAddress();
        plugged.put(pod.uid(), new Plugged(cable, new Attachment(address, cable.namespace, resolver)));
        fill(bridge);
    }

    /// That in which the pod's processes are already, which an earlier server started.
    private Optional<Cable> former(PodBridge bridge, Resource pod, Path record) throws IOException {
        var words = Files.readString(record).strip().split(" ", 2);
        var namespace = NetworkNamespace.find(words[0]);
        if (namespace.isEmpty() || words.length < 2) {
            return Optional.empty();
        }
        int host = bridge.take(pod.status().string("podIP"));
        return Optional.of(new Cable(bridge, host, namespace.get(), words[1], new HashMap<>()));
    }

    /// @param wanted the address that it should have, or nothing
    private Cable cable(PodBridge bridge, String wanted) throws IOException {
        var waiting = ready.computeIfAbsent(bridge, _ -> new ArrayDeque<>());
        if (bridge.subnet().host(wanted) == 0 && !waiting.isEmpty()) {
            return waiting.removeFirst();
        }
        return cable(bridge, bridge.take(wanted));
    }

    private Cable cable(PodBridge bridge, int host) throws IOException {
        try {
            var link = bridge.link(host);
            return new Cable(bridge, host, make(bridge, host, link), link, new HashMap<>());
        } catch (IOException | RuntimeException e) {
            bridge.giveBack(host);
            throw e;
        }
    }

    private synchronized void fill(PodBridge bridge) {
        if (!filling && !closed && isShort(bridge)) {
            filling = true;
            Thread.ofPlatform().daemon().name("cables").start(() -> makeReady(bridge));
        }
    }

    private boolean isShort(PodBridge bridge) {
        return ready.getOrDefault(bridge, new ArrayDeque<>()).size() < READY;
    }

    private void makeReady(PodBridge bridge) {
        try {
            while (makeOne(bridge)) {
                // one more
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.DEBUG, "no network is made in advance", e);
        } finally {
            synchronized (this) {
                filling = false;
            }
        }
    }

    /// False when enough are there.
    private boolean makeOne(PodBridge bridge) throws IOException {
        int host;
        synchronized (this) {
            if (closed || !isShort(bridge)) {
                return false;
            }
            host = bridge.take("");
        }
        var made = cable(bridge, host);
        synchronized (this) {
            if (closed || !bridges.containsValue(bridge)) {
                cut(made);
                return false;
            }
            ready.computeIfAbsent(bridge, _ -> new ArrayDeque<>()).addLast(made);
            return true;
        }
    }

    private PodBridge bridge(LogicalCluster cluster) throws IOException {
        if (!swept) {
            swept = true;
            PodBridge.removeAbandoned(machine);
        }
        var known = bridges.get(cluster);
        if (known != null) {
            return known;
        }
        var made = PodBridge.open(machine, directory.resolve(cluster.id()));
        bridges.put(cluster, made);
        try {
            resolvers.put(cluster, new ClusterDns(made.subnet().gateway(), cluster, names));
        } catch (IOException e) {
            LOG.log(Level.WARNING, "pods with a network of their own cannot look up names: {0}", e.getMessage());
        }
        return made;
    }

    private NetworkNamespace make(PodBridge bridge, int host, String link) throws IOException {
        machine.deleteLink(link);
        return thread.make(descriptor -> {
            machine.addPair(link, bridge.index(), LINK, descriptor);
            try (var inside = Netlink.open()) {
                int loopback = inside.index("lo");
                var local = Subnet.address(LOOPBACK + 1);
                inside.addAddress(loopback, local, 16);
                inside.setUp(loopback);
                inside.deleteAddress(loopback, local, 8);
                int outside = inside.index(LINK);
                inside.addAddress(outside, bridge.subnet().host(host), Subnet.PREFIX);
                inside.setUp(outside);
                var gateway = new Netlink.Way.Gateway(bridge.subnet().gateway());
                inside.addRoute(Subnet.address(0), 0, gateway);
                inside.addRoute(Subnet.address(SERVICES), SERVICES_PREFIX, gateway);
                inside.addRoute(Subnet.address(LOOPBACK), 8, new Netlink.Way.Nowhere());
            }
            Files.writeString(SETTINGS.resolve("conf/" + LINK + "/route_localnet"), "1");
            // Its ports are nobody else's, and to ask who is there is no danger.
            Files.writeString(SETTINGS.resolve("ip_unprivileged_port_start"), "0");
            Files.writeString(SETTINGS.resolve("ping_group_range"), "0 2147483647");
        });
    }

    /// What this process offers on the machine's loopback, such as the API, is where pods expect it.
    private void relay(Cable cable) throws IOException {
        var ports = ListeningSockets.onLoopback();
        cable.relays.entrySet().removeIf(relay -> {
            boolean gone = !ports.contains(relay.getKey());
            if (gone) {
                relay.getValue().close();
            }
            return gone;
        });
        ports.removeAll(cable.relays.keySet());
        var local = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        // Nothing may be started in there, and what serves a socket is: that comes after.
        var sockets = thread.in(cable.namespace, () -> {
            var opened = new ArrayList<ServerSocket>();
            for (int port : ports) {
                try {
                    opened.add(new ServerSocket(port, 0, local));
                } catch (IOException e) {
                    // the pod uses that port itself
                }
            }
            return opened;
        });
        sockets.forEach(socket -> cable.relays.put(
                socket.getLocalPort(),
                new TcpDoor(socket, List.of(new ServiceTable.Backend(ServiceTable.LOCAL, socket.getLocalPort())))));
    }

    @Override
    public synchronized Optional<Attachment> of(String podUid) {
        return Optional.ofNullable(plugged.get(podUid)).map(Plugged::attachment);
    }

    @Override
    public synchronized void detach(String podUid) {
        var gone = plugged.remove(podUid);
        if (gone == null) {
            return;
        }
        var waiting = ready.computeIfAbsent(gone.cable.bridge, _ -> new ArrayDeque<>());
        if (waiting.size() < KEPT && isDeserted(gone.cable)) {
            waiting.addLast(gone.cable);
        } else {
            cut(gone.cable);
        }
    }

    /// Nobody who was in there must meet the next one.
    private static boolean isDeserted(Cable cable) {
        try {
            var somebody = NetworkNamespace.find(cable.namespace.name());
            somebody.ifPresent(NetworkNamespace::close);
            return somebody.isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    private void cut(Cable cable) {
        cable.relays.values().forEach(Door::close);
        cable.namespace.close();
        cable.bridge.giveBack(cable.host);
        try {
            machine.deleteLink(cable.link);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the link {0} of a pod is left: {1}", cable.link, e.getMessage());
        }
    }

    @Override
    public Socket connect(String podUid, int port, int millis) throws IOException {
        var attachment = of(podUid);
        if (attachment.isEmpty()) {
            return PodNetwork.onMachine(port, millis);
        }
        var channel = thread.in(attachment.get().namespace(), SocketChannel::open);
        try {
            var socket = channel.socket();
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
            return socket;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public Optional<String> missing() {
        return Optional.empty();
    }

    @Override
    public synchronized void dismantle() {
        letGo();
        bridges.values().forEach(bridge -> {
            try {
                bridge.remove(machine);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "the network of pods is left: {0}", e.getMessage());
            }
        });
        bridges.clear();
    }

    /// A network without a process ends when nobody holds it.
    private void letGo() {
        var all = new ArrayList<Cable>();
        plugged.values().forEach(each -> all.add(each.cable));
        ready.values().forEach(all::addAll);
        plugged.clear();
        ready.clear();
        all.forEach(cable -> {
            cable.relays.values().forEach(Door::close);
            cable.namespace.close();
        });
    }

    @Override
    public synchronized void close() {
        closed = true;
        letGo();
        resolvers.values().forEach(ClusterDns::close);
        thread.close();
        machine.close();
    }
}
