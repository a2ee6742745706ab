package dev.towtank.node.network;

import dev.towtank.node.linux.Netlink;
import dev.towtank.node.linux.NetworkDoors;
import dev.towtank.node.linux.NetworkDoors.Setting;
import dev.towtank.node.linux.NetworkEnvoy;
import dev.towtank.node.linux.NetworkNamespace;
import dev.towtank.node.linux.Processes;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A network beside the machine's that belongs to a user without rights, who has all of them in there. A program leads
/// from it to the world.
final class HubGround implements BridgeGround {

    private static final System.Logger LOG = System.getLogger(HubGround.class.getName());

    private final HubProcesses processes;
    private final HubProcesses.Known holder;
    private final NetworkDoors doors;
    private final NetworkNamespace network;
    private final Netlink links;
    private String noWayOut = "";

    private HubGround(HubProcesses processes, HubProcesses.Known holder) throws IOException {
        this.processes = processes;
        this.holder = holder;
        this.doors = new NetworkEnvoy(holder.namespace("user"));
        this.network = doors.open(holder.namespace("net"));
        this.links = doors.links(network);
    }

    /// That of an earlier server, or a new one.
    ///
    /// @param directory of the networks
    static HubGround open(Path directory) throws IOException {
        var processes = new HubProcesses(directory);
        var former = processes.find("hub");
        var ground = new HubGround(processes, former.isPresent() ? former.get() : processes.hold());
        try {
            if (former.isEmpty()) {
                ground.furnish();
            }
            ground.lead();
            return ground;
        } catch (IOException | RuntimeException e) {
            ground.close();
            throw e;
        }
    }

    private void furnish() throws IOException {
        links.setUp(links.index("lo"));
        doors.set(network, List.of(new Setting("ipv4/ip_forward", "1")));
    }

    private void lead() throws IOException {
        if (Ipv6.isKnown()) { // before somebody leads out: who passes on takes no router's word
            doors.set(network, List.of(new Setting("ipv6/conf/all/forwarding", "1")));
        }
        if (processes.find("guide").isPresent()) {
            return;
        }
        noWayOut = HubProcesses.problem();
        var guide = HubProcesses.guide();
        if (guide.isEmpty() || !noWayOut.isEmpty()) {
            return;
        }
        try {
            processes.lead(guide.get(), holder);
        } catch (IOException e) {
            noWayOut = "Pods with networks of their own do not reach the world: " + e.getMessage() + ".";
            LOG.log(Level.WARNING, noWayOut);
        }
    }

    @Override
    public NetworkDoors doors() {
        return doors;
    }

    @Override
    public Netlink links() {
        return links;
    }

    @Override
    public Sockets sockets() {
        return new Sockets() {
            @Override
            public ServerSocket listen(InetAddress address, int port, int backlog) throws IOException {
                return doors.listen(network, address, List.of(port), backlog).stream()
                        .findFirst()
                        .orElseThrow(() -> new IOException("Address already in use"));
            }

            @Override
            public Socket socket() throws IOException {
                return doors.socket(network);
            }

            @Override
            public DatagramSocket datagrams(InetAddress address, int port) throws IOException {
                return doors.datagrams(network, address, port);
            }
        };
    }

    private Path file(String name) {
        return Path.of("/proc/" + holder.pid() + "/net/" + name);
    }

    @Override
    public List<String> routes() throws IOException {
        return Files.readAllLines(file("route"));
    }

    @Override
    public List<String> linksNamed(String prefix) throws IOException {
        return Files.readAllLines(file("dev")).stream()
                .map(line -> line.strip().split(":", 2)[0])
                .filter(name -> name.startsWith(prefix))
                .toList();
    }

    /// Nobody else has bridges in there.
    @Override
    public String owner(Path record) {
        return record.getFileName().toString();
    }

    @Override
    public String carriedBy(String bridge) throws IOException {
        return links.alias(bridge);
    }

    @Override
    public void set(List<Setting> settings) throws IOException {
        doors.set(network, settings);
    }

    @Override
    public void open(String bridge, Subnet subnet) throws IOException {
        Firewall.run(doors, network, Firewall.rules(bridge, subnet, List.of()));
    }

    @Override
    public String noIpv6() {
        try {
            return Ipv6.uplinks(Files.readAllLines(file("ipv6_route"))).isEmpty()
                    ? Ipv6.lackOfGuide().orElse(Ipv6.NO_ROUTE)
                    : "";
        } catch (IOException e) {
            return Ipv6.NO_ROUTE;
        }
    }

    @Override
    public void openIpv6(String bridge, Subnet subnet) throws IOException {
        Firewall.run(doors, network, Firewall.rulesIpv6(bridge, subnet, List.of()));
    }

    @Override
    public boolean hasIpv6(String bridge) throws IOException {
        return Ipv6.isHeldBy(bridge, file("if_inet6"));
    }

    @Override
    public void closeIpv6(String bridge) throws IOException {
        Firewall.run(doors, network, Firewall.removalIpv6(bridge));
    }

    @Override
    public void remove(String bridge) throws IOException {
        boolean hadIpv6 = hasIpv6(bridge);
        links.deleteLink(bridge);
        if (hadIpv6) {
            closeIpv6(bridge);
        }
    }

    @Override
    public void removeAbandoned() {
        // what is in there goes with its directory
    }

    @Override
    public String pingers() {
        return Processes.group() + " " + Processes.group(); // no other is known in there
    }

    @Override
    public String noWayOut() {
        return noWayOut;
    }

    @Override
    public void dismantle() {
        try {
            processes.end();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the network of pods is left: {0}", e.getMessage());
        }
    }

    @Override
    public void close() {
        links.close();
        network.close();
        doors.close();
    }
}
