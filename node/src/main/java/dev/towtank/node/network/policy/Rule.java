package dev.towtank.node.network.policy;

import dev.towtank.model.kinds.IpAddresses;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;

/// Something that a policy allows.
///
/// @param peers whom to talk with; empty for everybody, if there are none of IPv6 either
/// @param peersIpv6 whom outside
/// @param ports where; empty for everywhere
record Rule(List<Range> peers, List<Ipv6Range> peersIpv6, List<Ports> ports) {

    Rule {
        peers = List.copyOf(peers);
        peersIpv6 = List.copyOf(peersIpv6);
        ports = List.copyOf(ports);
    }

    boolean isForEverybody() {
        return peers.isEmpty() && peersIpv6.isEmpty();
    }

    /// @param except parts of it that are not meant
    record Ipv6Range(Ipv6Block block, List<Ipv6Block> except) {
        Ipv6Range {
            except = List.copyOf(except);
        }
    }

    /// As the kernel's rules have it.
    record Ipv6Block(String text) {

        /// @return nothing for what is no range of IPv6
        static List<Ipv6Block> of(String text) {
            var parts = text.split("/", 2);
            if (parts.length < 2 || !IpAddresses.isIpv6(parts[0]) || !parts[1].matches("[0-9]{1,3}")) {
                return List.of();
            }
            int prefix = Integer.parseInt(parts[1]);
            var address = InetAddress.ofLiteral(parts[0]);
            // The other ones are addresses of IPv4, and by IPv6 nobody is there.
            return prefix > 128 || !(address instanceof Inet6Address)
                    ? List.of()
                    : List.of(new Ipv6Block(address.getHostAddress() + "/" + prefix));
        }
    }

    /// @param except parts of it that are not meant
    record Range(Block block, List<Block> except) {
        Range {
            except = List.copyOf(except);
        }

        boolean contains(int address) {
            return block.contains(address) && except.stream().noneMatch(each -> each.contains(address));
        }
    }

    /// Addresses that begin with the same bits.
    record Block(int base, int prefix) {

        /// @return nothing for what is no range of IPv4
        static List<Block> of(String text) {
            var parts = text.split("/", 2);
            var numbers = parts[0].split("\\.", -1);
            if (parts.length < 2 || numbers.length != 4 || !text.matches("[0-9./]{9,18}")) {
                return List.of();
            }
            int value = 0;
            for (var number : numbers) {
                value = value << 8 | (number.isEmpty() ? 0 : Integer.parseInt(number) & 0xff);
            }
            int prefix = Integer.parseInt(parts[1]);
            return prefix > 32 ? List.of() : List.of(new Block(value & mask(prefix), prefix));
        }

        static Block host(int address) {
            return new Block(address, 32);
        }

        private static int mask(int prefix) {
            return prefix == 0 ? 0 : -1 << (32 - prefix);
        }

        boolean contains(int address) {
            return (address & mask(prefix)) == base;
        }

        @Override
        public String toString() {
            return (base >>> 24) + "." + (base >> 16 & 0xff) + "." + (base >> 8 & 0xff) + "." + (base & 0xff) + "/"
                    + prefix;
        }
    }

    /// @param protocol `tcp`, `udp` or `sctp`
    record Ports(String protocol, int first, int last) {
        boolean contains(String other, int port) {
            return protocol.equals(other) && first <= port && port <= last;
        }
    }

    boolean allows(int peer, String protocol, int port) {
        return (isForEverybody() || peers.stream().anyMatch(range -> range.contains(peer)))
                && (ports.isEmpty() || ports.stream().anyMatch(each -> each.contains(protocol, port)));
    }
}
