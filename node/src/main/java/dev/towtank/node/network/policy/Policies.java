package dev.towtank.node.network.policy;

import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import dev.towtank.node.network.policy.Rule.Block;
import dev.towtank.node.network.policy.Rule.Ipv6Block;
import dev.towtank.node.network.policy.Rule.Ipv6Range;
import dev.towtank.node.network.policy.Rule.Ports;
import dev.towtank.node.network.policy.Rule.Range;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// All policies of a node and whom they are about; pure.
public final class Policies {

    public static final Policies NONE = new Policies(List.of(), List.of(), List.of());

    private static final String INGRESS = "Ingress";
    private static final String EGRESS = "Egress";

    private final List<Resource> policies;
    private final List<Resource> pods;
    private final Map<String, Resource> namespaces = new HashMap<>();
    private final Map<Integer, Resource> byAddress = new HashMap<>();

    /// What is allowed for one pod.
    ///
    /// @param ingress whatever is let in; without, everything
    /// @param egress whatever is let out; without, everything
    public record Isolation(Optional<List<Rule>> ingress, Optional<List<Rule>> egress) {

        public static final Isolation NONE = new Isolation(Optional.empty(), Optional.empty());

        public boolean isNone() {
            return ingress.isEmpty() && egress.isEmpty();
        }
    }

    /// @param pods with networks of their own and an address
    public Policies(List<Resource> policies, List<Resource> pods, List<Resource> namespaces) {
        this.policies = List.copyOf(policies);
        this.pods = List.copyOf(pods);
        namespaces.forEach(each -> this.namespaces.put(key(each, each.name()), each));
        pods.forEach(pod -> byAddress.put(address(pod), pod));
    }

    private static String key(Resource object, String namespace) {
        return object.cluster().id() + "/" + namespace;
    }

    private static int address(Resource pod) {
        return Block.of(pod.status().string("podIP") + "/32").stream()
                .map(Block::base)
                .findFirst()
                .orElse(0);
    }

    /// Those that are about a pod.
    public List<Resource> about(Resource pod) {
        return policies.stream()
                .filter(policy -> policy.cluster().equals(pod.cluster())
                        && policy.namespace().equals(pod.namespace())
                        && LabelSelector.of(policy.spec().object("podSelector")).matches(pod.json()))
                .toList();
    }

    public Isolation isolation(Resource pod) {
        var about = about(pod);
        return new Isolation(rules(pod, about, INGRESS), rules(pod, about, EGRESS));
    }

    private Optional<List<Rule>> rules(Resource pod, List<Resource> about, String type) {
        var isolating = about.stream()
                .filter(policy -> policy.spec().array("policyTypes").strings().contains(type))
                .toList();
        if (isolating.isEmpty()) {
            return Optional.empty();
        }
        boolean inward = type.equals(INGRESS);
        return Optional.of(isolating.stream()
                .flatMap(policy -> policy.spec().objects(inward ? "ingress" : "egress").stream()
                        .flatMap(rule -> inward ? ingress(policy, pod, rule) : egress(policy, rule)))
                .toList());
    }

    private Stream<Rule> ingress(Resource policy, Resource pod, Json.Obj rule) {
        var peers = rule.objects("from");
        var wanted = rule.objects("ports");
        var ports = wanted.stream().flatMap(port -> ports(port, pod)).toList();
        var made = rule(policy, peers, ports);
        boolean nobody = (!peers.isEmpty() && made.isForEverybody()) || (!wanted.isEmpty() && ports.isEmpty());
        return nobody ? Stream.of() : Stream.of(made);
    }

    private Rule rule(Resource policy, List<Json.Obj> peers, List<Ports> ports) {
        return new Rule(
                peers.stream().flatMap(peer -> ranges(policy, peer)).toList(),
                peers.stream().flatMap(Policies::rangesIpv6).toList(),
                ports);
    }

