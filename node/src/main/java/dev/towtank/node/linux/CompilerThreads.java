package dev.towtank.node.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The threads in which the JVM optimizes code. While a server starts, on few cores, they take the time of the start
/// itself for code that may never run again: a lower priority lets it go first.
public final class CompilerThreads {

    private static final Path OWN = Path.of("/proc/self/task");
    private static final String OPTIMIZING = "C2 Compiler";
    private static final int A_THREAD = 0; // PRIO_PROCESS
    private static final int BACKGROUND = 5;
    private static final int LOWEST = 19;

    private final List<Integer> threads;
    private final int usual;

    private CompilerThreads(List<Integer> threads) {
        this.threads = threads;
        this.usual = 20 - (int) Call.GETPRIORITY.raw(A_THREAD, 0, 0, 0, 0, 0); // so the kernel tells it
    }

    /// Those of this process, out of the way from now on.
    public static CompilerThreads stepBack() {
        var compilers = new CompilerThreads(find());
        compilers.set(Math.min(compilers.usual + BACKGROUND, LOWEST));
        return compilers;
    }

    /// An ordinary user may not raise a priority again, unless the machine's limits allow it: then they stay behind.
    public void comeBack() {
        set(usual);
    }

    private void set(int priority) {
        for (int thread : threads) {
            Call.SETPRIORITY.raw(A_THREAD, thread, priority, 0, 0, 0);
        }
    }

    private static List<Integer> find() {
        var found = new ArrayList<Integer>();
        try (var tasks = Files.newDirectoryStream(OWN)) {
            for (var task : tasks) {
                if (Files.readString(task.resolve("comm")).startsWith(OPTIMIZING)) {
                    found.add(Integer.parseInt(task.getFileName().toString()));
                }
            }
        } catch (IOException e) {
            // a thread has ended meanwhile, or this is no Linux: nothing depends on it
        }
        return found;
    }
}
