package dev.towtank.node.network;

import dev.towtank.node.linux.LinuxException;
import dev.towtank.node.linux.Netlink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;

/// What the pods of one logical cluster are plugged into, and where they have their addresses from. The kernel keeps it
/// when the server dies, and a file tells the next one which it was. Whoever uses it holds a lock.
final class PodBridge {

    static final String PREFIX = "ttpod";
    private static final String LINK = "tp";
    private static final Path LINKS = Path.of("/sys/class/net");
    private static final Path SETTINGS = Path.of("/proc/sys/net/ipv4/conf");
    private static final Path ROUTES = Path.of("/proc/net/route");
    private static final Path WORLD = Path.of("/proc/self/ns/mnt");

    private final Subnet subnet;
    private final int index;
    private final BitSet used = new BitSet();
    private final BitSet found = new BitSet();
    private int last = 1;

    private PodBridge(Subnet subnet, int index) {
        this.subnet = subnet;
        this.index = index;
    }

    /// @param record the file that tells which it is
    static PodBridge open(Netlink machine, Path record) throws IOException {
        var former = former(record);
        int index = former < 0 ? 0 : machine.index(PREFIX + former);
        if (index != 0 && alias(PREFIX + former).equals(owner(record))) {
            var bridge = new PodBridge(new Subnet(former), index);
            bridge.findTaken();
            return bridge;
        }
        var made = make(machine, record);
        Files.createDirectories(record.resolveSibling(""));
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
    private static PodBridge make(Netlink machine, Path record) throws IOException {
        var routes = Files.readAllLines(ROUTES);
        int first = Math.floorMod(owner(record).hashCode(), Subnet.MOST);
        for (int i = 0; i < Subnet.MOST; i++) {
            var subnet = new Subnet((first + i) % Subnet.MOST);
            if (isFree(subnet, routes)) {
                try {
                    return make(machine, subnet, owner(record));
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

    private static PodBridge make(Netlink machine, Subnet subnet, String owner) throws IOException {
        var name = PREFIX + subnet.number();
        machine.addBridge(name, owner);
        try {
            int index = machine.index(name);
            machine.addAddress(index, subnet.gateway(), Subnet.PREFIX);
            set(name, "route_localnet"); // addresses of services are on the loopback
            set(name, "forwarding");
            Firewall.open(name, subnet, uplinks());
            return new PodBridge(subnet, index);
        } catch (IOException | RuntimeException e) {
            machine.deleteLink(name);
            throw e;
        }
    }

    private static void set(String link, String setting) throws IOException {
        Files.writeString(SETTINGS.resolve(link).resolve(setting), "1");
    }

    private static boolean isFree(Subnet subnet, List<String> routes) {
        return routes.stream()
                .skip(1)
                .map(line -> line.split("\\s+", -1))
                .noneMatch(fields -> subnet.overlaps(value(fields[1]), value(fields[7])));
    }

    /// As the kernel writes it there: the last byte first.
    private static int value(String hexadecimal) {
        return Integer.reverseBytes(Integer.parseUnsignedInt(hexadecimal, 16));
    }

    /// The links by which this machine reaches the world. What comes back there must be let through.
    private static List<String> uplinks() throws IOException {
        return Files.readAllLines(ROUTES).stream()
                .skip(1)
                .map(line -> line.split("\\s+", -1))
                .filter(fields -> value(fields[1]) == 0 && value(fields[7]) == 0)
                .map(fields -> fields[0])
                .distinct()
                .toList();
    }

    /// Takes away those whose directories are gone, as their servers were killed.
    static void removeAbandoned(Netlink machine) throws IOException {
        var world = Files.readSymbolicLink(WORLD) + " ";
        try (var links = Files.newDirectoryStream(LINKS, PREFIX + "*")) {
            for (var link : links) {
                var name = link.getFileName().toString();
                var alias = alias(name);
                if (alias.startsWith(world) && !Files.exists(Path.of(alias.substring(world.length())))) {
                    remove(machine, name);
                }
            }
        }
    }

    private static String alias(String link) throws IOException {
        try {
            return Files.readString(LINKS.resolve(link).resolve("ifalias")).strip();
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    /// Whose it is: in another mount namespace the same path may be somebody else's.
    private static String owner(Path record) throws IOException {
        return Files.readSymbolicLink(WORLD) + " "
                + record.toAbsolutePath().resolve("../..").normalize();
    }

    private static void remove(Netlink machine, String name) throws IOException {
        Firewall.close(name, isLast(name));
        machine.deleteLink(name);
    }

    private static boolean isLast(String name) throws IOException {
        try (var links = Files.newDirectoryStream(LINKS, PREFIX + "*")) {
            for (var link : links) {
                if (!link.getFileName().toString().equals(name)) {
                    return false;
                }
            }
            return true;
        }
    }

    void remove(Netlink machine) throws IOException {
        remove(machine, PREFIX + subnet.number());
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
        try (var links = Files.newDirectoryStream(LINKS, ours + "*")) {
            for (var link : links) {
                var host = link.getFileName().toString().substring(ours.length());
                if (host.matches("\\d{1,4}")) {
                    found.set(Integer.parseInt(host));
                }
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
