import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Watch;
import dev.towtank.cluster.remote.RemoteCluster;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.ConfigMaps;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;

/// What runs of tasks and pipelines cost as a client sees it: from the request that creates one to the event that says it
/// succeeded.
final class Tekton {

    private static final Kind<Json.Obj> TASKS = Kind.namespaced("tekton.dev", "v1", "Task", "tasks");
    private static final Kind<Json.Obj> TASK_RUNS = Kind.namespaced("tekton.dev", "v1", "TaskRun", "taskruns");
    private static final Kind<Json.Obj> PIPELINE_RUNS = Kind.namespaced("tekton.dev", "v1", "PipelineRun", "pipelineruns");
    private static final String STEPS = "steps: [{name: s, image: busybox, command: [\"true\"]}]";
    private static final int WIDTH = 100;
    private static final Duration PATIENCE = Duration.ofMinutes(30);
    private static final Duration REST = Duration.ofSeconds(150);

    private final Cluster cluster;
    private final Path data;

    private Tekton(Cluster cluster, Path data) {
        this.cluster = cluster;
        this.data = data;
    }

    public static void main(String[] arguments) throws Exception {
        var data = Path.of(arguments[0]);
        int largest = Integer.parseInt(arguments[1]);
        try (var cluster = RemoteCluster.of(data.resolve("kubeconfig"), Optional.empty())) {
            new Tekton(cluster, data).measure(largest);
        }
    }

    private void measure(int largest) throws Exception {
        create(TASKS, "apiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: nothing}\nspec: {" + STEPS + "}");
        for (int i = 0; i < 40; i++) {
            taskRun("warm-" + i);
        }
        pipeline("warm", 20, 1);
        print("memory, warm", megabytes(), "MB");
        latencies("before");
        one();
        print("a chain of 20, per task", median(5, i -> pipeline("chain-" + i, 20, 1)) / 20, "ms");
        print("a fan-out of 100, per task", median(5, i -> pipeline("fan-" + i, 100, 100)) / 100, "ms");
        print("TaskRuns created at once", 300 / (burst(300) / 1000), "per second");
        for (int tasks : List.of(100, 1000, 10_000)) {
            if (tasks <= largest) {
                var took = pipeline("large-" + tasks, tasks, WIDTH);
                print("a pipeline of " + tasks + " tasks, per task", took.toNanos() / 1e6 / tasks, "ms");
            }
        }
        print("finished TaskRuns kept", cluster.list(TASK_RUNS, Selection.in(LogicalCluster.DEFAULT, "default")).items().size(), "");
        latencies("after");
        one();
        print("memory, in the end", megabytes(), "MB");
        if (largest > 0) {
            Thread.sleep(REST); // until it has given back what nobody needs any more
            print("memory, after a rest", megabytes(), "MB");
        }
    }

    private void one() throws Exception {
        var times = new double[60];
        for (int i = 0; i < times.length; i++) {
            times[i] = taskRun("one-" + System.nanoTime()).toNanos() / 1e6;
        }
        Arrays.sort(times);
        print("one TaskRun, p50", times[times.length / 2], "ms");
        print("one TaskRun, p95", times[times.length * 95 / 100], "ms");
    }

    private interface Measured {
        Duration take(int number) throws Exception;
    }

    private static double median(int count, Measured measured) throws Exception {
        var times = new double[count];
        for (int i = 0; i < count; i++) {
            times[i] = measured.take(i).toNanos() / 1e6;
        }
        Arrays.sort(times);
        return times[count / 2];
    }

    private Duration taskRun(String name) throws Exception {
        return untilSucceeded(TASK_RUNS, name, "apiVersion: tekton.dev/v1\nkind: TaskRun\nmetadata: {name: " + name
                + "}\nspec: {taskSpec: {" + STEPS + "}}");
    }

