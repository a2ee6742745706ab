package dev.towtank.node.pods;

import dev.towtank.cluster.pods.Usage;
import dev.towtank.model.BoundedMap;
import dev.towtank.node.linux.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/// What containers use: how much more they ran on processors than when somebody last asked. Nobody is measured whom
/// nobody asks for.
final class UsageMeter {

    /// Who asks sooner gets the same answer again: over a shorter time, a hundredth of a second would be too coarse.
    static final Duration SHORTEST = Duration.ofSeconds(5);

    private static final int REMEMBERED = 10_000;
    private static final long NANOS_PER_TICK = 10_000_000;
    private static final String MACHINE = "";

    private static final Pattern TOTAL = Pattern.compile("MemTotal:\\s+(\\d+) kB");
    private static final Pattern AVAILABLE = Pattern.compile("MemAvailable:\\s+(\\d+) kB");

    /// @param ticks until then
    private record Reading(Instant at, long ticks) {}

    /// @param base where the next answer begins
    private record Known(Reading base, Usage usage) {}

    private final InstantSource clock;

    // Guarded by its own monitor; by the time of the last question.
    private final Map<String, Known> known = BoundedMap.byUse(REMEMBERED);

    UsageMeter(InstantSource clock) {
        this.clock = clock;
    }

    /// Empty for a container whose processes this machine cannot tell from others.
    Optional<Usage> of(ContainerRun run) {
        var process = run.process();
        var number = process.map(running -> running.number()).orElse(OptionalInt.empty());
        if (process.isEmpty() || number.isEmpty()) {
            return Optional.empty();
        }
        return ProcessTree.of(number.getAsInt())
                .map(tree -> measured(run.id(), process.get().startedAt(), tree));
    }

    Optional<Usage> ofMachine() {
        try {
            var words = Files.readString(Path.of("/proc/stat"))
                    .lines()
                    .findFirst()
                    .orElse("")
                    .split(" +", -1);
            // user, nice, system; then idle and waiting; then interrupts
            long ticks = 0;
            for (int field : new int[] {1, 2, 3, 6, 7}) {
                ticks += Long.parseLong(words[field]);
            }
            var memory = Files.readString(Path.of("/proc/meminfo"));
            long used = kilobytes(TOTAL, memory) - kilobytes(AVAILABLE, memory);
            var up = Files.readString(Path.of("/proc/uptime")).split("[. ]", -1)[0];
            var started = clock.instant().minusSeconds(Long.parseLong(up));
            return Optional.of(measured(MACHINE, started, new ProcessTree(ticks, used * 1024)));
        } catch (IOException | RuntimeException e) {
            return Optional.empty(); // not every machine tells
        }
    }

    private static long kilobytes(Pattern pattern, String text) {
        var found = pattern.matcher(text);
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    /// @param started what is asked for the first time is measured from its beginning
    Usage measured(String id, Instant started, ProcessTree tree) {
        var now = new Reading(clock.instant(), tree.ticks());
        synchronized (known) {
            var last = known.get(id);
            if (last != null && now.at.isBefore(last.base.at.plus(SHORTEST))) {
                return last.usage;
            }
            var usage = between(last == null ? new Reading(started, 0) : last.base, now, tree.memoryBytes());
            known.put(id, new Known(now, usage));
            return usage;
        }
    }

    private static Usage between(Reading first, Reading last, long memoryBytes) {
        var window = Duration.between(first.at, last.at);
        double seconds = Math.max(0.001, window.toNanos() / 1e9);
        // Children that nobody waited for take what they used with them.
        double nanos = Math.max(0, last.ticks - first.ticks) * (double) NANOS_PER_TICK;
        return new Usage(last.at, window, Math.round(nanos / seconds), memoryBytes);
    }
}
