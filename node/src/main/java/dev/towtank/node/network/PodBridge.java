package dev.towtank.node.network;

import dev.towtank.node.linux.LinuxException;
import dev.towtank.node.linux.NetworkDoors.Setting;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// What the pods of one logical cluster are plugged into, and where they have their addresses from. The kernel keeps it
/// when the server dies, and a file tells the next one which it was. Whoever uses it holds a lock.
final class PodBridge {

    private static final System.Logger LOG = System.getLogger(PodBridge.class.getName());

    static final String PREFIX = "ttpod";
    private static final String LINK = "tp";

    /// From which the kernel asks for whom it passes something on to.
    private static final InetAddress FOR_NEIGHBOURS = InetAddress.ofLiteral("fe80::1");

    private final BridgeGround ground;
    private final Subnet subnet;
    private final int index;
    private final boolean ipv6;
    private final BitSet used = new BitSet();
    private final BitSet found = new BitSet();
    private int last = 1;

    private PodBridge(BridgeGround ground, Subnet subnet, int index, boolean ipv6) {
        this.ground = ground;
        this.subnet = subnet;
        this.index = index;
        this.ipv6 = ipv6;
    }

    /// @param record the file that tells which it is
    static PodBridge open(BridgeGround ground, Path record) throws IOException {
        var former = former(record);
        int index = former < 0 ? 0 : ground.links().index(PREFIX + former);
        if (index != 0 && ground.carriedBy(PREFIX + former).equals(ground.owner(record))) {
            var bridge = new PodBridge(ground, new Subnet(former), index, ground.hasIpv6(PREFIX + former));
            bridge.findTaken();
            return bridge;
        }
        Files.createDirectories(record.resolveSibling(""));
        Files.writeString(record, ""); // before there is a bridge: one whose record is missing is nobody's
        var made = make(ground, record);
        Files.writeString(record, Integer.toString(made.subnet.number()));
        return made;
    }

    private static int former(Path record) throws IOException {
        try {
            var text = Files.readString(record).strip();
            return text.matches("\\d{1,2}") ? Integer.parseInt(text) : -1;
        } catch (NoSuchFileException e) {
            return -1;
        }
    }

    /// By its name a range is taken for good: nobody else can make the same.
    private static PodBridge make(BridgeGround ground, Path record) throws IOException {
        var routes = ground.routes();
        var owner = ground.owner(record);
        int first = Math.floorMod(owner.hashCode(), Subnet.MOST);
        for (int i = 0; i < Subnet.MOST; i++) {
            var subnet = new Subnet((first + i) % Subnet.MOST);
            if (isFree(subnet, routes)) {
                try {
                    return make(ground, subnet, owner);
                } catch (LinuxException e) {
                    if (!e.is(LinuxException.EEXIST)) {
                        throw e;
                    }
                }
            }
        }
        throw new IOException("no range of addresses is left for pods: all " + Subnet.MOST + " from " + new Subnet(0)
                + " on are in use on this machine");
    }

    private static PodBridge make(BridgeGround ground, Subnet subnet, String owner) throws IOException {
        var name = PREFIX + subnet.number();
        ground.links().addBridge(name, owner);
        try {
            int index = ground.links().index(name);
            ground.links().addAddress(index, subnet.gateway(), Subnet.PREFIX);
            ground.set(settings(name));
            ground.open(name, subnet);
            return new PodBridge(ground, subnet, index, opensIpv6(ground, name, subnet, index));
        } catch (IOException | RuntimeException e) {
            ground.links().deleteLink(name);
            throw e;
        }
    }

    /// Only where the rules about it are in force, which an address of the bridge is the sign of.
    private static boolean opensIpv6(BridgeGround ground, String name, Subnet subnet, int index) throws IOException {
        if (!ground.noIpv6().isEmpty()) {
            return false;
        }
        try {
            ground.openIpv6(name, subnet);
            ground.set(BridgeGround.withIpv6(name));
            ground.links().addAddress(index, FOR_NEIGHBOURS, Subnet.PREFIX_IPV6);
            ground.links().addAddress(index, subnet.hostIpv6(1), Subnet.PREFIX_IPV6);
            return true;
        } catch (IOException e) {
            LOG.log(Level.WARNING, "pods with networks of their own have no IPv6: {0}", e.getMessage());
            ground.set(BridgeGround.withoutIpv6(name));
            closeIpv6(ground, name);
            return false;
        }
    }

    /// A kernel that does not take such rules does not take their removal either.
    private static void closeIpv6(BridgeGround ground, String name) {
        try {
            ground.closeIpv6(name);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "there are no rules for IPv6 to be taken away", e);
        }
    }

    private static List<Setting> settings(String bridge) {
        var settings = new ArrayList<>(BridgeGround.withoutIpv6(bridge));
        var conf = "ipv4/conf/" + bridge;
        settings.add(new Setting(conf + "/route_localnet", "1")); // addresses of services are on the loopback
        settings.add(new Setting(conf + "/forwarding", "1"));
        return settings;
    }

    private static boolean isFree(Subnet subnet, List<String> routes) {
        return routes.stream()
                .skip(1)
                .map(line -> line.split("\\s+", -1))
                .noneMatch(fields -> subnet.overlaps(Subnet.ofKernel(fields[1]), Subnet.ofKernel(fields[7])));
    }

    void remove() throws IOException {
        ground.remove(PREFIX + subnet.number());
    }

    Subnet subnet() {
        return subnet;
    }

    /// Whether pods reach the world by it.
    boolean hasIpv6() {
        return ipv6;
    }

    int index() {
        return index;
    }

    /// The name of the link to a host.
    String link(int host) {
        return links(subnet) + host;
    }

    /// How the names of all links to a bridge begin.
    static String links(Subnet subnet) {
        return LINK + subnet.number() + "-";
    }

    /// Those of pods that an earlier server started: each will ask for its own.
    private void findTaken() throws IOException {
        var ours = links(subnet);
        for (var link : ground.linksNamed(ours)) {
            var host = link.substring(ours.length());
            if (host.matches("\\d{1,4}")) {
                found.set(Integer.parseInt(host));
            }
        }
    }

    /// @param wanted the address that a pod had, and has again where nobody else has it
    int take(String wanted) throws IOException {
        int host = subnet.host(wanted);
        if (host == 0 || used.get(host)) {
            host = next();
        }
        found.clear(host);
        used.set(host);
        return host;
    }

    private int next() throws IOException {
        for (int i = 0; i < Subnet.HOSTS; i++) {
            last = last >= Subnet.HOSTS ? 2 : last + 1;
            if (!used.get(last) && !found.get(last)) {
                return last;
            }
        }
        throw new IOException("no address is left for the pod: all of " + subnet + " are in use");
    }

    void giveBack(int host) {
        used.clear(host);
    }
}
