package dev.towtank.model.kinds;

import java.net.InetAddress;
import java.util.Optional;

/// A range of addresses such as `10.0.0.0/8`.
///
/// @param prefix how many leading bits are fixed
public record Cidr(InetAddress address, int prefix) {

    public static Optional<Cidr> parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("[0-9]{1,3}")) {
            return Optional.empty();
        }
        var address = text.substring(0, slash);
        int prefix = Integer.parseInt(text.substring(slash + 1));
        if (!IpAddresses.isIpv4(address) && !IpAddresses.isIpv6(address)) {
            return Optional.empty();
        }
        var parsed = InetAddress.ofLiteral(address);
        return prefix <= parsed.getAddress().length * 8 ? Optional.of(new Cidr(parsed, prefix)) : Optional.empty();
    }

    public static void validate(Field field) {
        if (parse(field.text()).isEmpty()) {
            field.invalid("must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
        }
    }

    /// Whether another range lies within this one and is smaller.
    public boolean strictlyContains(Cidr other) {
        var mine = address.getAddress();
        var theirs = other.address.getAddress();
        if (mine.length != theirs.length || prefix >= other.prefix) {
            return false;
        }
        for (int bit = 0; bit < prefix; bit++) {
            int mask = 0x80 >> (bit % 8);
            if ((mine[bit / 8] & mask) != (theirs[bit / 8] & mask)) {
                return false;
            }
        }
        return true;
    }
}
