import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.Spawn;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/// Pods over the API: how long one takes from its creation until it is seen as Succeeded, how many a second, what one
/// that sleeps costs the server, and what ten thousand at once do to it. Beside them a bare sandbox and a bare process.
final class Pods {

    private static final int ONE_AFTER_ANOTHER = 200;
    private static final int WARM = 4000;
    private static final int THREADS = 4;
    private static final int CLIENTS = 8;
    private static final String PODS = "/api/v1/namespaces/bench/pods";
    private static final List<String> BARE = List.of(
            "bwrap", "--unshare-user", "--disable-userns", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--as-pid-1",
            "--cap-drop", "ALL", "--tmpfs", "/", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink",
            "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "--", "/bin/true");
    private static final Pattern USED = Pattern.compile("total \\d+K, used (\\d+)K"); // of each generation

    private final URI server;
    private final long pid;
    private final Wire wire;
    private final Map<String, CountDownLatch> succeeded = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> running = new ConcurrentHashMap<>();
    private final int none;

    private Pods(String server, long pid) throws Exception {
        this.server = URI.create(server);
        this.pid = pid;
        this.wire = connect();
        this.none = Descriptors.open(Path.of("/dev/null"), Descriptors.READ_WRITE, 0);
    }

    public static void main(String[] arguments) throws Exception {
        var bench = new Pods(arguments[0], Long.parseLong(arguments[1]));
        bench.wire.ask("POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"bench\"}}", 201);
        bench.watch();
        for (var what : String.join(" ", Arrays.copyOfRange(arguments, 2, arguments.length)).split(" ")) {
            switch (what) {
                case "first" -> bench.one("one after another, at first", 0);
                case "one" -> bench.one("one after another", ONE_AFTER_ANOTHER);
                case "warm" -> bench.warm();
                case "rate" -> bench.rate();
                case "idle" -> bench.idle();
                case "many" -> bench.many();
                default -> throw new IllegalArgumentException("there is no measurement " + what);
            }
            bench.clean();
        }
        System.exit(0);
    }

    private Wire connect() throws Exception {
        return new Wire(server, System.getenv("TOKEN"));
    }

    /// A server that runs for days has compiled its code.
    private void warm() throws Exception {
        for (int i = 0; i < WARM / 1000; i++) {
            System.out.printf("%-34s %10.0f%n", "to warm up, pods a second", complete("warm-" + i, 1000));
            clean();
        }
    }

    private void one(String what, int before) throws Exception {
        Stopwatch.Run process = _ -> bare(Path.of("/bin/true"), List.of("true"));
        Stopwatch.Run bubblewrap = _ -> bare(Path.of("/usr/bin/bwrap"), BARE);
        Stopwatch.Run pod = number -> {
            var name = "one-" + number + "-" + System.nanoTime();
            create(wire, name, "true").await();
        };
        System.out.printf("%-34s %10s %10s%n", what, "p50 ms", "p95 ms");
        for (var each : List.of(Map.entry("bare process", process), Map.entry("bare bubblewrap", bubblewrap), Map.entry("pod", pod))) {
            Stopwatch.timed(each.getValue(), before); // to warm up
            var times = Stopwatch.timed(each.getValue(), ONE_AFTER_ANOTHER);
            System.out.printf(
                    "%-34s %10.2f %10.2f%n",
                    each.getKey(), times[times.length / 2] / 1e6, times[times.length * 95 / 100] / 1e6);
        }
    }

    private void rate() throws Exception {
        int count = 1000;
        System.out.printf("%-34s %10s%n", count + " at once", "per second");
        System.out.printf("%-34s %10.0f%n", "bare process", Stopwatch.perSecond(_ -> bare(Path.of("/bin/true"), List.of("true")), count, THREADS));
        System.out.printf("%-34s %10.0f%n", "bare bubblewrap", Stopwatch.perSecond(_ -> bare(Path.of("/usr/bin/bwrap"), BARE), count, THREADS));
        System.out.printf("%-34s %10.0f%n", "pods", complete("rate", count));
    }

    /// How many a second.
    private double complete(String prefix, int count) throws Exception {
        long from = System.nanoTime();
        createAll(prefix, count, "true");
        for (int i = 0; i < count; i++) {
            succeeded.get(prefix + "-" + i).await();
        }
        return count * 1e9 / (System.nanoTime() - from);
    }

    private void idle() throws Exception {
        int count = 500;
        create(wire, "warm", "true").await();
        long before = heap();
        createAll("idle", count, "sleep 100000");
        for (int i = 0; i < count; i++) {
            running.get("idle-" + i).await();
        }
        long after = heap();
        System.out.printf("%-34s %10d%n", "heap of an idle pod, KiB", (after - before) / count);
        System.out.printf("%-34s %10d%n", "resident with " + count + ", MiB", resident());
    }

    private void many() throws Exception {
        int count = 10_000;
        var over = new AtomicBoolean();
        var slowest = new long[1];
        var asking = Thread.ofPlatform().start(() -> {
            try (var own = connect()) {
                while (!over.get()) {
                    long from = System.nanoTime();
                    own.ask("GET", "/api/v1/namespaces", "", 200);
                    slowest[0] = Math.max(slowest[0], System.nanoTime() - from);
                }
            } catch (Exception e) {
                System.err.println("the API does not answer: " + e);
                System.exit(1);
            }
        });
        long from = System.nanoTime();
        createAll("many", count, "true");
        System.out.printf("%-34s %10.1f%n", count + " pods created, s", (System.nanoTime() - from) / 1e9);
        for (int i = 0; i < count; i++) {
            succeeded.get("many-" + i).await();
        }
        System.out.printf("%-34s %10.1f%n", "all Succeeded, s", (System.nanoTime() - from) / 1e9);
        over.set(true);
        asking.join();
        System.out.printf("%-34s %10.0f%n", "slowest answer meanwhile, ms", slowest[0] / 1e6);
        System.out.printf("%-34s %10d%n", "heap then, MiB", heap() / 1024);
    }

    private void createAll(String prefix, int count, String command) throws Exception {
        var next = new AtomicInteger();
        try (var executor = Executors.newFixedThreadPool(CLIENTS)) {
            for (int i = 0; i < CLIENTS; i++) {
                executor.submit(() -> {
                    try (var own = connect()) {
                        for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                            create(own, prefix + "-" + number, command);
                        }
                    } catch (Exception e) {
                        System.err.println("cannot create pods: " + e);
                        System.exit(1);
                    }
                });
            }
        }
    }

