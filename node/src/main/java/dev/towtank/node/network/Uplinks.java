package dev.towtank.node.network;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.TreeSet;

/// Which links of this machine pass on what is not for it. Where one did not, it does so for pods, and no longer than
/// there
/// are any: what was switched on is written down, and switched off with the last network, whoever made it.
///
/// @param settings a directory for each link, as the kernel has it
/// @param setting the file in there that switches it
/// @param record of those that were switched on; servers take turns with it
record Uplinks(Path settings, String setting, Path record) {

    static final Uplinks OF_THE_MACHINE =
            new Uplinks(Path.of("/proc/sys/net/ipv4/conf"), "forwarding", Path.of("/run/towtank-uplinks"));

    /// With the usual setting a link would also stop to take its addresses from routers.
    static final Uplinks OF_THE_MACHINE_IPV6 =
            new Uplinks(Path.of("/proc/sys/net/ipv6/conf"), "force_forwarding", Path.of("/run/towtank-uplinks-ipv6"));

    // Servers take turns by locking the record, which threads of one cannot.
    private static final Object TURN = new Object();

    /// What is done with the rules while no other server does the same.
    @FunctionalInterface
    interface Rules {
        void set(List<String> shut) throws IOException;
    }

    /// @param rules get those that pass on nothing but what is for pods; they are in force before anything is passed on
    void open(List<String> links, Rules rules) throws IOException {
        synchronized (TURN) {
            openInTurn(links, rules);
        }
    }

    private void openInTurn(List<String> links, Rules rules) throws IOException {
        try (var file = FileChannel.open(
                        record, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                var _ = file.lock()) {
            var opened = new TreeSet<>(Files.readAllLines(record));
            var shut = links.stream()
                    .filter(link -> opened.contains(link) || isShut(link))
                    .toList();
            rules.set(shut);
            opened.addAll(shut);
            Files.write(record, opened);
            for (var link : shut) {
                Files.writeString(forwarding(link), "1");
            }
        }
    }

    /// @param rules are taken away when nothing is passed on any more
    void close(boolean isLast, Rules rules) throws IOException {
        synchronized (TURN) {
            closeInTurn(isLast, rules);
        }
    }

    private void closeInTurn(boolean isLast, Rules rules) throws IOException {
        try (var file = FileChannel.open(
                        record, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                var _ = file.lock()) {
            var opened = Files.readAllLines(record);
            if (isLast) {
                for (var link : opened) {
                    if (Files.exists(forwarding(link))) {
                        Files.writeString(forwarding(link), "0");
                    }
                }
                Files.write(record, List.of());
            }
            rules.set(opened);
        }
    }

    private Path forwarding(String link) {
        return settings.resolve(link).resolve(setting);
    }

    private boolean isShut(String link) {
        try {
            return Files.readString(forwarding(link)).strip().equals("0");
        } catch (IOException e) {
            return false; // such a link has no setting of its own
        }
    }
}
