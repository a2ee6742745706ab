package dev.towtank.node.network;

import dev.towtank.node.linux.Netlink;
import dev.towtank.node.linux.NetworkDoors;
import dev.towtank.node.linux.NetworkNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/// Makes the network of a pod, plugged into a bridge.
final class PodLink {

    private static final String LINK = "eth0";

    /// Addresses of services are on the machine's loopback, and no other address of it is in reach.
    private static final int SERVICES = 127 << 24 | 96 << 16;

    private static final int SERVICES_PREFIX = 12;
    private static final int LOOPBACK = 127 << 24;

    private PodLink() {}

    /// The range of addresses that services have.
    static String services() throws IOException {
        return Subnet.address(SERVICES).getHostAddress() + "/" + SERVICES_PREFIX;
    }

    /// @param link the name of its end on the machine
    static NetworkNamespace make(BridgeGround ground, PodBridge bridge, int host, String link) throws IOException {
        var doors = ground.doors();
        var machine = ground.links();
        machine.deleteLink(link);
        var made = doors.make();
        try (var inside = doors.links(made)) {
            doors.set(made, settings(ground, bridge));
            var address = bridge.subnet().host(host);
            machine.addPair(link, bridge.index(), LINK, made.descriptor(), address);
            int loopback = inside.index("lo");
            var local = Subnet.address(LOOPBACK + 1);
            inside.addAddress(loopback, local, 16);
            inside.setUp(loopback);
            inside.deleteAddress(loopback, local, 8);
            int outside = inside.index(LINK);
            inside.addAddress(outside, address, Subnet.PREFIX);
            inside.setUp(outside);
            var gateway = new Netlink.Way.Gateway(bridge.subnet().gateway());
            inside.addRoute(Subnet.address(0), 0, gateway);
            inside.addRoute(Subnet.address(SERVICES), SERVICES_PREFIX, gateway);
            inside.addRoute(Subnet.address(LOOPBACK), 8, new Netlink.Way.Nowhere());
            if (bridge.hasIpv6()) {
                leadOutByIpv6(inside, outside, bridge.subnet(), host);
            }
            return made;
        } catch (IOException | RuntimeException e) {
            made.close();
            throw e;
        }
    }

    /// All others are behind the gateway, which lets through what is for the world.
    private static void leadOutByIpv6(Netlink inside, int link, Subnet subnet, int host) throws IOException {
        var gateway = subnet.hostIpv6(1);
        inside.addAddress(link, subnet.hostIpv6(host), 128);
        inside.addRoute(gateway, 128, new Netlink.Way.Link(link));
        inside.addRoute(InetAddress.ofLiteral("::"), 0, new Netlink.Way.Gateway(gateway));
    }

    private static List<NetworkDoors.Setting> settings(BridgeGround ground, PodBridge bridge) {
        // But for the loopback, which is there already.
        var settings = new ArrayList<>(
                bridge.hasIpv6() ? BridgeGround.withIpv6("default") : BridgeGround.withoutIpv6("default"));
        settings.add(new NetworkDoors.Setting("ipv4/conf/default/route_localnet", "1"));
        // Its ports are nobody else's, and to ask who is there is no danger.
        settings.add(new NetworkDoors.Setting("ipv4/ip_unprivileged_port_start", "0"));
        settings.add(new NetworkDoors.Setting("ipv4/ping_group_range", ground.pingers()));
        return settings;
    }
}
