package dev.towtank.node.network;

import dev.towtank.node.linux.NetworkEnvoy;
import dev.towtank.node.linux.NetworkThread;
import dev.towtank.node.linux.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Whether pods can have networks of their own on this machine.
public final class PodNetworks {

    /// How links of the machine are called to which pods are plugged.
    public static final String BRIDGES = PodBridge.PREFIX;

    private PodNetworks() {}

    /// @param directory of the node
    public static PodNetwork open(Path directory, PodNetwork.Surroundings surroundings) {
        var problem = problem();
        if (problem.isPresent()) {
            return PodNetwork.ofMachine(problem.get());
        }
        return Processes.user() == 0
                ? new OwnNetworks(directory, surroundings, _ -> new MachineGround(), "")
                : new OwnNetworks(directory, surroundings, HubGround::open, HubProcesses.problem());
    }

    /// Why not, and what to do, for people.
    public static Optional<String> problem() {
        if (Firewall.program().isEmpty()) {
            return Optional.of(shared("the program nft is missing: install it with 'apt-get install nftables'"));
        }
        try {
            if (Processes.user() != 0) {
                NetworkEnvoy.attempt();
                return Optional.empty();
            }
            try (var thread = new NetworkThread()) {
                thread.make().close();
                return Optional.empty();
            }
        } catch (IOException e) {
            return Optional.of(shared("it cannot make networks: " + e.getMessage()));
        }
    }

    /// What pods with networks of their own lack, for people.
    public static Optional<String> lack() {
        return Processes.user() == 0 || HubProcesses.problem().isEmpty()
                ? Optional.empty()
                : Optional.of(HubProcesses.problem());
    }

    /// Why they do not reach the world by IPv6 where they do by IPv4, for people.
    public static Optional<String> noIpv6() {
        return Ipv6.lack();
    }

    public static String shared(String why) {
        return "Pods share the network of this machine, so two of them cannot listen on the same port: " + why + ".";
    }
}
