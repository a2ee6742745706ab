package dev.towtank.node.network;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/// One of the ranges from which the pods of a server have their addresses; the first of each is the machine's.
///
/// @param number below [#MOST]
record Subnet(int number) {

    static final int MOST = 96;
    static final int PREFIX = 20;
    static final int HOSTS = (1 << (32 - PREFIX)) - 2;

    /// All pods' addresses of IPv6 on all machines. None is ever seen outside of one.
    static final String ALL_IPV6 = "fd74:6f77:7461::/48";

    static final int PREFIX_IPV6 = 64;

    private static final long FIRST_IPV6 = 0xfd74_6f77_7461_0000L;
    private static final int FIRST = 10 << 24 | 244 << 16;
    private static final int MASK = -1 << (32 - PREFIX);

    private int base() {
        return FIRST + (number << (32 - PREFIX));
    }

    Inet4Address gateway() {
        return host(1);
    }

    /// @param host from 1, the gateway, to [#HOSTS]
    Inet4Address host(int host) {
        return address(base() + host);
    }

    /// By which a pod reaches the world and nobody else.
    Inet6Address hostIpv6(int host) {
        var bytes = ByteBuffer.allocate(16).putLong(FIRST_IPV6 + number).putLong(host);
        try {
            return (Inet6Address) InetAddress.getByAddress(bytes.array());
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // sixteen bytes are an address
        }
    }

    String rangeIpv6() {
        return "fd74:6f77:7461:" + Integer.toHexString(number) + "::/" + PREFIX_IPV6;
    }

    /// Which host an address is; 0 when it is of another range.
    int host(String address) {
        int value = value(address);
        int host = value - base();
        return (value & MASK) == base() && host > 1 && host <= HOSTS ? host : 0;
    }

    boolean overlaps(int destination, int mask) {
        int common = mask & MASK;
        return mask != 0 && (destination & common) == (base() & common);
    }

    @Override
    public String toString() {
        return address(base()).getHostAddress() + "/" + PREFIX;
    }

    /// As the kernel writes addresses in its list of routes: the last byte first.
    static int ofKernel(String hexadecimal) {
        return Integer.reverseBytes(Integer.parseUnsignedInt(hexadecimal, 16));
    }

    static Inet4Address address(int value) {
        try {
            return (Inet4Address) InetAddress.getByAddress(
                    new byte[] {(byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // four bytes are an address
        }
    }

    static int value(String address) {
        var parts = address.split("\\.", -1);
        if (parts.length != 4 || !address.matches("[0-9.]{7,15}")) {
            return 0;
        }
        int value = 0;
        for (var part : parts) {
            value = value << 8 | (Integer.parseInt(part.isEmpty() ? "0" : part) & 0xff);
        }
        return value;
    }
}
