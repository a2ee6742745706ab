package dev.towtank.node.network;

import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.node.linux.ListeningSockets;
import dev.towtank.node.linux.NetworkNamespace;
import dev.towtank.node.network.policy.Policies;
import dev.towtank.node.network.policy.PolicyRules;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A namespace for each pod that needs one, plugged into a bridge.
final class OwnNetworks implements PodNetwork {

    private static final System.Logger LOG = System.getLogger(OwnNetworks.class.getName());
    private static final int READY = 2;
    private static final int KEPT = 32;

    private final Path directory;
    private final Supplier<List<ServiceTable.Name>> names;
    private final Supplier<Set<Integer>> nodePorts;
    private final Function<Resource, Policies.Isolation> isolation;
    private final Callers callers;
    private final Opening opening;
    private final String noWayOut;
    private final CopyOnWriteArrayList<Consumer<Sockets>> listeners = new CopyOnWriteArrayList<>();

    // Guarded by this object's monitor.
    private final Map<LogicalCluster, PodBridge> bridges = new HashMap<>();
    private final Map<LogicalCluster, ClusterDns> resolvers = new HashMap<>();
    private final Map<String, Plugged> plugged = new HashMap<>();
    private final Ways ways = new Ways();

    /// To make one takes the kernel long, and it forgets one even more slowly: so some are ready, and those whose pod
    /// has
    /// ended, with all its processes, serve another one. No pod has the right to change anything in there.
    private final Map<PodBridge, Deque<Cable>> ready = new HashMap<>();

    // Of clusters that are gone.
    private final Set<PodBridge> leaving = new HashSet<>();

    private @Nullable PodBridge filling;
    private boolean closed;
    private @Nullable BridgeGround ground;

    /// A network, and what connects it.
    ///
    /// @param link its end on the machine
    /// @param relays by their ports
    /// @param rules the text of those that are in force, if any
    private record Cable(
            PodBridge bridge,
            int host,
            NetworkNamespace namespace,
            String link,
            Map<Integer, Door> relays,
            Set<String> rules) {
        Cable(PodBridge bridge, int host, NetworkNamespace namespace, String link) {
            this(bridge, host, namespace, link, new HashMap<>(), new HashSet<>());
        }
    }

    private record Plugged(Cable cable, Attachment attachment) {}

    /// Makes the place for bridges when the first pod needs one.
    @FunctionalInterface
    interface Opening {
        /// @param directory of the networks
        BridgeGround open(Path directory) throws IOException;
    }

    /// @param directory of the node
    /// @param noWayOut why pods do not reach the world, if it is known already; else empty
    OwnNetworks(Path directory, Surroundings surroundings, Opening opening, String noWayOut) {
        this.directory = directory.resolve("networks");
        this.names = surroundings.names();
        this.nodePorts = surroundings.nodePorts();
        this.isolation = surroundings.isolation();
        this.callers = surroundings.callers();
        this.opening = opening;
        this.noWayOut = noWayOut;
    }

    private synchronized BridgeGround ground() throws IOException {
        var known = ground;
        if (known != null) {
            return known;
        }
        if (closed) {
            throw new IOException("the server ends");
        }
        var made = opening.open(directory);
        ground = made;
        made.removeAbandoned();
        listeners.forEach(listener -> listener.accept(made.sockets()));
        return made;
    }

