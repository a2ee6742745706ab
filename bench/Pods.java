import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.Spawn;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
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
import java.util.regex.Pattern;

/// Pods over the API: how long one takes from its creation until it is seen as Succeeded, how many a second, what one
/// that sleeps costs the server, and what ten thousand at once do to it. Beside them a bare sandbox and a bare process.
final class Pods {

    private static final int ONE_AFTER_ANOTHER = 200;
    private static final int THREADS = 4;
    private static final List<String> BARE = List.of(
            "bwrap", "--unshare-user", "--disable-userns", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--as-pid-1",
            "--cap-drop", "ALL", "--tmpfs", "/", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink",
            "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "--", "/bin/true");
    private static final Pattern NAME = Pattern.compile("\"metadata\":\\{[^{}]*?\"name\":\"([^\"]+)\"");
    private static final Pattern PHASE = Pattern.compile("\"phase\":\"([A-Za-z]+)\"");
    private static final Pattern USED = Pattern.compile("total \\d+K, used (\\d+)K"); // of each generation

    private final String server;
    private final long pid;
    private final String token = System.getenv("TOKEN");
    private final HttpClient client;
    private final Map<String, CountDownLatch> succeeded = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> running = new ConcurrentHashMap<>();
    private final int none;

    private Pods(String server, long pid) throws Exception {
        this.server = server;
        this.pid = pid;
        this.client = AnyServer.client();
        this.none = Descriptors.open(Path.of("/dev/null"), Descriptors.READ_WRITE, 0);
    }

    public static void main(String[] arguments) throws Exception {
        var bench = new Pods(arguments[0], Long.parseLong(arguments[1]));
        bench.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"bench\"}}");
        bench.watch();
        for (var what : String.join(" ", Arrays.copyOfRange(arguments, 2, arguments.length)).split(" ")) {
            switch (what) {
                case "one" -> bench.one();
                case "rate" -> bench.rate();
                case "idle" -> bench.idle();
                case "many" -> bench.many();
                default -> throw new IllegalArgumentException("there is no measurement " + what);
            }
            bench.clean();
        }
        System.exit(0);
    }

    private void one() throws Exception {
        Stopwatch.Run process = _ -> bare(Path.of("/bin/true"), List.of("true"));
        Stopwatch.Run bubblewrap = _ -> bare(Path.of("/usr/bin/bwrap"), BARE);
        Stopwatch.Run pod = number -> {
            var name = "one-" + number + "-" + System.nanoTime();
            create(name, "true").await();
        };
        System.out.printf("%-34s %10s %10s%n", "one after another", "p50 ms", "p95 ms");
        for (var each : List.of(Map.entry("bare process", process), Map.entry("bare bubblewrap", bubblewrap), Map.entry("pod", pod))) {
            Stopwatch.timed(each.getValue(), ONE_AFTER_ANOTHER); // to warm up
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
        long from = System.nanoTime();
        createAll("rate", count, "true");
        for (int i = 0; i < count; i++) {
            succeeded.get("rate-" + i).await();
        }
        System.out.printf("%-34s %10.0f%n", "pods", count * 1e9 / (System.nanoTime() - from));
    }

    private void idle() throws Exception {
        int count = 500;
        create("warm", "true").await();
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
            while (!over.get()) {
                long from = System.nanoTime();
                try {
                    send(request("/api/v1/namespaces").GET().build(), 200);
                } catch (Exception e) {
                    System.err.println("the API does not answer: " + e);
                    System.exit(1);
                }
                slowest[0] = Math.max(slowest[0], System.nanoTime() - from);
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
        try (var executor = Executors.newFixedThreadPool(16)) {
            for (int i = 0; i < count; i++) {
                var name = prefix + "-" + i;
                executor.submit(() -> {
                    try {
                        create(name, command);
                    } catch (Exception e) {
                        System.err.println("cannot create " + name + ": " + e);
                        System.exit(1);
                    }
                });
            }
        }
    }

    private CountDownLatch create(String name, String command) throws Exception {
        var latch = new CountDownLatch(1);
        succeeded.put(name, latch);
        running.put(name, new CountDownLatch(1));
        var line = "\"" + String.join("\",\"", command.split(" ")) + "\"";
        post("/api/v1/namespaces/bench/pods", """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},"spec":{"restartPolicy":"Never",\
                "terminationGracePeriodSeconds":0,"containers":[{"name":"c","image":"debian","command":[%s]}]}}""".formatted(name, line));
        return latch;
    }

    private void post(String path, String body) throws Exception {
        send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)).build(), 201);
    }

    private void clean() throws Exception {
        while (!send(request("/api/v1/namespaces/bench/pods?limit=1").GET().build(), 200).contains("\"items\":[]")) {
            // Of very many a part only goes in one request's time.
            client.send(request("/api/v1/namespaces/bench/pods?gracePeriodSeconds=0").DELETE().build(), BodyHandlers.ofString());
        }
    }

    private String send(HttpRequest request, int expected) throws Exception {
        var response = client.send(request, BodyHandlers.ofString());
        if (response.statusCode() != expected) {
            throw new IllegalStateException(response.body());
        }
        return response.body();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server + path)).header("Authorization", "Bearer " + token);
    }

    private void watch() throws Exception {
        var response = client.send(request("/api/v1/namespaces/bench/pods?watch=true").build(), BodyHandlers.ofInputStream());
        Thread.ofPlatform().daemon().start(() -> {
            try (var lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
                for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                    seen(line);
                }
                throw new IllegalStateException("it ended");
            } catch (Exception e) {
                System.err.println("the watch failed: " + e);
                System.exit(1);
            }
        });
    }

    private void seen(String line) {
        var name = NAME.matcher(line);
        var phase = PHASE.matcher(line);
        if (!name.find() || !phase.find()) {
            return;
        }
        if (phase.group(1).equals("Failed")) {
            System.err.println("a pod failed: " + line);
            System.exit(1);
        }
        var latches = phase.group(1).equals("Succeeded") ? succeeded : phase.group(1).equals("Running") ? running : Map.<String, CountDownLatch>of();
        var latch = latches.get(name.group(1));
        if (latch != null) {
            latch.countDown();
        }
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
