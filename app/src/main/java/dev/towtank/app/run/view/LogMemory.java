package dev.towtank.app.run.view;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// The last lines of a run, and of each of its steps: few enough to be kept.
final class LogMemory {

    private static final int OF_ALL = 64;
    private static final int OF_STEP = 16;
    private static final int STEPS = 1000;

    private record Key(String run, String pod, String step) {}

    private final Deque<LogLine> last = new ArrayDeque<>();
    private final Map<Key, Deque<LogLine>> byStep = new LinkedHashMap<>();
    private long total;

    void add(LogLine line) {
        total += line.isOfSidecar() ? 0 : 1;
        keep(last, line, OF_ALL);
        if (byStep.size() < STEPS || byStep.containsKey(key(line))) {
            keep(byStep.computeIfAbsent(key(line), _ -> new ArrayDeque<>()), line, OF_STEP);
        }
    }

    private static Key key(LogLine line) {
        return new Key(line.run(), line.pod(), line.step());
    }

    private static void keep(Deque<LogLine> lines, LogLine line, int most) {
        lines.addLast(line);
        if (lines.size() > most) {
            lines.removeFirst();
        }
    }

    List<LogLine> last(Predicate<LogLine> isWanted) {
        return last.stream().filter(isWanted).toList();
    }

    /// The last lines of every step.
    List<LogLine> ofSteps() {
        var all = new ArrayList<LogLine>();
        byStep.values().forEach(all::addAll);
        return all;
    }

    /// How many lines steps have written.
    long total() {
        return total;
    }
}
