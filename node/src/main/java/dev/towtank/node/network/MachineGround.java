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
        links.deleteLink(bridge);
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
