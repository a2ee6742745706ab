import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// What runs of tasks and pipelines cost as a client sees it: from the request that creates one to the event that says it
/// succeeded.
final class Tekton {

    private static final String TASKS = "/apis/tekton.dev/v1/namespaces/default/tasks";
    private static final String TASK_RUNS = "/apis/tekton.dev/v1/namespaces/default/taskruns";
    private static final String PIPELINE_RUNS = "/apis/tekton.dev/v1/namespaces/default/pipelineruns";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String STEPS = "steps: [{name: s, image: busybox, command: [\"true\"]}]";
    private static final int WIDTH = 100;
    private static final int CLIENTS = 8;
    private static final int WARM = 3000;
    private static final long REST = 150_000;

    private final URI server;
    private final String token;
    private final long pid;
    private Wire wire;
    private final Map<String, CountDownLatch> awaited = new ConcurrentHashMap<>();

    private Tekton(String server, long pid) throws Exception {
        this.server = URI.create(server);
        this.token = System.getenv("TOKEN");
        this.pid = pid;
        this.wire = connect();
    }

    public static void main(String[] arguments) throws Exception {
        var bench = new Tekton(arguments[0], Long.parseLong(arguments[1]));
        bench.watch(TASK_RUNS);
        bench.watch(PIPELINE_RUNS);
        bench.measure(Integer.parseInt(arguments[2]));
        System.exit(0);
    }

    private void measure(int largest) throws Exception {
        create(wire, TASKS, "apiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: nothing}\nspec: {" + STEPS + "}");
        for (int i = 0; i < 40; i++) {
            taskRun("first-" + i);
        }
        pipeline("first", 20, 1);
        print("memory, at first", megabytes(), "MB");
        latencies("before");
        measureRuns("at first");
        for (int i = 0; i < WARM / 1000; i++) {
            print("to warm up, TaskRuns", burst("warm-" + i, 1000), "per second");
        }
        measureRuns("warm");
        for (int tasks : List.of(100, 1000, 10_000)) {
            if (tasks <= largest) {
                print("a pipeline of " + tasks + " tasks, per task", pipeline("large-" + tasks, tasks, WIDTH) / tasks, "ms");
            }
        }
        wire = connect(); // servers close one that nobody used for so long
        print("finished TaskRuns kept", kept(), "");
        latencies("after");
        measureRuns("in the end");
        print("memory, in the end", megabytes(), "MB");
        if (largest > 0) {
            Thread.sleep(REST); // until it has given back what nobody needs any more
            print("memory, after a rest", megabytes(), "MB");
        }
    }

    private void measureRuns(String when) throws Exception {
        one(when);
        print("a chain of 20, per task, " + when, median(5, _ -> pipeline(unique("chain"), 20, 1)) / 20, "ms");
        print("a fan-out of 100, per task, " + when, median(5, _ -> pipeline(unique("fan"), 100, 100)) / 100, "ms");
        print("TaskRuns created at once, " + when, burst(unique("burst"), 300), "per second");
    }

    private void one(String when) throws Exception {
        var times = Stopwatch.timed(_ -> taskRun(unique("one")), 100);
        print("one TaskRun, p50, " + when, times[times.length / 2] / 1e6, "ms");
        print("one TaskRun, p95, " + when, times[times.length * 95 / 100] / 1e6, "ms");
    }

    private interface Measured {
        double milliseconds(int number) throws Exception;
    }

    private static double median(int count, Measured measured) throws Exception {
        var times = new double[count];
        for (int i = 0; i < count; i++) {
            times[i] = measured.milliseconds(i);
        }
        Arrays.sort(times);
        return times[count / 2];
    }

    private static String unique(String prefix) {
        return prefix + "-" + System.nanoTime();
    }

    private void taskRun(String name) throws Exception {
        createTaskRun(wire, name).await();
    }

    private CountDownLatch createTaskRun(Wire over, String name) throws Exception {
        return createRun(over, TASK_RUNS, name, "apiVersion: tekton.dev/v1\nkind: TaskRun\nmetadata: {name: " + name
                + "}\nspec: {taskSpec: {" + STEPS + "}}");
    }

