package dev.towtank.node.network;

import dev.towtank.node.linux.NetworkDoors;
import dev.towtank.node.linux.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Whether pods can reach the world by IPv6, as the machine does.
final class Ipv6 {

    static final Path ADDRESSES = Path.of("/proc/net/if_inet6");

    private static final String ALONE = "Pods with networks of their own reach the world by IPv4 alone: ";
    static final String NO_ROUTE = ALONE + "this machine has no route to it by IPv6.";

    private static final Path ROUTES = Path.of("/proc/net/ipv6_route");
    private static final Path SETTINGS = NetworkDoors.SETTINGS.resolve("ipv6/conf");
    private static final String EVERYWHERE = "0".repeat(32);
    private static final int REFUSED = 0x200; // RTF_REJECT
    private static final String LINK_LOCAL = "fe8";

    private Ipv6() {}

    /// Why not, for people; as far as it is known before the first pod.
    static Optional<String> lack() {
        if (Processes.user() == 0) {
            return lackOfMachine();
        }
        return lackOfGuide().or(Ipv6::lackOfRoute);
    }

    static Optional<String> lackOfMachine() {
        return lackOfRoute()
                .or(() -> isPassedOn() || Files.exists(SETTINGS.resolve("all/force_forwarding"))
                        ? Optional.empty()
                        : Optional.of(ALONE + "to pass on theirs needs Linux 6.17, or 'sysctl -w"
                                + " net.ipv6.conf.all.forwarding=1'."));
    }

    /// One of those that lead out of a plain user's networks does so by IPv4 alone.
    static Optional<String> lackOfGuide() {
        return HubProcesses.guide()
                .filter(guide -> !guide.endsWith("pasta"))
                .map(guide ->
                        ALONE + "so does " + guide.getFileName() + ". Install pasta with 'apt-get install passt'.");
    }

    private static Optional<String> lackOfRoute() {
        try {
            return uplinks(routes()).isEmpty() ? Optional.of(NO_ROUTE) : Optional.empty();
        } catch (IOException e) {
            return Optional.of(NO_ROUTE);
        }
    }

    /// Whether the kernel knows it at all.
    static boolean isKnown() {
        return Files.exists(SETTINGS);
    }

    static List<String> routes() throws IOException {
        return Files.readAllLines(ROUTES);
    }

    /// The links by which the world is reached.
    ///
    /// @param routes as the kernel lists them in `/proc/net/ipv6_route`
    static List<String> uplinks(List<String> routes) {
        return routes.stream()
                .map(line -> line.strip().split("\\s+", -1))
                .filter(fields -> fields.length == 10
                        && fields[0].equals(EVERYWHERE)
                        && fields[1].equals("00")
                        && (Integer.parseUnsignedInt(fields[8], 16) & REFUSED) == 0
                        && !fields[9].equals("lo"))
                .map(fields -> fields[9])
                .distinct()
                .toList();
    }

    /// Whether this machine passes on what is not for it, from wherever it comes.
    static boolean isPassedOn() {
        try {
            return Files.readString(SETTINGS.resolve("all/forwarding")).strip().equals("1");
        } catch (IOException e) {
            return false;
        }
    }

    /// Whether a link has an address that it did not give itself.
    ///
    /// @param addresses as the kernel lists them in `/proc/net/if_inet6`
    static boolean isHeldBy(String link, Path addresses) throws IOException {
        try {
            return Files.readAllLines(addresses).stream()
                    .map(line -> line.strip().split("\\s+", -1))
                    .anyMatch(fields ->
                            fields.length == 6 && fields[5].equals(link) && !fields[0].startsWith(LINK_LOCAL));
        } catch (NoSuchFileException e) {
            return false; // the kernel knows no IPv6
        }
    }
}
