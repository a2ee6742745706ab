package dev.towtank.node.network;

import dev.towtank.node.linux.NetworkThread;
import dev.towtank.node.linux.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Whether pods can have networks of their own on this machine.
public final class PodNetworks {

    private PodNetworks() {}

    /// @param directory of the node
    /// @param names which pods know
    public static PodNetwork open(Path directory, Supplier<List<ServiceTable.Name>> names) {
        var problem = problem();
        if (problem.isPresent()) {
            return PodNetwork.ofMachine(problem.get());
        }
        try {
            return new OwnNetworks(directory, names);
        } catch (IOException e) {
            return PodNetwork.ofMachine(shared("its networks cannot be changed: " + e.getMessage()));
        }
    }

    /// Why not, and what to do, for people.
    public static Optional<String> problem() {
        if (Processes.user() != 0) {
            return Optional.of(shared("networks of their own need root"));
        }
        if (Firewall.program().isEmpty()) {
            return Optional.of(shared("the program nft is missing: install it with 'apt-get install nftables'"));
        }
        try (var thread = new NetworkThread()) {
            thread.make(_ -> {}).close();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(shared("it cannot make networks: " + e.getMessage()));
        }
    }

    public static String shared(String why) {
        return "Pods share the network of this machine, so two of them cannot listen on the same port: " + why + ".";
    }
}