    private CountDownLatch create(Wire over, String name, String command) throws Exception {
        var latch = new CountDownLatch(1);
        succeeded.put(name, latch);
        running.put(name, new CountDownLatch(1));
        var line = "\"" + String.join("\",\"", command.split(" ")) + "\"";
        over.ask("POST", PODS, """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},"spec":{"restartPolicy":"Never",\
                "terminationGracePeriodSeconds":0,"containers":[{"name":"c","image":"debian","command":[%s]}]}}""".formatted(name, line), 201);
        return latch;
    }

    private void clean() throws Exception {
        while (!wire.ask("GET", PODS + "?limit=1", "", 200).contains("\"items\":[]")) {
            // Of very many a part only goes in one request's time.
            wire.ask("DELETE", PODS + "?gracePeriodSeconds=0", "", 200);
        }
        succeeded.clear();
        running.clear();
    }

    private void watch() throws Exception {
        var watching = connect();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                watching.watch(PODS + "?watch=true", this::seen);
            } catch (Exception e) {
                System.err.println("the watch failed: " + e);
                System.exit(1);
            }
        });
    }

    private boolean seen(String event) {
        var phase = value(event, "\"phase\":\"");
        if (phase.equals("Failed")) {
            System.err.println("a pod failed: " + event);
            System.exit(1);
        }
        var latches = phase.equals("Succeeded") ? succeeded : phase.equals("Running") ? running : Map.<String, CountDownLatch>of();
        var latch = latches.get(value(event, "\"name\":\""));
        if (latch != null) {
            latch.countDown();
        }
        return true;
    }

    /// The first member of that name: of the object's metadata, or of its status.
    private static String value(String event, String member) {
        int from = event.indexOf(member) + member.length();
        return from < member.length() ? "" : event.substring(from, event.indexOf('"', from));
    }

    private long heap() throws Exception {
        var java = Path.of("/proc/" + pid + "/exe").toRealPath().resolveSibling("jcmd").toString();
        run(java, Long.toString(pid), "GC.run");
        return USED.matcher(run(java, Long.toString(pid), "GC.heap_info"))
                .results()
                .mapToLong(generation -> Long.parseLong(generation.group(1)))
                .sum();
    }

    private static String run(String... command) throws Exception {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private long resident() throws Exception {
        try (var lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                    .findFirst()
                    .orElse(-1);
        }
    }

    private void bare(Path program, List<String> line) throws Exception {
        int process = Spawn.start(new Spawn.Program(
                program, line, List.of(), List.of(none, none, none), Optional.empty(), Optional.empty()));
        Processes.await(process);
    }
}
