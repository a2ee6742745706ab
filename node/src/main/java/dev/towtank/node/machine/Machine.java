package dev.towtank.node.machine;

import dev.towtank.node.network.PodNetworks;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// What this machine is.
///
/// @param address by which others call it
public record Machine(
        String hostname,
        String address,
        int processors,
        long memoryBytes,
        long diskBytes,
        String machineId,
        String bootId,
        String kernel,
        String system,
        String architecture) {

    private static final Pattern MEMORY = Pattern.compile("MemTotal:\\s+(\\d+) kB");
    private static final Pattern SYSTEM = Pattern.compile("(?m)^PRETTY_NAME=\"?([^\"\n]*)");

    private static final Map<String, String> ARCHITECTURES =
            Map.of("amd64", "amd64", "x86_64", "amd64", "aarch64", "arm64");

    /// @param data whose disk pods use
    public static Machine read(Path data) throws IOException {
        var memory = MEMORY.matcher(text("/proc/meminfo"));
        var system = SYSTEM.matcher(text("/etc/os-release"));
        var architecture = System.getProperty("os.arch");
        return new Machine(
                nodeName(text("/proc/sys/kernel/hostname").strip()),
                primaryAddress().orElse("127.0.0.1"),
                Runtime.getRuntime().availableProcessors(),
                memory.find() ? Long.parseLong(memory.group(1)) * 1024 : 0,
                Files.getFileStore(data).getTotalSpace(),
                text("/etc/machine-id").strip(),
                text("/proc/sys/kernel/random/boot_id").strip(),
                text("/proc/sys/kernel/osrelease").strip(),
                system.find() ? system.group(1) : "Linux",
                ARCHITECTURES.getOrDefault(architecture, architecture));
    }

    private static String text(String path) {
        try {
            return Files.readString(Path.of(path));
        } catch (IOException e) {
            return ""; // not every machine tells everything
        }
    }

    private static String nodeName(String hostname) {
        var name = hostname.toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9.-]", "-")
                .replaceAll("^[^a-z0-9]+|[^a-z0-9]+$", "");
        return name.isEmpty() ? "towtank" : name;
    }

    private static Optional<String> primaryAddress() {
        try {
            return Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                    .filter(each -> {
                        try {
                            return each.isUp()
                                    && !each.isLoopback()
                                    && !each.getName().startsWith(PodNetworks.BRIDGES);
                        } catch (SocketException e) {
                            return false;
                        }
                    })
                    .flatMap(each -> Collections.list(each.getInetAddresses()).stream())
                    .filter(address -> address instanceof Inet4Address && !address.isLinkLocalAddress())
                    .map(address -> address.getHostAddress())
                    .findFirst();
        } catch (SocketException e) {
            return Optional.empty();
        }
    }
}
