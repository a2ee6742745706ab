package dev.towtank.node.network;

import dev.towtank.node.linux.Netlink;
import dev.towtank.node.linux.NetworkDoors;
import dev.towtank.node.linux.NetworkNamespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The way out of a pods' network, and the walls around it: rules of the kernel, a table for each bridge.
final class Firewall {

    private static final long PATIENCE_SECONDS = 10;
    private static final HexFormat HARDWARE = HexFormat.ofDelimiter(":");

    /// Somebody's loopback, link or group, addresses of IPv4 in another form, what tells machines in a cloud about
    /// themselves, and pods of whomever.
    private static final List<String> NOT_THE_WORLD = List.of(
            "::/96", "::ffff:0:0/96", "fe80::/10", "ff00::/8", "fd00:ec2::/32", "fd20:ce::254", Subnet.ALL_IPV6);

    private Firewall() {}

    static Optional<Path> program() {
        return Stream.of("/usr/sbin/nft", "/sbin/nft", "/usr/bin/nft")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    static void run(NetworkDoors doors, NetworkNamespace network, String rules) throws IOException {
        var nft = program().orElseThrow(() -> new IOException("the program nft is missing"));
        doors.run(network, List.of(nft.toString(), "-f", "/dev/stdin"), rules);
    }

    /// @param uplinks by which this machine reaches the world
    static void open(String bridge, Subnet subnet, List<String> uplinks) throws IOException {
        Uplinks.OF_THE_MACHINE.open(uplinks, shut -> run(rules(bridge, subnet, shut)));
    }

    /// Nobody begins to talk to a pod but this machine and the pods of the same bridge. What this machine did not pass
    /// on
    /// before, it passes on for pods alone.
    static String rules(String bridge, Subnet subnet, List<String> shut) {
        var others = shut.stream()
                .map(uplink -> "iifname \"%s\" oifname != \"%s*\" drop\n    ".formatted(uplink, PodBridge.PREFIX))
                .collect(Collectors.joining());
        return """
                table ip %1$s {
                  chain out {
                    type nat hook postrouting priority 100;
                    ip saddr %2$s oifname != "%1$s" ip daddr != %2$s masquerade
                  }
                  chain through {
                    type filter hook forward priority 0;
                    oifname "%1$s" iifname != "%1$s" ct state established,related accept
                    oifname "%1$s" iifname != "%1$s" drop
                    %3$s}
                }
                """.formatted(bridge, subnet, others);
    }

    /// By IPv6 pods reach the world and nothing else: not each other, on the bridge or around it, nor this machine,
    /// whatever addresses it has. Nobody begins to talk to them. What a pod sends has its own address, of which its
    /// hardware address tells: the kernel lets everybody send from any.
    static String rulesIpv6(String bridge, Subnet subnet, List<String> shut) {
        var others = shut.stream()
                .map(uplink -> "iifname \"%s\" oifname != \"%s*\" drop\n    ".formatted(uplink, PodBridge.PREFIX))
                .collect(Collectors.joining());
        return removalIpv6(bridge)
                + """
                table ip6 %1$s {
                  set senders {
                    type ether_addr . ipv6_addr
                    elements = { %4$s }
                  }
                  chain in {
                    type filter hook input priority -10;
                    iifname "%1$s" icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept
                    iifname "%1$s" ct state established,related accept
                    iifname "%1$s" reject with icmpv6 type admin-prohibited
                  }
                  chain through {
                    type filter hook forward priority -10;
                    iifname "%1$s" ether saddr . ip6 saddr != @senders drop
                    iifname "%1$s" ip6 daddr { %5$s } reject with icmpv6 type admin-prohibited
                    iifname "%1$s" oifname "%2$s*" reject with icmpv6 type admin-prohibited
                    oifname "%1$s" ct state established,related accept
                    oifname "%1$s" drop
                    %6$s}
                  chain out {
                    type nat hook postrouting priority 100;
                    ip6 saddr %3$s oifname != "%1$s" masquerade
                  }
                }
                table bridge %1$s {
                  chain between {
                    type filter hook forward priority -200;
                    iifname "%7$s*" ether type ip6 drop
                  }
                }
                """.formatted(
                                bridge,
                                PodBridge.PREFIX,
                                subnet.rangeIpv6(),
                                senders(subnet),
                                String.join(", ", NOT_THE_WORLD),
                                others,
                                PodBridge.links(subnet));
    }

    private static String senders(Subnet subnet) {
        return IntStream.rangeClosed(2, Subnet.HOSTS)
                .mapToObj(host -> HARDWARE.formatHex(Netlink.hardware(subnet.host(host))) + " . "
                        + subnet.hostIpv6(host).getHostAddress())
                .collect(Collectors.joining(", "));
    }

    /// To be deleted they must be there.
    static String removalIpv6(String bridge) {
        return "table ip6 %1$s\ndelete table ip6 %1$s\ntable bridge %1$s\ndelete table bridge %1$s\n".formatted(bridge);
    }

    /// @param uplinks by which this machine reaches the world
    static void openIpv6(String bridge, Subnet subnet, List<String> uplinks) throws IOException {
        Uplinks.OF_THE_MACHINE_IPV6.open(uplinks, shut -> run(rulesIpv6(bridge, subnet, shut)));
    }

    static void closeIpv6(String bridge, boolean isLast) throws IOException {
        Uplinks.OF_THE_MACHINE_IPV6.close(isLast, _ -> run(removalIpv6(bridge)));
    }

    /// @param isLast whether no other network is left
    static void close(String bridge, boolean isLast) throws IOException {
        Uplinks.OF_THE_MACHINE.close(
                isLast,
                _ -> run("table ip %1$s\ndelete table ip %1$s\n".formatted(bridge))); // to be deleted it must be there
    }

    private static void run(String rules) throws IOException {
        var program = program().orElseThrow(() -> new IOException("the program nft is missing"));
        var process = new ProcessBuilder(program.toString(), "-f", "/dev/stdin")
                .redirectErrorStream(true)
                .start();
        try (var input = process.getOutputStream()) {
            input.write(rules.getBytes(StandardCharsets.UTF_8));
        }
        try {
            var said = new String(process.getInputStream().readNBytes(1000), StandardCharsets.UTF_8);
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("nft did not take the rules of the pods' network: " + said.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
