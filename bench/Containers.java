import dev.towtank.node.images.Image;
import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.Spawn;
import dev.towtank.node.sandbox.ContainerSpec;
import dev.towtank.node.sandbox.Sandbox;
import dev.towtank.node.sandbox.Sandboxes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// How long a container takes from its start to its seen end, and how many a second, beside a bare sandbox with the
/// same walls and a bare process; and what a container that just runs costs in memory.
final class Containers {

    private static final int THREADS = 4;
    private static final List<String> BARE = List.of(
            "bwrap",
            "--unshare-user",
            "--disable-userns",
            "--unshare-pid",
            "--unshare-ipc",
            "--unshare-uts",
            "--as-pid-1",
            "--cap-drop",
            "ALL",
            "--tmpfs",
            "/",
            "--ro-bind",
            "/usr",
            "/usr",
            "--symlink",
            "usr/bin",
            "/bin",
            "--symlink",
            "usr/lib",
            "/lib",
            "--symlink",
            "usr/lib64",
            "/lib64",
            "--proc",
            "/proc",
            "--dev",
            "/dev",
            "--",
            "/bin/true");

    public static void main(String[] arguments) throws Exception {
        int count = Integer.parseInt(arguments[0]);
        var home = Files.createTempDirectory("towtank-bench");
        int none = Descriptors.open(Path.of("/dev/null"), Descriptors.READ_WRITE, 0);
        try (var sandbox = Sandboxes.bubblewrap(home.resolve("shared"), InstantSource.system())) {
            Stopwatch.Run process = _ -> bare(none, Path.of("/bin/true"), List.of("true"));
            Stopwatch.Run bubblewrap = _ -> bare(none, Path.of("/usr/bin/bwrap"), BARE);
            Stopwatch.Run alone = number -> container(sandbox, home, "alone-" + number, true);
            Stopwatch.Run container = number -> container(sandbox, home, "run-" + number, false);
            for (int warm = 0; warm < 2; warm++) {
                for (var run : List.of(process, bubblewrap, alone, container)) {
                    Stopwatch.timed(run, count / 4);
                }
            }
            System.out.printf("%-24s %10s %10s %12s%n", "start to seen end", "p50 ms", "p95 ms", "per second");
            report("bare process", process, count);
            report("bare bubblewrap", bubblewrap, count);
            report("container of one user", alone, count);
            report("container", container, count);
            System.out.printf("%-24s %10d%n", "bytes per idle container", idle(sandbox, home, Math.min(count, 200)));
        }
    }

    private static void bare(int none, Path program, List<String> line) throws Exception {
        int pid = Spawn.start(new Spawn.Program(
                program, line, List.of(), List.of(none, none, none), Optional.empty(), Optional.empty()));
        Processes.await(pid);
    }

    private static void container(Sandbox sandbox, Path home, String id, boolean alone) throws Exception {
        var spec = spec(home, id, alone, "/bin/true");
        sandbox.start(spec).await();
        sandbox.remove(spec.id(), spec.directory());
    }

    private static ContainerSpec spec(Path home, String id, boolean alone, String... command) {
        var image = new Image(
                "bench", new Image.Root.Host(), Image.Shell.DASH, List.of(), List.of(), "", "", Map.of(), Map.of());
        return new ContainerSpec(
                id,
                home.resolve(id),
                home.resolve(id + "-log"),
                new ContainerSpec.Command(image, List.of(command), Map.of(), "", false),
                new ContainerSpec.View(
                        List.of(), Optional.empty(), "bench", new ContainerSpec.Network.Machine(), false),
                new ContainerSpec.Bounds(ContainerSpec.User.ofImage(), ContainerSpec.Limits.none(), ContainerSpec.Calls.FILTERED, Set.of(), alone),
                ContainerSpec.Streams.PLAIN);
    }

    private static void report(String name, Stopwatch.Run run, int count) throws Exception {
        var times = Stopwatch.timed(run, count);
        System.out.printf(
                "%-24s %10.2f %10.2f %12.0f%n",
                name, times[count / 2] / 1e6, times[count * 95 / 100] / 1e6, Stopwatch.perSecond(run, count, THREADS));
    }

    private static long idle(Sandbox sandbox, Path home, int count) throws Exception {
        long before = used();
        var specs = new ArrayList<ContainerSpec>();
        for (int i = 0; i < count; i++) {
            var spec = spec(home, "idle-" + i, false, "/bin/sleep", "1000");
            sandbox.start(spec);
            specs.add(spec);
        }
        long after = used();
        for (var spec : specs) {
            sandbox.remove(spec.id(), spec.directory());
        }
        return (after - before) / count;
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
