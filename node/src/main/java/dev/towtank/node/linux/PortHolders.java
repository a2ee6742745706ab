package dev.towtank.node.linux;

import java.io.IOException;
import java.net.Inet4Address;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Which processes have a port of the machine's network. The kernel takes its time to tell: for when a port that is
/// needed is taken.
public final class PortHolders {

    private static final Path NETWORK = Path.of("/proc/self/net");
    private static final String LISTENING = "0A";
    private static final String EVERYWHERE = "00000000";
    private static final String OLD_IN_NEW = "0000000000000000FFFF0000";
    private static final int STATE = 3;
    private static final int NUMBER = 9;

    private PortHolders() {}

    /// @param everywhere whether those count, too, who have the port of all addresses
    public static List<Integer> of(boolean udp, Inet4Address address, int port, boolean everywhere) {
        var wanted = new HashSet<String>();
        var old = reversed(address.getAddress());
        wanted.addAll(List.of(old, OLD_IN_NEW + old));
        if (everywhere) {
            wanted.addAll(List.of(EVERYWHERE, EVERYWHERE.repeat(4)));
        }
        var sockets = new HashSet<String>();
        for (var table : udp ? List.of("udp", "udp6") : List.of("tcp", "tcp6")) {
            sockets.addAll(sockets(NETWORK.resolve(table), wanted, "%04X".formatted(port), udp));
        }
        return sockets.isEmpty() ? List.of() : holders(sockets);
    }

    /// As the kernel writes it on the machines that this runs on.
    private static String reversed(byte[] address) {
        return "%02X%02X%02X%02X".formatted(address[3], address[2], address[1], address[0]);
    }

    private static Set<String> sockets(Path table, Set<String> addresses, String port, boolean anyState) {
        var found = new HashSet<String>();
        try {
            for (var line : Files.readAllLines(table)) {
                var fields = line.strip().split("\\s+", -1);
                var local = fields.length > NUMBER
                        ? fields[1].toUpperCase(Locale.ROOT).split(":", 2)
                        : new String[0];
                if (local.length == 2
                        && addresses.contains(local[0])
                        && local[1].equals(port)
                        && (anyState || fields[STATE].equals(LISTENING))) {
                    found.add("socket:[" + fields[NUMBER] + "]");
                }
            }
        } catch (IOException e) {
            // a kernel without this protocol
        }
        return found;
    }

    private static List<Integer> holders(Set<String> sockets) {
        var holders = new ArrayList<Integer>();
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (var process : processes) {
                if (holds(process, sockets)) {
                    holders.add(Integer.parseInt(process.getFileName().toString()));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // no processes to be seen
        }
        return holders;
    }

    private static boolean holds(Path process, Set<String> sockets) {
        try (var files = Files.newDirectoryStream(process.resolve("fd"))) {
            for (var file : files) {
                if (sockets.contains(Files.readSymbolicLink(file).toString())) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // it has ended, or is somebody else's
        }
        return false;
    }
}
