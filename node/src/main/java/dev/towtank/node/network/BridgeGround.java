package dev.towtank.node.network;

import dev.towtank.node.linux.Netlink;
import dev.towtank.node.linux.NetworkDoors;
import java.io.IOException;
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

    /// Links give themselves addresses of IPv6 unless they are told not to. By these pods would talk with each other
    /// around every policy.
    ///
    /// @return nothing where the kernel knows no IPv6
    static List<NetworkDoors.Setting> withoutIpv6(String link) {
        return Ipv6.isKnown()
                ? List.of(new NetworkDoors.Setting("ipv6/conf/" + link + "/disable_ipv6", "1"))
                : List.of();
    }

    /// To have those addresses that it is given, and no others.
    static List<NetworkDoors.Setting> withIpv6(String link) {
        var conf = "ipv6/conf/" + link + "/";
        return List.of(
                new NetworkDoors.Setting(conf + "addr_gen_mode", "1"),
                new NetworkDoors.Setting(conf + "accept_ra", "0"),
                new NetworkDoors.Setting(conf + "accept_redirects", "0"),
                new NetworkDoors.Setting(conf + "disable_ipv6", "0"));
    }

    /// The way out of a bridge, and its walls.
    void open(String bridge, Subnet subnet) throws IOException;

    /// Why pods have no IPv6 but on their loopbacks, as a sentence; empty where they can.
    String noIpv6();

    /// The way out of a bridge by IPv6, and its walls, before the bridge itself has any.
    ///
    /// @throws IOException it cannot be had
    void openIpv6(String bridge, Subnet subnet) throws IOException;

    /// Takes that away, when the bridge has none any more.
    void closeIpv6(String bridge) throws IOException;

    /// Whether a link has an address that it did not give itself. As the kernel lists them in `/proc/net/if_inet6`.
    boolean hasIpv6(String bridge) throws IOException;

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