    /// A port's name means what the pod at the other end calls so.
    private Stream<Rule> egress(Resource policy, Json.Obj rule) {
        var peers = rule.objects("to");
        var wanted = rule.objects("ports");
        boolean named = wanted.stream().anyMatch(port -> port.at("port") instanceof Json.Str);
        if (!named) {
            var made = rule(
                    policy,
                    peers,
                    wanted.stream().flatMap(port -> ports(port, policy)).toList());
            return !peers.isEmpty() && made.isForEverybody() ? Stream.of() : Stream.of(made);
        }
        var found = new ArrayList<Rule>();
        var others = peers.isEmpty()
                ? pods.stream()
                : peers.stream().flatMap(peer -> chosen(policy, peer)).distinct();
        others.forEach(other -> {
            var ports = wanted.stream().flatMap(port -> ports(port, other)).toList();
            if (!ports.isEmpty()) {
                found.add(new Rule(List.of(new Range(Block.host(address(other)), List.of())), List.of(), ports));
            }
        });
        return found.stream();
    }

    private Stream<Range> ranges(Resource policy, Json.Obj peer) {
        if (peer.has("ipBlock")) {
            var block = peer.object("ipBlock");
            var except = block.array("except").strings().stream()
                    .flatMap(each -> Block.of(each).stream())
                    .toList();
            return Block.of(block.string("cidr")).stream().map(cidr -> new Range(cidr, except));
        }
        return chosen(policy, peer).map(pod -> new Range(Block.host(address(pod)), List.of()));
    }

    /// Pods have no such address for each other.
    private static Stream<Ipv6Range> rangesIpv6(Json.Obj peer) {
        var block = peer.object("ipBlock");
        var except = block.array("except").strings().stream()
                .flatMap(each -> Ipv6Block.of(each).stream())
                .toList();
        return Ipv6Block.of(block.string("cidr")).stream().map(cidr -> new Ipv6Range(cidr, except));
    }

    private Stream<Resource> chosen(Resource policy, Json.Obj peer) {
        if (peer.has("ipBlock")) {
            return Stream.of();
        }
        var podSelector =
                peer.has("podSelector") ? LabelSelector.of(peer.object("podSelector")) : LabelSelector.EVERYTHING;
        return pods.stream()
                .filter(pod -> pod.cluster().equals(policy.cluster())
                        && isMeant(policy, peer, pod)
                        && podSelector.matches(pod.json()));
    }

    private boolean isMeant(Resource policy, Json.Obj peer, Resource pod) {
        if (!peer.has("namespaceSelector")) {
            return pod.namespace().equals(policy.namespace());
        }
        var namespace = namespaces.get(key(pod, pod.namespace()));
        return namespace != null
                && LabelSelector.of(peer.object("namespaceSelector")).matches(namespace.json());
    }

    /// @param pod whose names of ports count
    private static Stream<Ports> ports(Json.Obj port, Resource pod) {
        var protocol = port.string("protocol").isEmpty()
                ? "tcp"
                : port.string("protocol").toLowerCase(Locale.ROOT);
        if (port.at("port") instanceof Json.Str(var name)) {
            return pod.spec().objects("containers").stream()
                    .flatMap(container -> container.objects("ports").stream())
                    .filter(each -> each.string("name").equals(name)
                            && (each.string("protocol").isEmpty() ? "TCP" : each.string("protocol"))
                                    .equalsIgnoreCase(protocol))
                    .map(each -> (int) each.integer("containerPort"))
                    .map(number -> new Ports(protocol, number, number));
        }
        int first = (int) port.integer("port");
        if (first == 0) {
            return Stream.of(new Ports(protocol, 1, 65_535));
        }
        return Stream.of(new Ports(protocol, first, Math.max(first, (int) port.integer("endPort"))));
    }

    /// Whether a connection may be made between two addresses. Who is no pod with a network of its own is this
    /// machine, and may; pods of two logical clusters may not.
    public boolean allow(String from, String to, String protocol, int port) {
        int sender =
                Block.of(from + "/32").stream().map(Block::base).findFirst().orElse(0);
        int receiver =
                Block.of(to + "/32").stream().map(Block::base).findFirst().orElse(0);
        var client = byAddress.get(sender);
        var server = byAddress.get(receiver);
        if (client == null || server == null) {
            return true;
        }
        return client.cluster().equals(server.cluster())
                && allows(isolation(client).egress, receiver, protocol, port)
                && allows(isolation(server).ingress, sender, protocol, port);
    }

    private static boolean allows(Optional<List<Rule>> rules, int peer, String protocol, int port) {
        return rules.isEmpty() || rules.get().stream().anyMatch(rule -> rule.allows(peer, protocol, port));
    }
}
