package dev.towtank.node.network;

import dev.towtank.node.linux.NetworkDoors;
import dev.towtank.node.linux.NetworkNamespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The way out of a pods' network, and the walls around it: rules of the kernel, a table for each bridge.
final class Firewall {

    private static final long PATIENCE_SECONDS = 10;

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