    @Override
    public synchronized void onHub(Consumer<Sockets> opened) {
        listeners.add(opened);
        if (ground != null) {
            opened.accept(ground.sockets());
        }
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
        if (former.isPresent()) {
            cable.rules.add("of an earlier server"); // whatever they are
        }
        protect(cable, isolation.apply(pod));
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
        var open = ground().doors().open(namespace.get());
        return Optional.of(new Cable(bridge, host, open, words[1]));
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
            return new Cable(bridge, host, PodLink.make(ground(), bridge, host, link), link);
        } catch (IOException | RuntimeException e) {
            bridge.giveBack(host);
            throw e;
        }
    }

    private synchronized void fill(PodBridge bridge) {
        if (filling == null && !closed && isShort(bridge)) {
            filling = bridge;
            Thread.ofPlatform().daemon().name("cables").start(() -> makeReady(bridge));
        }
    }

    private boolean isShort(PodBridge bridge) {
        return !leaving.contains(bridge)
                && ready.getOrDefault(bridge, new ArrayDeque<>()).size() < READY;
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
                filling = null;
                removeDeserted(bridge);
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
            if (closed || !isShort(bridge)) {
                cut(made);
                return false;
            }
            ready.computeIfAbsent(bridge, _ -> new ArrayDeque<>()).addLast(made);
            return true;
        }
    }

    private PodBridge bridge(LogicalCluster cluster) throws IOException {
        var known = bridges.get(cluster);
        if (known != null) {
            leaving.remove(known); // a new cluster has the name of one that is gone
            return known;
        }
        var made = PodBridge.open(ground(), directory.resolve(cluster.id()));
        bridges.put(cluster, made);
        try {
            var socket = ground().sockets().datagrams(made.subnet().gateway(), ClusterDns.PORT);
            resolvers.put(cluster, new ClusterDns(socket, cluster, names));
        } catch (IOException e) {
            LOG.log(Level.WARNING, "pods with a network of their own cannot look up names: {0}", e.getMessage());
        }
        return made;
    }

    /// What this process offers on the machine's loopback, such as the API, is where pods expect it.
    private void relay(Cable cable) throws IOException {
        var ports = ListeningSockets.onLoopback();
        ports.removeAll(ways.ports()); // of other pods
        ports.removeAll(nodePorts.get());
        cable.relays.entrySet().removeIf(relay -> {
            boolean gone = !ports.contains(relay.getKey());
            if (gone) {
                relay.getValue().close();
            }
            return gone;
        });
        ports.removeAll(cable.relays.keySet());
        var local = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        var sockets = ground().doors().listen(cable.namespace, local, ports, 0);
        sockets.forEach(socket -> cable.relays.put(
                socket.getLocalPort(),
                new TcpDoor(
                        socket,
                        List.of(new ServiceTable.Backend(ServiceTable.LOCAL, socket.getLocalPort())),
                        Door.Places.ofMachine())));
    }

    @Override
    public synchronized void protect(String podUid, Policies.Isolation wanted) throws IOException {
        var known = plugged.get(podUid);
        if (known != null) {
            protect(known.cable, wanted);
        }
    }

    private void protect(Cable cable, Policies.Isolation wanted) throws IOException {
        if (wanted.isNone() && cable.rules.isEmpty()) {
            return;
        }
        var machine = cable.bridge.subnet().gateway().getHostAddress();
        var rules = PolicyRules.of(wanted, machine, PodLink.services(), cable.bridge.hasIpv6());
        if (!cable.rules.contains(rules)) {
            Firewall.run(ground().doors(), cable.namespace, rules);
            cable.rules.clear();
            cable.rules.add(rules);
        }
    }

    @Override
    public synchronized Optional<LogicalCluster> clusterOf(String address) {
        return bridges.entrySet().stream()
                .filter(entry -> entry.getValue().subnet().host(address) != 0)
                .map(Map.Entry::getKey)
                .findFirst();
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
        ways.close(gone.attachment.address());
        var waiting = ready.computeIfAbsent(gone.cable.bridge, _ -> new ArrayDeque<>());
        boolean isKept = waiting.size() < KEPT && gone.cable.rules.isEmpty() && isDeserted(gone.cable);
        if (isKept) {
            waiting.addLast(gone.cable);
        } else {
            cut(gone.cable);
        }
        ways.leave(gone.attachment.address(), !isKept);
        callers.leave(gone.attachment.address(), !isKept);
        removeDeserted(gone.cable.bridge);
    }

    @Override
    public synchronized void retire(String podUid) {
        var known = plugged.get(podUid);
        if (known != null) {
            callers.avoid(known.attachment.address());
        }
    }

    @Override
    public synchronized Set<LogicalCluster> remembered() throws IOException {
        if (!Files.isDirectory(directory)) {
            return Set.of();
        }
        try (var records = Files.list(directory)) {
            return records.map(record -> record.getFileName().toString())
                    .filter(LogicalCluster::isValid)
                    .map(LogicalCluster::new)
                    .collect(Collectors.toSet());
        }
    }

    @Override
    public synchronized void forget(LogicalCluster cluster) throws IOException {
        var record = directory.resolve(cluster.id());
        if (closed || !Files.exists(record)) {
            return;
        }
        var bridge = bridges.get(cluster);
        if (bridge == null) {
            bridge = PodBridge.open(ground(), record);
            bridges.put(cluster, bridge);
        }
        leaving.add(bridge);
        removeDeserted(bridge);
    }

    /// When nobody is plugged in, nor will be: until then its range of addresses must not become another's.
    private void removeDeserted(PodBridge bridge) {
        boolean isUsed =
                bridge.equals(filling) || plugged.values().stream().anyMatch(each -> each.cable.bridge.equals(bridge));
        if (closed || isUsed || !leaving.remove(bridge)) {
            return;
        }
        Optional.ofNullable(ready.remove(bridge)).ifPresent(cables -> cables.forEach(this::cut));
        var cluster = bridges.entrySet().stream()
                .filter(each -> each.getValue().equals(bridge))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        bridges.remove(cluster);
        Optional.ofNullable(resolvers.remove(cluster)).ifPresent(ClusterDns::close);
        try {
            bridge.remove();
            Files.deleteIfExists(directory.resolve(cluster.id()));
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the network of the cluster {0} is left: {1}", cluster, e.getMessage());
        }
    }

    /// Nobody who was in there must meet the next one.
    private static boolean isDeserted(Cable cable) {
        try {
            return NetworkNamespace.find(cable.namespace.name()).isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    private void cut(Cable cable) {
        cable.relays.values().forEach(Door::close);
        cable.namespace.close();
        cable.bridge.giveBack(cable.host);
        try {
            ground().links().deleteLink(cable.link);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the link {0} of a pod is left: {1}", cable.link, e.getMessage());
        }
    }

    @Override
    public Socket connect(String podUid, int port, int millis) throws IOException {
        var socket = socket(podUid);
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public Socket socket(String podUid) throws IOException {
        var attachment = of(podUid);
        return attachment.isEmpty()
                ? new Socket()
                : ground().doors().socket(attachment.get().namespace());
    }

    @Override
    public synchronized String authority(String podAddress, int port) {
        return ground == null
                ? podAddress + ":" + port
                : ways.authority(new ServiceTable.Backend(podAddress, port), ground.sockets());
    }

    @Override
    public Optional<String> missing() {
        return noWayOut.isEmpty() ? Optional.empty() : Optional.of(noWayOut);
    }

    @Override
    public Optional<String> noIpv6() {
        return missing().isPresent() ? Optional.empty() : Ipv6.lack();
    }

    @Override
    public synchronized void dismantle() {
        letGo();
        bridges.forEach((cluster, bridge) -> {
            try {
                bridge.remove();
                Files.deleteIfExists(directory.resolve(cluster.id()));
            } catch (IOException e) {
                LOG.log(Level.WARNING, "the network of pods is left: {0}", e.getMessage());
            }
        });
        bridges.clear();
        resolvers.values().forEach(ClusterDns::close);
        resolvers.clear();
        if (ground != null) {
            ground.dismantle();
        }
    }

    /// A network without a process ends when nobody holds it.
    private void letGo() {
        var all = new ArrayList<Cable>();
        plugged.values().forEach(each -> all.add(each.cable));
        ready.values().forEach(all::addAll);
        plugged.clear();
        ready.clear();
        leaving.clear();
        ways.close();
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
        if (ground != null) {
            ground.close();
        }
    }
}