    private Duration pipeline(String name, int tasks, int width) throws Exception {
        var yaml = new StringBuilder("apiVersion: tekton.dev/v1\nkind: PipelineRun\nmetadata: {name: " + name
                + "}\nspec:\n  timeouts: {pipeline: 2h}\n  pipelineSpec:\n    tasks:\n");
        for (int i = 0; i < tasks; i++) {
            yaml.append("    - {name: t").append(i).append(", taskRef: {name: nothing}");
            yaml.append(i < width ? "}\n" : ", runAfter: [t" + (i - width) + "]}\n");
        }
        return untilSucceeded(PIPELINE_RUNS, name, yaml.toString());
    }

    private void create(Kind<?> kind, String yaml) {
        var object = ((Json.Obj) YamlText.parse(yaml)).with(List.of("metadata", "namespace"), Json.of("default"));
        cluster.create(kind, Resource.of(object), Cluster.WriteOptions.DEFAULT);
    }

    private Duration untilSucceeded(Kind<?> kind, String name, String yaml) throws Exception {
        var selection = Selection.in(LogicalCluster.DEFAULT, "default").where("metadata.name=" + name);
        long from = System.nanoTime();
        create(kind, yaml);
        while (!hasEnded(kind, selection)) {
            // the server ended the watch, as servers do after some minutes
        }
        return Duration.ofNanos(System.nanoTime() - from);
    }

    private boolean hasEnded(Kind<?> kind, Selection selection) throws Exception {
        var listing = cluster.list(kind, selection);
        if (listing.items().stream().anyMatch(Tekton::isOver)) {
            return true;
        }
        try (var watch = cluster.watch(kind, selection, listing.resourceVersion())) {
            while (true) {
                for (var event : watch.next(PATIENCE)) {
                    if (event instanceof Watch.Modified(var run) && isOver(run)) {
                        return true;
                    }
                }
            }
        } catch (Watch.Ended e) {
            return false;
        }
    }

    private static boolean isOver(Resource run) {
        var condition = run.status().objects("conditions").stream().findFirst().orElse(Json.Obj.EMPTY);
        if (condition.string("status").equals("False")) {
            throw new IllegalStateException(run.name() + ": " + condition.string("message"));
        }
        return condition.string("status").equals("True");
    }

    private double burst(int count) throws Exception {
        var everywhere = Selection.in(LogicalCluster.DEFAULT, "default");
        var over = new HashSet<String>();
        long from;
        try (var watch = cluster.watch(TASK_RUNS, everywhere, cluster.list(TASK_RUNS, everywhere).resourceVersion())) {
            from = System.nanoTime();
            try (var clients = Executors.newFixedThreadPool(8)) {
                for (int i = 0; i < count; i++) {
                    var name = "burst-" + i;
                    clients.submit(() -> create(TASK_RUNS, "apiVersion: tekton.dev/v1\nkind: TaskRun\nmetadata: {name: "
                            + name + "}\nspec: {taskSpec: {" + STEPS + "}}"));
                }
            }
            while (over.size() < count) {
                for (var event : watch.next(PATIENCE)) {
                    if (event instanceof Watch.Modified(var run) && run.name().startsWith("burst-") && isOver(run)) {
                        over.add(run.name());
                    }
                }
            }
        }
        return (System.nanoTime() - from) / 1e6;
    }

    /// Of requests that have nothing to do with runs.
    private void latencies(String when) throws Exception {
        print("GET of a TaskRun, p50, " + when, median(300, _ -> timed(() ->
                cluster.get(TASK_RUNS, ObjectName.of("default", "warm-0")))), "ms");
        print("LIST of all ConfigMaps, p50, " + when, median(50, _ -> timed(() ->
                cluster.list(ConfigMaps.KIND, Selection.in(LogicalCluster.DEFAULT)))), "ms");
        print("create of a ConfigMap, p50, " + when, median(300, i -> timed(() -> create(ConfigMaps.KIND,
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m-" + when + "-" + i + "}"))), "ms");
    }

    private static Duration timed(Runnable request) {
        long from = System.nanoTime();
        request.run();
        return Duration.ofNanos(System.nanoTime() - from);
    }

    private double megabytes() throws Exception {
        long pid = JsonText.parseObject(Files.readAllBytes(data.resolve("instance.json"))).integer("pid");
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
