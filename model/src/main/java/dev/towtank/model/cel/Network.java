package dev.towtank.model.cel;

import java.util.Optional;

/// An IP network: an address, and how many of its bits count.
record Network(Address address, int prefix) {

    static Optional<Network> parse(String text) {
        int slash = text.indexOf('/');
        var length = text.substring(slash + 1);
        if (slash < 0
                || length.isEmpty()
                || length.length() > 3
                || !length.chars().allMatch(Character::isDigit)) {
            return Optional.empty();
        }
        int prefix = Integer.parseInt(length);
        boolean padded = length.length() > 1 && length.startsWith("0");
        return Address.parse(text.substring(0, slash))
                .filter(address -> !padded && prefix <= (address.family() == 4 ? 32 : 128))
                .map(address -> new Network(address, prefix));
    }

    static Network required(String text) {
        return parse(text)
                .orElseThrow(() -> new JsonValues.Missing("network address parse error during conversion from string:"
                        + " network address \"" + text + "\" is not a CIDR"));
    }

    boolean contains(Address other) {
        return other.family() == address.family()
                && masked(other.inet().getAddress())
                        .equals(masked(address.inet().getAddress()));
    }

    boolean contains(Network other) {
        return other.prefix >= prefix && contains(other.address);
    }

    Network masked() {
        return new Network(masked(address.inet().getAddress()), prefix);
    }

    private Address masked(byte[] bytes) {
        for (int bit = prefix; bit < bytes.length * 8; bit++) {
            bytes[bit / 8] &= (byte) ~(0x80 >> bit % 8);
        }
        return Address.of(bytes);
    }

    @Override
    public String toString() {
        return address + "/" + prefix;
    }
}
