package dev.towtank.node.network;

import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Where services are, and who answers for them; pure.
public final class ServiceTable {

    static final String LOCAL = "127.0.0.1";

    private static final String SERVICE_LABEL = "kubernetes.io/service-name";

    /// What is passed on; SCTP is not among it, for Java speaks it on few machines.
    public enum Protocol {
        TCP,
        UDP;

        static Optional<Protocol> of(Json.Obj port) {
            var name = port.string("protocol");
            return switch (name) {
                case "", "TCP" -> Optional.of(TCP);
                case "UDP" -> Optional.of(UDP);
                default -> Optional.empty();
            };
        }
    }

    /// An address on which the node listens for a service.
    public record Listener(Protocol protocol, String address, int port) implements Comparable<Listener> {

        private static final Comparator<Listener> ORDER = Comparator.comparing(Listener::address)
                .thenComparingInt(Listener::port)
                .thenComparing(Listener::protocol);

        @Override
        public int compareTo(Listener other) {
            return ORDER.compare(this, other);
        }

        @Override
        public String toString() {
            return address + ":" + port + (protocol == Protocol.UDP ? "/UDP" : "");
        }
    }

    public record Backend(String host, int port) {}

    /// A name that pods know, with its address.
    public record Name(LogicalCluster cluster, String namespace, String service, String address) {

        /// As who is not in the network of the machine reaches it.
        public Name seenFromElsewhere(String machine) {
            return address.equals(LOCAL) ? new Name(cluster, namespace, service, machine) : this;
        }
    }

    /// @param listeners only those that somebody answers for: a connection to the others is refused
    public record Services(Map<Listener, List<Backend>> listeners, List<Name> names) {
        public Services {
            listeners = Map.copyOf(listeners);
            names = List.copyOf(names);
        }

        /// By the addresses that belong to one service alone.
        Map<String, LogicalCluster> owners() {
            var owners = new HashMap<String, LogicalCluster>();
            names.stream()
                    .filter(name ->
                            name.address().startsWith("127.") && !name.address().equals(LOCAL))
                    .forEach(name -> owners.put(name.address(), name.cluster()));
            return owners;
        }

        public static final Services NONE = new Services(Map.of(), List.of());
    }

    private final String nodeAddress;
    private final Backend server;
    private final Map<String, List<Json.Obj>> slices = new HashMap<>();
    private final Map<Listener, List<Backend>> listeners = new TreeMap<>();
    private final List<Name> names = new ArrayList<>();

    private ServiceTable(String nodeAddress, Backend server) {
        this.nodeAddress = nodeAddress;
        this.server = server;
    }

    /// @param nodeAddress what EndpointSlices call this machine
    /// @param server where the API server listens: the endpoint of `kubernetes` in the namespace default
    public static Services of(
            List<Resource> services, List<Resource> endpointSlices, String nodeAddress, Backend server) {
        var table = new ServiceTable(nodeAddress, server);
        for (var slice : endpointSlices) {
            var service = slice.labels().getOrDefault(SERVICE_LABEL, "");
            table.slices
                    .computeIfAbsent(key(slice, service), _ -> new ArrayList<>())
                    .add(slice.json());
        }
        services.forEach(table::add);
        table.names.sort(Comparator.comparing(Name::namespace).thenComparing(Name::service));
        return new Services(table.listeners, table.names);
    }

    private static String key(Resource object, String service) {
        return object.cluster().id() + "/" + object.namespace() + "/" + service;
    }

    private void add(Resource service) {
        var address = service.spec().string("clusterIP");
        if (address.equals("None")) {
            addHeadless(service);
        } else if (address.startsWith("127.")) {
            names.add(new Name(service.cluster(), service.namespace(), service.name(), address));
            for (var port : service.spec().objects("ports")) {
                addPort(service, address, port);
            }
        }
    }

    private void addPort(Resource service, String address, Json.Obj port) {
        var protocol = Protocol.of(port);
        if (protocol.isEmpty()) {
            return;
        }
        var backends = isServer(service) ? List.of(server) : backends(service, port, protocol.get());
        if (backends.isEmpty()) {
            return;
        }
        listeners.put(new Listener(protocol.get(), address, (int) port.integer("port")), backends);
        if (port.integer("nodePort") > 0) {
            listeners.put(new Listener(protocol.get(), LOCAL, (int) port.integer("nodePort")), backends);
        }
    }

    private static boolean isServer(Resource service) {
        return service.namespace().equals("default") && service.name().equals("kubernetes");
    }

    // Who shares the network of the machine is found there; others have addresses, and may have names.
    private void addHeadless(Resource service) {
        for (var slice : slices.getOrDefault(key(service, service.name()), List.of())) {
            for (var endpoint : slice.objects("endpoints")) {
                if (isUsable(service, endpoint)) {
                    endpoint.array("addresses").strings().forEach(address -> addEndpoint(service, endpoint, address));
                }
            }
        }
    }

    private void addEndpoint(Resource service, Json.Obj endpoint, String address) {
        var name = new Name(service.cluster(), service.namespace(), service.name(), local(address));
        if (!names.contains(name)) {
            names.add(name);
        }
        var hostname = endpoint.string("hostname");
        if (!hostname.isEmpty()) {
            names.add(
                    new Name(service.cluster(), service.namespace(), hostname + "." + service.name(), local(address)));
        }
    }

    private List<Backend> backends(Resource service, Json.Obj port, Protocol protocol) {
        var backends = new ArrayList<Backend>();
        for (var slice : slices.getOrDefault(key(service, service.name()), List.of())) {
            for (var target : slice.objects("ports")) {
                if (target.string("name").equals(port.string("name"))
                        && Protocol.of(target).equals(Optional.of(protocol))) {
                    slice.objects("endpoints").stream()
                            .filter(endpoint -> isUsable(service, endpoint))
                            .flatMap(endpoint -> endpoint.array("addresses").strings().stream())
                            .map(host -> new Backend(local(host), (int) target.integer("port")))
                            .forEach(backends::add);
                }
            }
        }
        return List.copyOf(backends);
    }

    private static boolean isUsable(Resource service, Json.Obj endpoint) {
        return service.spec().flag("publishNotReadyAddresses")
                || endpoint.at("conditions", "ready") == null
                || endpoint.flag("conditions", "ready");
    }

    private String local(String host) {
        return host.equals(nodeAddress) ? LOCAL : host;
    }
}
