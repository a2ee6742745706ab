import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/// What test clusters cost as a client sees it: from the answer to the request that creates one to the event that says that
/// it is ready, and what stays of those that are gone.
final class Clusters {

    private static final String TEMPLATES = "/apis/clustertemplate.openshift.io/v1alpha1";
    private static final String INSTANCES = TEMPLATES + "/namespaces/default/clustertemplateinstances";
    private static final String HIVE = "/apis/hive.openshift.io/v1";
    private static final String CLAIMS = HIVE + "/namespaces/default/clusterclaims";
    private static final String DEPLOYMENTS = HIVE + "/namespaces/default/clusterdeployments";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String CHAIN = "hypershift-aws-cluster";
    private static final String AT_ONCE = "logical-cluster";
    private static final int CLIENTS = 8;

    private final URI server;
    private final String token = System.getenv("TOKEN");
    private final long pid;
    private Wire wire;
    private final Map<String, CountDownLatch> ready = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> gone = new ConcurrentHashMap<>();

    private Clusters(String server, long pid) throws Exception {
        this.server = URI.create(server);
        this.pid = pid;
        this.wire = connect();
    }

    public static void main(String[] arguments) throws Exception {
        var bench = new Clusters(arguments[0], Long.parseLong(arguments[1]));
        bench.measure(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
        System.exit(0);
    }

    private void measure(int live, int turns) throws Exception {
        watch(INSTANCES);
        watch(CLAIMS);
        watch(DEPLOYMENTS);
        for (var template : new String[] {CHAIN, AT_ONCE}) {
            for (int i = 0; i < 100; i++) {
                turn("warm-" + template + i, template);
            }
        }
        series("a ConfigMap in the default cluster", 200, i -> create(CONFIG_MAPS, configMap("c" + i)));
        for (var template : new String[] {CHAIN, AT_ONCE}) {
            serial(template, 200);
            parallel(template, 50);
        }
        pools();
        power();
        live(live);
        turns(turns);
    }

    private static String instance(String name, String template) {
        return "{apiVersion: clustertemplate.openshift.io/v1alpha1, kind: ClusterTemplateInstance, metadata: {name: " + name
                + "}, spec: {clusterTemplateRef: " + template + "}}";
    }

    private static String configMap(String name) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}}";
    }

    private void create(String path, String yaml) throws Exception {
        create(wire, path, yaml);
    }

    private static void create(Wire over, String path, String yaml) throws Exception {
        over.ask("POST", path, JsonText.write(YamlText.parse(yaml)), 201);
    }

    private void turn(String name, String template) throws Exception {
        var latch = awaiting(ready, name);
        create(INSTANCES, instance(name, template));
        latch.await();
        delete(name);
    }

    private static CountDownLatch awaiting(Map<String, CountDownLatch> map, String name) {
        return map.computeIfAbsent(name, _ -> new CountDownLatch(1));
    }

    private void delete(String name) throws Exception {
        var latch = awaiting(gone, name);
        wire.ask("DELETE", INSTANCES + "/" + name, "", 200);
        latch.await();
    }

    private void serial(String template, int count) throws Exception {
        var created = new long[count];
        for (int i = 0; i < count; i++) {
            var latch = awaiting(ready, "s-" + template + i);
            create(INSTANCES, instance("s-" + template + i, template));
            long from = System.nanoTime();
            latch.await();
            created[i] = System.nanoTime() - from;
        }
        Arrays.sort(created);
        quantiles("created to Ready, " + template, created);
        series("deleted to gone, " + template, count, i -> delete("s-" + template + i));
    }

    private void parallel(String template, int count) throws Exception {
        var times = new long[count];
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < count; i++) {
                int number = i;
                clients.submit(() -> {
                    try (var own = connect()) {
                        var latch = awaiting(ready, "p-" + template + number);
                        create(own, INSTANCES, instance("p-" + template + number, template));
                        long from = System.nanoTime();
                        latch.await();
                        times[number] = System.nanoTime() - from;
                    } catch (Exception e) {
                        fail("cannot create: " + e);
                    }
                });
            }
        }
        Arrays.sort(times);
        quantiles("created to Ready, " + count + " at once, " + template, times);
        for (int i = 0; i < count; i++) {
            delete("p-" + template + i);
        }
    }

    private void pools() throws Exception {
        create(HIVE + "/clusterimagesets", "{apiVersion: hive.openshift.io/v1, kind: ClusterImageSet, metadata: {name: any},"
                + " spec: {releaseImage: \"a:4.19.3\"}}");
        create(HIVE + "/namespaces/default/clusterpools", "{apiVersion: hive.openshift.io/v1, kind: ClusterPool, metadata:"
                + " {name: p}, spec: {size: 20, runningCount: 20, baseDomain: x, imageSetRef: {name: any}, platform: {}}}");
        for (int left = 0; left < 20; ) {
            left = (int) JsonText.parseObject(wire.ask("GET", HIVE + "/namespaces/default/clusterpools/p", "", 200))
                    .object("status")
                    .integer("ready");
        }
        series("a claim on a pool of 20, to ClusterRunning", 100, i -> {
            var latch = awaiting(ready, "claim" + i);
            create(CLAIMS, "{apiVersion: hive.openshift.io/v1, kind: ClusterClaim, metadata: {name: claim" + i
                    + "}, spec: {clusterPoolName: p}}");
            latch.await();
            // A pool that has to catch up is another matter.
            wire.ask("DELETE", CLAIMS + "/claim" + i, "", 200);
            while (JsonText.parseObject(wire.ask("GET", HIVE + "/namespaces/default/clusterpools/p", "", 200))
                            .object("status")
                            .integer("ready")
                    < 20) {
                Thread.onSpinWait();
            }
        });
        wire.ask("DELETE", HIVE + "/namespaces/default/clusterpools/p", "", 200);
    }

    private void power() throws Exception {
        var latch = awaiting(ready, "cd");
        create(DEPLOYMENTS, "{apiVersion: hive.openshift.io/v1, kind: ClusterDeployment, metadata: {name: cd}, spec:"
                + " {clusterName: cd, baseDomain: x}}");
        latch.await();
        var sleeping = new long[50];
        var waking = new long[50];
        for (int i = 0; i < 50; i++) {
            sleeping[i] = power("Hibernating");
            waking[i] = power("Running");
        }
        Arrays.sort(sleeping);
        Arrays.sort(waking);
        quantiles("to sleep, without pods", sleeping);
        quantiles("to wake, without pods", waking);
        wire.ask("DELETE", DEPLOYMENTS + "/cd", "", 200);
    }

    private long power(String state) throws Exception {
        var object = JsonText.parseObject(wire.ask("GET", DEPLOYMENTS + "/cd", "", 200));
        var latch = awaiting(ready, "cd=" + state);
        long from = System.nanoTime();
        wire.ask("PUT", DEPLOYMENTS + "/cd", JsonText.write(object.with(
                "spec", object.object("spec").with("powerState", Json.of(state)))), 200);
        latch.await();
        return System.nanoTime() - from;
    }

    private void live(int count) throws Exception {
        print("threads, before", threads(), "");
        print("series of metrics, before", series(), "");
        double before = heap();
        print("heap, before", before, "MB");
        long from = System.nanoTime();
        many("l-", count);
        double seconds = (System.nanoTime() - from) / 1e9;
        print(count + " asked for at once, until the last is Ready", seconds, "s");
        print("that is", count / seconds, "per second");
        double with = heap();
        print("heap, with " + count + " idle ones", with, "MB");
        print("for each", (with - before) * 1024 / count, "KiB");
        wire = connect();
        series("GET of an instance among them", 300, i -> wire.ask("GET", INSTANCES + "/l-0", "", 200));
        from = System.nanoTime();
        wire.ask("DELETE", INSTANCES, "", 200);
        for (int i = 0; i < count; i++) {
            awaiting(gone, "l-" + i).await();
        }
        print("all of them deleted", (System.nanoTime() - from) / 1e9, "s");
        left("after");
    }

    private void left(String when) throws Exception {
        wire = connect();
        print("heap, " + when, heap(), "MB");
        print("threads, " + when, threads(), "");
        print("series of metrics, " + when, series(), "");
        print("open files, " + when, files(), "");
        print("logical clusters, " + when, JsonText.parseObject(
                wire.ask("GET", "/apis/towtank.dev/v1/logicalclusters", "", 200)).objects("items").size(), "");
    }

    private void many(String prefix, int count) throws Exception {
        var next = new AtomicInteger();
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.submit(() -> {
                    try (var own = connect()) {
                        for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                            awaiting(ready, prefix + number);
                            create(own, INSTANCES, instance(prefix + number, CHAIN));
                        }
                    } catch (Exception e) {
                        fail("cannot create: " + e);
                    }
                });
            }
        }
        for (int i = 0; i < count; i++) {
            awaiting(ready, prefix + i).await();
        }
    }

    /// Eight at a time, one after another: what is never there at once must not add up.
    private void turns(int count) throws Exception {
        var next = new AtomicInteger();
        long from = System.nanoTime();
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.submit(() -> {
                    try (var own = connect()) {
                        for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                            var name = "t-" + number;
                            var made = awaiting(ready, name);
                            create(own, INSTANCES, instance(name, AT_ONCE));
                            made.await();
                            var deleted = awaiting(gone, name);
                            own.ask("DELETE", INSTANCES + "/" + name, "", 200);
                            deleted.await();
                        }
                    } catch (Exception e) {
                        fail("cannot create: " + e);
                    }
                });
            }
        }
        print(count + " made and deleted by " + CLIENTS, count * 1e9 / (System.nanoTime() - from), "per second");
        left("in the end");
    }

    private Wire connect() throws Exception {
        return new Wire(server, token);
    }

    private void watch(String path) {
        Thread.ofPlatform().daemon().start(() -> {
            while (true) {
                try (var watching = connect()) {
                    watching.watch(path + "?watch=true", this::seen);
                } catch (Exception e) {
                    if (!"the watch ended".equals(e.getMessage())) {
                        fail("the watch failed: " + e);
                    }
                }
            }
        });
    }

    private boolean seen(String event) {
        var json = JsonText.parseObject(event);
        var object = json.object("object");
        var name = object.string("metadata", "name");
        if (json.string("type").equals("DELETED")) {
            ready.remove(name);
            awaiting(gone, name).countDown();
            return true;
        }
        var status = object.object("status");
        boolean isReady = switch (object.string("kind")) {
            case "ClusterTemplateInstance" -> status.string("phase").equals("Ready");
            case "ClusterClaim" -> isTrue(status, "ClusterRunning");
            default -> isTrue(status, "Ready");
        };
        if (status.string("phase").endsWith("Failed")) {
            fail(name + ": " + status.string("message"));
        }
        if (isReady) {
            awaiting(ready, name).countDown();
        }
        var state = status.string("powerState");
        if (!state.isEmpty() && state.equals(object.string("spec", "powerState"))) {
            var latch = ready.remove(name + "=" + state);
            if (latch != null) {
                latch.countDown();
            }
        }
        return true;
    }

    private static boolean isTrue(Json.Obj status, String type) {
        return status.objects("conditions").stream()
                .anyMatch(each -> each.string("type").equals(type) && each.string("status").equals("True"));
    }

    private static void fail(String why) {
        System.err.println(why);
        System.exit(1);
    }

    private static void series(String what, int count, Stopwatch.Run run) throws Exception {
        quantiles(what, Stopwatch.timed(run, count));
    }

    private static void quantiles(String what, long[] times) {
        print(what + ", p50", times[times.length / 2] / 1e6, "ms");
        print(what + ", p99", times[Math.min(times.length - 1, times.length * 99 / 100)] / 1e6, "ms");
    }

    private static void print(String what, double value, String unit) {
        System.out.printf("%-70s %10.2f %s%n", what, value, unit);
    }

    private long threads() throws Exception {
        return Long.parseLong(Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status")).stream()
                .filter(each -> each.startsWith("Threads:"))
                .findFirst()
                .orElseThrow()
                .replaceAll("[^0-9]", ""));
    }

    private long files() throws Exception {
        try (var open = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
            return open.count();
        }
    }

    private long series() throws Exception {
        return wire.ask("GET", "/metrics", "", 200)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .count();
    }

    /// What somebody can still reach, whichever collector there is: neither garbage nor what fills the gaps counts.
    private double heap() throws Exception {
        var lines = Pattern.compile("(?m)^(?:Total|\\s*\\d+:)\\s+\\d+\\s+(\\d+)(.*)$").matcher(jcmd("GC.class_histogram"));
        long bytes = 0;
        while (lines.find()) {
            long these = Long.parseLong(lines.group(1));
            bytes += lines.group().startsWith("Total") ? these : lines.group(2).contains("jdk.internal.vm.Filler") ? -these : 0;
        }
        return bytes / 1048576.0;
    }

    private String jcmd(String command) throws Exception {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        var process = new ProcessBuilder(jcmd, String.valueOf(pid), command).redirectErrorStream(true).start();
        var text = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        return text;
    }
}
