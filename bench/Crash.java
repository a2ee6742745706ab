import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/// What a server that is killed under load has promised, and what the next one still has.
///
/// A write counts as acknowledged once its answer is here. Every object is written by one client alone, so the newest
/// acknowledged value is the least that must be there; a newer one may have been written without its answer arriving.
final class Crash {

    private static final int WRITERS = 4;
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String RUNS = "/apis/tekton.dev/v1/namespaces/default/taskruns";
    private static final int MOST_ANSWERS = 2000;
    private static final int LONGEST_ROUND = 10;
    private static final int LONGEST_SETTLE = 120;

    private final Path launcher;
    private final Path data;
    private final Random random = new Random(20);
    private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
    private final Map<String, String> created = new ConcurrentHashMap<>();
    private final AtomicLong writes = new AtomicLong();
    private final Semaphore answers = new Semaphore(0);
    private final AtomicInteger unanswered = new AtomicInteger();
    private final Map<String, Integer> wrong = new TreeMap<>();
    private volatile boolean killed;

    private Crash(Path launcher, Path data) {
        this.launcher = launcher;
        this.data = data;
    }

    public static void main(String[] arguments) throws Exception {
        var crash = new Crash(Path.of(arguments[0]), Path.of(arguments[1]));
        crash.run(Integer.parseInt(arguments[2]));
        System.exit(crash.report(Integer.parseInt(arguments[2])) ? 0 : 1);
    }

    private void run(int rounds) throws Exception {
        for (int round = 0; round < rounds; round++) {
            killed = false;
            answers.drainPermits();
            var clients = new ArrayList<Thread>();
            for (int writer = 0; writer < WRITERS; writer++) {
                clients.add(client("m%d-%d".formatted(round, writer)));
            }
            clients.add(runner(round));
            answers.tryAcquire(1 + random.nextInt(MOST_ANSWERS), LONGEST_ROUND, TimeUnit.SECONDS);
            killed = true;
            var server = ProcessHandle.of(pid()).orElseThrow();
            server.destroyForcibly();
            server.onExit().join();
            for (var client : clients) {
                client.join();
            }
            start();
            checkMaps();
            System.out.printf("round %d: %d writes acknowledged so far%n", round + 1, writes.get());
        }
        settle();
    }

    /// Creates a map, then counts up in it for as long as the server lives.
    private Thread client(String name) throws Exception {
        var wire = connect();
        return Thread.ofVirtual().start(() -> {
            try (wire) {
                wire.ask("POST", MAPS, map(name, 0), 201);
                acknowledge(name, 0);
                for (int i = 1; ; i++) {
                    wire.ask("PUT", MAPS + "/" + name, map(name, i), 200);
                    acknowledge(name, i);
                }
            } catch (Exception e) {
                ended(name, e);
            }
        });
    }

    private static String map(String name, int value) {
        return """
                {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s"},"data":{"value":"%d"}}"""
                .formatted(name, value);
    }

    private void acknowledge(String name, int value) {
        acknowledged.put(name, value);
        answered();
    }

    private void answered() {
        writes.incrementAndGet();
        answers.release();
    }

    /// Pods and runs, each of which must end once.
    private Thread runner(int round) throws Exception {
        var wire = connect();
        return Thread.ofVirtual().start(() -> {
            try (wire) {
                for (int i = 0; i < 3; i++) {
                    create(wire, PODS, "p%d-%d".formatted(round, i), """
                            {apiVersion: v1, kind: Pod, metadata: {name: NAME}, spec: {restartPolicy: Never,
                             containers: [{name: c, image: busybox, command: [sh, -c, sleep 1]}]}}
                            """);
                    create(wire, RUNS, "t%d-%d".formatted(round, i), """
                            {apiVersion: tekton.dev/v1, kind: TaskRun, metadata: {name: NAME}, spec: {taskSpec:
                             {steps: [{image: busybox, script: sleep 1}]}}}
                            """);
                }
            } catch (Exception e) {
                ended("runner " + round, e);
            }
        });
    }