    /// In milliseconds.
    private double pipeline(String name, int tasks, int width) throws Exception {
        var yaml = new StringBuilder("apiVersion: tekton.dev/v1\nkind: PipelineRun\nmetadata: {name: " + name
                + "}\nspec:\n  timeouts: {pipeline: 2h}\n  pipelineSpec:\n    tasks:\n");
        for (int i = 0; i < tasks; i++) {
            yaml.append("    - {name: t").append(i).append(", taskRef: {name: nothing}");
            yaml.append(i < width ? "}\n" : ", runAfter: [t" + (i - width) + "]}\n");
        }
        long from = System.nanoTime();
        createRun(wire, PIPELINE_RUNS, name, yaml.toString()).await();
        return (System.nanoTime() - from) / 1e6;
    }

    private CountDownLatch createRun(Wire over, String path, String name, String yaml) throws Exception {
        var latch = new CountDownLatch(1);
        awaited.put(name, latch);
        create(over, path, yaml);
        return latch;
    }

    private static void create(Wire over, String path, String yaml) throws Exception {
        over.ask("POST", path, JsonText.write(YamlText.parse(yaml)), 201);
    }

    /// How many a second.
    private double burst(String prefix, int count) throws Exception {
        var next = new AtomicInteger();
        var latches = new CountDownLatch[count];
        long from = System.nanoTime();
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.submit(() -> {
                    try (var own = connect()) {
                        for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                            latches[number] = createTaskRun(own, prefix + "-" + number);
                        }
                    } catch (Exception e) {
                        fail("cannot create TaskRuns: " + e);
                    }
                });
            }
        }
        for (var latch : latches) {
            latch.await();
        }
        return count * 1e9 / (System.nanoTime() - from);
    }

    private Wire connect() throws Exception {
        return new Wire(server, token);
    }

    private void watch(String path) throws Exception {
        Thread.ofPlatform().daemon().start(() -> {
            while (true) {
                try (var watching = connect()) {
                    watching.watch(path + "?watch=true", this::seen); // from now on: all that are there, then what changes
                } catch (Exception e) {
                    if (!"the watch ended".equals(e.getMessage())) { // as servers end them after some minutes
                        fail("the watch failed: " + e);
                    }
                }
            }
        });
    }

    private boolean seen(String event) {
        boolean over = event.contains("\"status\":\"True\"") || event.contains("\"status\":\"False\"");
        if (over) {
            var run = JsonText.parseObject(event).object("object");
            var condition = run.object("status").objects("conditions").stream().findFirst().orElse(Json.Obj.EMPTY);
            if (condition.string("status").equals("False")) {
                fail(run.object("metadata").string("name") + ": " + condition.string("message"));
            }
            var latch = awaited.remove(run.object("metadata").string("name"));
            if (latch != null) {
                latch.countDown();
            }
        }
        return true;
    }

    private static void fail(String why) {
        System.err.println(why);
        System.exit(1);
    }

    /// Of requests that have nothing to do with runs.
    private void latencies(String when) throws Exception {
        latency("GET of a TaskRun, p50, " + when, 300, _ -> wire.ask("GET", TASK_RUNS + "/first-0", "", 200));
        latency("LIST of all ConfigMaps, p50, " + when, 50, _ -> wire.ask("GET", "/api/v1/configmaps", "", 200));
        latency("create of a ConfigMap, p50, " + when, 300, i -> create(wire, CONFIG_MAPS,
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m-" + when + "-" + i + "}"));
    }

    private static void latency(String what, int count, Stopwatch.Run request) throws Exception {
        var times = Stopwatch.timed(request, count);
        print(what, times[count / 2] / 1e6, "ms");
    }

    private long kept() throws Exception {
        var first = JsonText.parseObject(wire.ask("GET", TASK_RUNS + "?limit=1", "", 200));
        return 1 + first.object("metadata").integer("remainingItemCount");
    }

    private double megabytes() throws Exception {
        var line = Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status")).stream()
                .filter(each -> each.startsWith("VmRSS:"))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
    }

    private static void print(String what, double value, String unit) {
        System.out.printf("%-45s %10.2f %s%n", what, value, unit);
    }
}
