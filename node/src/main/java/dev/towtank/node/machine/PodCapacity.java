package dev.towtank.node.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// How many pods may be on this machine at once. Those beyond wait until others have ended.
///
/// Kubernetes says 110 for every machine, for the sake of its network. What bounds pods that are plain processes is
/// memory, and how many processes and open files there may be.
public final class PodCapacity {

    private static final long FEWEST = 110;
    private static final long MOST = 5000;

    /// For each pod. A pod that only sleeps needs a fraction of it.
    private static final long MEMORY = 8 << 20;

    private static final long PROCESSES = 8;
    private static final long FILES = 8;

    private static final int LONGEST = 1 << 14;

    private static final Pattern LIMIT = Pattern.compile("(?m)^(Max processes|Max open files) +\\S+ +(\\S+)");

    private PodCapacity() {}

    /// @param limits as in `/proc/self/limits`
    /// @param processNumbers as in `/proc/sys/kernel/pid_max`
    static int of(long memoryBytes, String limits, long processNumbers) {
        long pods = Math.min(memoryBytes / MEMORY, processNumbers / PROCESSES);
        var matcher = LIMIT.matcher(limits);
        while (matcher.find()) {
            var limit = number(matcher.group(2));
            if (limit.isPresent()) {
                pods = Math.min(pods, limit.getAsLong() / (matcher.group(1).endsWith("files") ? FILES : PROCESSES));
            }
        }
        return (int) Math.clamp(pods, FEWEST, MOST);
    }

    public static int of(Machine machine) {
        return of(
                machine.memoryBytes(),
                text("/proc/self/limits"),
                number(text("/proc/sys/kernel/pid_max").strip()).orElse(Long.MAX_VALUE));
    }

    private static OptionalLong number(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty(); // unlimited
        }
    }

    /// At once: of a setting of the kernel only the first read gives anything.
    private static String text(String file) {
        try (var in = Files.newInputStream(Path.of(file))) {
            return new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
