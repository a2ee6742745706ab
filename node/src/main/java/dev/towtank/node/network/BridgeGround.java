package dev.towtank.node.network;

import dev.towtank.node.linux.Netlink;
import dev.towtank.node.linux.NetworkDoors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The network in which the bridges of pods are: the machine's, or one beside it.
interface BridgeGround extends AutoCloseable {

    /// To the networks of pods.
    NetworkDoors doors();

    /// Of this network.
    Netlink links();

    /// Opens sockets that reach pods, and that pods reach.
    Sockets sockets();

    /// As the kernel lists them in `/proc/net/route`.
    List<String> routes() throws IOException;

    /// All links that begin so.
    List<String> linksNamed(String prefix) throws IOException;

    /// Who made a bridge for a directory is told by this text, which it carries.
    String owner(Path record) throws IOException;

    /// What a bridge carries.
    String carriedBy(String bridge) throws IOException;

    void set(List<NetworkDoors.Setting> settings) throws IOException;

    /// Addresses of pods are of IPv4, and so are the rules about them. Links give themselves others of IPv6 unless they
    /// are told not to, and by these pods would talk with each other around every policy.
    ///
    /// @return nothing where the kernel knows no IPv6
    static List<NetworkDoors.Setting> withoutIpv6(String link) {
        return Files.exists(NetworkDoors.SETTINGS.resolve("ipv6/conf"))
                ? List.of(new NetworkDoors.Setting("ipv6/conf/" + link + "/disable_ipv6", "1"))
                : List.of();
    }

    /// The way out of a bridge, and its walls.
    void open(String bridge, Subnet subnet) throws IOException;

    /// Takes a bridge away, with all that was opened for it.
    void remove(String bridge) throws IOException;

    /// Takes away what servers that are gone for good left.
    void removeAbandoned() throws IOException;

    /// Which users in a pod may ask others whether they are there.
    String pingers();

    /// Why pods cannot reach the world, as a sentence; empty where they can.
    String noWayOut();

    /// No pod runs any more.
    void dismantle();

    @Override
    void close();
}
