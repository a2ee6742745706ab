package dev.towtank.node.network;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// One question for a name, as it comes over the network; pure.
///
/// @param message all of it
/// @param name in lower case, without the last dot
/// @param end where the question ends in the message
record DnsQuestion(ByteBuffer message, String name, int type, int end) {

    private static final String DOMAIN = "cluster.local";
    private static final int HEAD = 12;
    private static final int LONGEST_LABEL = 63;
    private static final int LONGEST_NAME = 255;
    private static final int ADDRESS = 1; // A
    private static final int TO_NAME = 0xc000 | HEAD; // where the name stands already
    private static final int SECONDS = 5;
    private static final int MOST_ANSWERS = 20; // in 512 bytes, which every client takes

    /// Empty where it is no question, or more than one.
    static Optional<DnsQuestion> of(byte[] message) {
        var in = ByteBuffer.wrap(message);
        if (message.length < HEAD || in.get(2) < 0 || in.getShort(4) != 1) {
            return Optional.empty();
        }
        in.position(HEAD);
        var name = new StringBuilder();
        while (in.hasRemaining()) {
            int length = in.get();
            if (length == 0) {
                return in.remaining() < 4
                        ? Optional.empty()
                        : Optional.of(new DnsQuestion(
                                ByteBuffer.wrap(message),
                                name.toString().toLowerCase(Locale.ROOT),
                                in.getShort(),
                                in.position() + 2));
            }
            if (length < 0 || length > LONGEST_LABEL || length > in.remaining() || name.length() > LONGEST_NAME) {
                return Optional.empty();
            }
            var label = new byte[length];
            in.get(label);
            name.append(name.isEmpty() ? "" : ".").append(new String(label, StandardCharsets.ISO_8859_1));
        }
        return Optional.empty();
    }

    /// Whether nobody else can know it.
    boolean isOurs() {
        return name.equals(DOMAIN) || name.endsWith("." + DOMAIN);
    }

    boolean isFor(String full) {
        return name.equals(full);
    }

    /// @param addresses of the name; without any there is no such name
    byte[] answer(List<InetAddress> addresses) {
        var found = type == ADDRESS
                ? addresses.stream()
                        .filter(Inet4Address.class::isInstance)
                        .limit(MOST_ANSWERS)
                        .toList()
                : List.<InetAddress>of();
        var out = ByteBuffer.allocate(end + 16 * found.size());
        out.put(message.slice(0, end));
        int authoritative = 0x8400;
        int wishesRecursion = message.getShort(2) & 0x0100;
        int noSuchName = addresses.isEmpty() ? 3 : 0;
        out.putShort(2, (short) (authoritative | wishesRecursion | wishesRecursion >> 1 | noSuchName));
        out.putShort(6, (short) found.size()).putShort(8, (short) 0).putShort(10, (short) 0);
        for (var address : found) {
            out.putShort((short) TO_NAME).putShort((short) ADDRESS).putShort((short) 1);
            out.putInt(SECONDS).putShort((short) 4).put(address.getAddress());
        }
        return out.array();
    }
}