    private void create(Wire wire, String path, String name, String yaml) throws IOException {
        var answer = wire.ask(
                "POST", path, YamlText.parse(yaml.replace("NAME", name)).toString(), 201);
        created.put(path + "/" + name, JsonText.parseObject(answer).string("metadata", "uid"));
        answered();
    }

    private void ended(String who, Exception problem) {
        if (killed) {
            unanswered.incrementAndGet();
        } else {
            count("refused while the server lived");
            System.out.println(who + ": " + problem);
        }
    }

    private void checkMaps() throws Exception {
        try (var wire = connect()) {
            for (var map : acknowledged.entrySet()) {
                var found = find(wire, MAPS + "/" + map.getKey());
                if (found.isEmpty() || Integer.parseInt(found.string("data", "value")) < map.getValue()) {
                    count("acknowledged writes lost");
                    System.out.println("lost: " + map + ", found " + found.object("data"));
                }
            }
        }
        acknowledged.clear();
    }

    private static Json.Obj find(Wire wire, String path) {
        try {
            return JsonText.parseObject(wire.ask("GET", path, "", 200));
        } catch (IOException e) {
            return Json.Obj.EMPTY;
        }
    }

    /// Waits for what was begun to end, and looks whether it is what was created.
    private void settle() throws Exception {
        for (var object : created.entrySet()) {
            var found = awaitEnd(object.getKey());
            if (!found.string("metadata", "uid").equals(object.getValue())) {
                count("objects replaced by others, or lost");
            } else if (!isOver(found)) {
                count("pods and runs stuck");
                System.out.println("stuck: " + object.getKey() + " " + found.object("status"));
            } else {
                countRestarts(found);
            }
        }
    }

    /// As it was seen last; empty when it is not there.
    private Json.Obj awaitEnd(String path) throws Exception {
        int slash = path.lastIndexOf('/');
        var watch = "%s?watch=true&fieldSelector=metadata.name=%s&timeoutSeconds=%d"
                .formatted(path.substring(0, slash), path.substring(slash + 1), LONGEST_SETTLE);
        try (var asking = connect();
                var watching = connect()) {
            var last = new AtomicReference<>(find(asking, path));
            if (!last.get().isEmpty() && !isOver(last.get())) {
                watching.watch(watch, line -> {
                    last.set(JsonText.parseObject(line).object("object"));
                    return !isOver(last.get());
                });
            }
            return last.get();
        } catch (IOException e) { // the watch has ended
            try (var asking = connect()) {
                return find(asking, path);
            }
        }
    }

    private void countRestarts(Json.Obj pod) {
        for (var container : pod.objects("status", "containerStatuses")) {
            if (container.integer("restartCount") > 0) {
                count("containers run twice");
            }
        }
    }

    private static boolean isOver(Json.Obj object) {
        return List.of("Succeeded", "Failed").contains(object.string("status", "phase"))
                || object.has("status") && !object.string("status", "completionTime").isEmpty();
    }

    private void count(String what) {
        wrong.merge(what, 1, Integer::sum);
    }

    private boolean report(int rounds) {
        System.out.printf(
                "%d kills, %d writes acknowledged, %d clients cut off in a request, %d pods and runs%n",
                rounds, writes.get(), unanswered.get(), created.size());
        wrong.forEach((what, count) -> System.out.printf("%s: %d%n", what, count));
        System.out.println(wrong.isEmpty() ? "nothing was lost, doubled or stuck" : "FAILED");
        return wrong.isEmpty();
    }

    private void start() throws Exception {
        var up = new ProcessBuilder(launcher.toString(), "up", "--detach", "--data", data.toString(), "--port", "0")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (up.waitFor() != 0) {
            throw new IOException("the server did not start again");
        }
    }

    private long pid() throws IOException {
        return JsonText.parseObject(Files.readString(data.resolve("instance.json"))).integer("pid");
    }

    private Wire connect() throws Exception {
        var kubeconfig = Files.readAllLines(data.resolve("kubeconfig"));
        return new Wire(URI.create(field(kubeconfig, "server:")), field(kubeconfig, "token:"));
    }

    private static String field(List<String> lines, String name) {
        return lines.stream()
                .map(line -> line.strip().replaceFirst("^- ", ""))
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElseThrow();
    }
}
