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
    public void remove(String bridge) throws IOException {
        links.deleteLink(bridge);
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
