package dev.towtank.node.network;

import dev.towtank.node.linux.Netlink;
import dev.towtank.node.linux.NetworkDoors;
import dev.towtank.node.linux.NetworkThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The machine's own network, for root.
final class MachineGround implements BridgeGround {

    private static final Path LINKS = Path.of("/sys/class/net");
    private static final Path ROUTES = Path.of("/proc/net/route");
    private static final Path WORLD = Path.of("/proc/self/ns/mnt");

    private final NetworkThread thread = new NetworkThread();
    private final Netlink links;

    MachineGround() throws IOException {
        links = Netlink.open();
    }

    @Override
    public NetworkDoors doors() {
        return thread;
    }

    @Override
    public Netlink links() {
        return links;
    }

    @Override
    public Sockets sockets() {
        return Sockets.MACHINE;
    }

    @Override
    public List<String> routes() throws IOException {
        return Files.readAllLines(ROUTES);
    }

    @Override
    public List<String> linksNamed(String prefix) throws IOException {
        var names = new ArrayList<String>();
        try (var found = Files.newDirectoryStream(LINKS, prefix + "*")) {
            found.forEach(link -> names.add(link.getFileName().toString()));
        }
        return names;
    }

    /// In another mount namespace the same path may be somebody else's.
    @Override
    public String owner(Path record) throws IOException {
        return Files.readSymbolicLink(WORLD) + " " + record.toAbsolutePath().normalize();
    }

    @Override
    public String carriedBy(String bridge) throws IOException {
        try {
            return Files.readString(LINKS.resolve(bridge).resolve("ifalias")).strip();
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    @Override
    public void set(List<NetworkDoors.Setting> settings) throws IOException {
        for (var setting : settings) {
            Files.writeString(NetworkDoors.SETTINGS.resolve(setting.name()), setting.value());
        }
    }

    @Override
    public void open(String bridge, Subnet subnet) throws IOException {
        Firewall.open(bridge, subnet, uplinks());
    }

    @Override
    public String noIpv6() {
        return Ipv6.lackOfMachine().orElse("");
    }

    /// Whoever passes on everything already needs no link switched on.
    @Override
    public void openIpv6(String bridge, Subnet subnet) throws IOException {
        boolean isPassedOn = Ipv6.isPassedOn();
        Firewall.openIpv6(bridge, subnet, isPassedOn ? List.of() : Ipv6.uplinks(Ipv6.routes()));
        if (!isPassedOn) {
            set(List.of(new NetworkDoors.Setting("ipv6/conf/" + bridge + "/force_forwarding", "1")));
        }
    }

    /// Other servers' bridges need not have any: then no rules of theirs keep the machine from passing on more.
    @Override
    public void closeIpv6(String bridge) throws IOException {
        boolean isLast = true;
        for (var other : linksNamed(PodBridge.PREFIX)) {
            isLast &= other.equals(bridge) || !hasIpv6(other);
        }
        Firewall.closeIpv6(bridge, isLast);
    }

    @Override
    public boolean hasIpv6(String bridge) throws IOException {
        return Ipv6.isHeldBy(bridge, Ipv6.ADDRESSES);
    }

    /// The links by which this machine reaches the world. What comes back there must be let through.
    private List<String> uplinks() throws IOException {
        return routes().stream()
                .skip(1)
                .map(line -> line.split("\\s+", -1))
                .filter(fields -> Subnet.ofKernel(fields[1]) == 0 && Subnet.ofKernel(fields[7]) == 0)
                .map(fields -> fields[0])
                .distinct()
                .toList();
    }

    @Override
    public void remove(String bridge) throws IOException {
        boolean isLast = linksNamed(PodBridge.PREFIX).stream().allMatch(bridge::equals);
        Firewall.close(bridge, isLast);
        boolean hadIpv6 = hasIpv6(bridge);
        links.deleteLink(bridge);
        if (hadIpv6) {
            closeIpv6(bridge);
        }
    }

    /// Those whose records are gone, as their servers were killed.
    @Override
    public void removeAbandoned() throws IOException {
        var world = Files.readSymbolicLink(WORLD) + " ";
        for (var bridge : linksNamed(PodBridge.PREFIX)) {
            var owner = carriedBy(bridge);
            if (owner.startsWith(world) && !Files.exists(Path.of(owner.substring(world.length())))) {
                remove(bridge);
            }
        }
    }

    @Override
    public String pingers() {
        return "0 2147483647";
    }

    @Override
    public String noWayOut() {
        return "";
    }

    @Override
    public void dismantle() {
        // its bridges were all there was
    }

    @Override
    public void close() {
        thread.close();
        links.close();
    }
}
