package dev.towtank.node.network;

import dev.towtank.node.linux.LinuxException;
import dev.towtank.node.linux.NetworkDoors.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// What the pods of one logical cluster are plugged into, and where they have their addresses from. The kernel keeps it
/// when the server dies, and a file tells the next one which it was. Whoever uses it holds a lock.
final class PodBridge {

    static final String PREFIX = "ttpod";
    private static final String LINK = "tp";

    private final BridgeGround ground;
    private final Subnet subnet;
    private final int index;
    private final BitSet used = new BitSet();
    private final BitSet found = new BitSet();
    private int last = 1;

    private PodBridge(BridgeGround ground, Subnet subnet, int index) {
        this.ground = ground;
        this.subnet = subnet;
        this.index = index;
    }

    /// @param record the file that tells which it is
    static PodBridge open(BridgeGround ground, Path record) throws IOException {
        var former = former(record);
        int index = former < 0 ? 0 : ground.links().index(PREFIX + former);
        if (index != 0 && ground.carriedBy(PREFIX + former).equals(ground.owner(record))) {
            var bridge = new PodBridge(ground, new Subnet(former), index);
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
            return new PodBridge(ground, subnet, index);
        } catch (IOException | RuntimeException e) {
            ground.links().deleteLink(name);
            throw e;
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

    int index() {
        return index;
    }

    /// The name of the link to a host.
    String link(int host) {
        return LINK + subnet.number() + "-" + host;
    }

    /// Those of pods that an earlier server started: each will ask for its own.
    private void findTaken() throws IOException {
        var ours = LINK + subnet.number() + "-";
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
