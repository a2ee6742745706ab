package dev.towtank.node.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The threads in which the JVM optimizes code. On few cores they take the time of the work itself, at a start for code
/// that may never run again, later for many seconds: at a lower priority they use what is left, and a little more.
public final class CompilerThreads {

    private static final Path OWN = Path.of("/proc/self/task");
    private static final String OPTIMIZING = "C2 Compiler";
    private static final int A_THREAD = 0; // PRIO_PROCESS
    private static final int BACKGROUND = 5;
    private static final int LOWEST = 19;

    private CompilerThreads() {}

    /// Those of this process, and those that they start later, are out of the way from now on.
    public static void stepBack() {
        int usual = 20 - (int) Call.GETPRIORITY.raw(A_THREAD, 0, 0, 0, 0, 0); // so the kernel tells it
        for (int thread : find()) {
            Call.SETPRIORITY.raw(A_THREAD, thread, Math.min(usual + BACKGROUND, LOWEST), 0, 0, 0);
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
