package dev.towtank.model.cel;

import dev.towtank.model.kinds.IpAddresses;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An IP address.
record Address(InetAddress inet) {

    static Optional<Address> parse(String text) {
        if (!IpAddresses.isIpv4(text) && !IpAddresses.isIpv6(text)) {
            return Optional.empty();
        }
        var address = InetAddress.ofLiteral(text);
        boolean mapped = text.contains(":") && address.getAddress().length == 4;
        return mapped ? Optional.empty() : Optional.of(new Address(address));
    }

    static Address of(byte[] bytes) {
        return new Address(InetAddress.ofLiteral(bytes.length == 4 ? dotted(bytes) : write(groups(bytes))));
    }

    private static String dotted(byte[] bytes) {
        return (bytes[0] & 0xff) + "." + (bytes[1] & 0xff) + "." + (bytes[2] & 0xff) + "." + (bytes[3] & 0xff);
    }

    static Address required(String text) {
        return parse(text)
                .orElseThrow(() -> new JsonValues.Missing("IP Address \"" + text
                        + "\" parse error during conversion from string: ParseAddr(\"" + text
                        + "\"): unable to parse IP"));
    }

    int family() {
        return inet.getAddress().length == 4 ? 4 : 6;
    }

    boolean isLinkLocalMulticast() {
        return inet.isMCLinkLocal();
    }

    boolean isGlobalUnicast() {
        byte[] bytes = inet.getAddress();
        boolean broadcast = bytes.length == 4 && Arrays.equals(bytes, new byte[] {-1, -1, -1, -1});
        return !broadcast
                && !inet.isAnyLocalAddress()
                && !inet.isLoopbackAddress()
                && !inet.isMulticastAddress()
                && !inet.isLinkLocalAddress();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Address(var that) && Arrays.equals(that.getAddress(), inet.getAddress());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(inet.getAddress());
    }

    /// The canonical form: the longest run of zero groups of an IPv6 address is left out.
    @Override
    public String toString() {
        byte[] bytes = inet.getAddress();
        return bytes.length == 4 ? dotted(bytes) : write(groups(bytes));
    }

    private static int[] groups(byte[] bytes) {
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = ((bytes[2 * i] & 0xff) << 8) | (bytes[2 * i + 1] & 0xff);
        }
        return groups;
    }

    private static String write(int[] groups) {
        int start = -1;
        int length = 1;
        for (int i = 0; i < 8; i++) {
            int end = i;
            while (end < 8 && groups[end] == 0) {
                end++;
            }
            if (end - i > length) {
                start = i;
                length = end - i;
            }
        }
        var text = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            if (i == start) {
                text.append("::");
                i += length - 1;
            } else {
                text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":")
                        .append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }
}
