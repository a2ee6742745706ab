package dev.towtank.node.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// What a process and all that it started use together.
///
/// @param ticks on processors, in hundredths of a second, since they were started
/// @param memoryBytes that belong to nobody else
public record ProcessTree(long ticks, long memoryBytes) {

    /// A tree that grows while it is looked at must end somewhere.
    private static final int MOST = 100_000;

    private static final long PAGE = 4096;

    /// Empty when the process has ended.
    public static Optional<ProcessTree> of(int root) {
        if (Processes.started(root).isEmpty()) {
            return Optional.empty();
        }
        long ticks = 0;
        long memory = 0;
        for (int pid : members(root)) {
            ticks += Processes.ticks(pid).orElse(0);
            memory += memory(pid);
        }
        return Optional.of(new ProcessTree(ticks, memory));
    }

    /// The process and all that descend from it, as far as they are there.
    public static Set<Integer> members(int root) {
        var seen = new LinkedHashSet<Integer>();
        var open = new ArrayDeque<Integer>();
        open.add(root);
        while (!open.isEmpty() && seen.size() < MOST) {
            int pid = open.remove();
            if (seen.add(pid)) {
                addChildren(pid, open);
            }
        }
        return seen;
    }

    /// What is in memory but is not shared, as files and programs are.
    private static long memory(int pid) {
        try {
            var numbers = Files.readString(Path.of("/proc/" + pid + "/statm")).split(" ", -1);
            return (Long.parseLong(numbers[1]) - Long.parseLong(numbers[2])) * PAGE;
        } catch (IOException | UncheckedIOException e) {
            return 0; // it has ended since
        }
    }

    /// Every thread has children of its own.
    private static void addChildren(int pid, ArrayDeque<Integer> open) {
        try (var threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (var thread : threads) {
                for (var child : Files.readString(thread.resolve("children")).split(" ", -1)) {
                    if (!child.isBlank()) {
                        open.add(Integer.parseInt(child.strip()));
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // it has ended since
        }
    }
}
