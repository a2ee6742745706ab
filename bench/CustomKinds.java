import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.server.ApiServer;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.StoreLimits;
import dev.towtank.model.LogicalCluster;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;

/// What custom kinds cost: the server in this process, without a network. Needs its jars on the class path, and prints
/// lines of a name and a number; after `cpu` stands what the calling thread computed of it, after `all` what all threads
/// did, those that compile Java included.
///
///     java -cp … bench/CustomKinds.java one             a kind with a large schema
///     java -cp … bench/CustomKinds.java fill DIRECTORY  a thousand kinds into a store
///     java -cp … bench/CustomKinds.java load DIRECTORY  a server started on them
final class CustomKinds {

    private static final int KINDS = 1_000;
    private static final User USER = User.of("bench", User.MASTERS);

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "one" -> one();
            case "fill" -> fill(Path.of(arguments[1]));
            case "load" -> load(Path.of(arguments[1]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        System.exit(0);
    }

    private static void one() throws Exception {
        try (var server = server(JournaledStore.inMemory())) {
            // The same with another kind: what is compiled is the server, not the schema.
            for (int i = 0; i < 20; i++) {
                define(server, "warm" + i, 40, 50);
                create(server, "warm" + i, "a", false);
            }
            System.out.println("schema-kilobytes " + definition("larges", 40, 50).length() / 1024);
            System.out.println("definition-ms " + milliseconds(() -> define(server, "larges", 40, 50)));
            System.out.println("first-request-ms " + milliseconds(() -> create(server, "larges", "first", false)));
            for (int i = 0; i < 3_000; i++) {
                create(server, "larges", "x", true);
            }
            long cpu = threadCpu();
            var times = new double[2_000];
            for (int i = 0; i < times.length; i++) {
                long from = System.nanoTime();
                create(server, "larges", "x", true);
                times[i] = (System.nanoTime() - from) / 1_000.0;
            }
            Arrays.sort(times);
            System.out.printf(
                    "create-us %.0f cpu %.0f%n", times[times.length / 2], (threadCpu() - cpu) / 1e3 / times.length);
        }
    }

    private static void fill(Path directory) throws Exception {
        var random = new Random(1);
        try (var server = server(open(directory))) {
            for (int i = 0; i < KINDS; i++) {
                define(server, "kind" + i + "s", 4 + random.nextInt(4), 20);
            }
            System.out.println("kilobytes-each " + definition("kind0s", 6, 20).length() / 1024);
        }
    }

    // The second time in this process: what the first cost is the start of any server.
    private static void load(Path directory) throws Exception {
        try (var server = server(open(Files.createTempDirectory("warm")))) {
            server.start();
            define(server, "warms", 6, 20);
            create(server, "warms", "a", true);
            server.catalog().served(LogicalCluster.DEFAULT);
        }
        long before = heap();
        long from = System.nanoTime();
        long cpu = threadCpu();
        long all = processCpu();
        var store = open(directory);
        tell("open-ms", from, cpu, all);
        try (var server = server(store)) {
            server.start();
            int kinds = server.catalog().served(LogicalCluster.DEFAULT).size();
            tell("served-ms", from, cpu, all);
            create(server, "kind7s", "a", true);
            tell("load-ms", from, cpu, all);
            System.out.println("kinds " + kinds);
            System.out.println("heap-megabytes " + (heap() - before) / 1024 / 1024);
        }
    }

    private static void tell(String what, long from, long cpu, long all) {
        System.out.printf(
                "%s %.0f cpu %.0f all %.0f%n",
                what, since(from), (threadCpu() - cpu) / 1e6, (processCpu() - all) / 1e6);
    }

    private static double since(long from) {
        return (System.nanoTime() - from) / 1e6;
    }

    // On a machine with other work the time that passes says little.
    private static long threadCpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long processCpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static Store open(Path directory) throws Exception {
        return JournaledStore.open(directory, InstantSource.system(), StoreLimits.DEFAULT, "bench");
    }

    private static ApiServer server(Store store) throws Exception {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        return new ApiServer(store, generator.generateKeyPair(), "PEM", "x", InstantSource.system(), new Random(1));
    }

    private static String milliseconds(Callable<?> action) throws Exception {
        long from = System.nanoTime();
        long cpu = threadCpu();
        action.call();
        return "%.1f cpu %.1f".formatted(since(from), (threadCpu() - cpu) / 1e6);
    }

    private static Answer define(ApiServer server, String plural, int groups, int fields) {
        var target = new Target("apiextensions.k8s.io", "v1", "customresourcedefinitions", "", "", "");
        return send(server, target, definition(plural, groups, fields), false);
    }

    private static Answer create(ApiServer server, String plural, String name, boolean dry) {
        var text = new StringBuilder("{\"apiVersion\":\"bench.example.com/v1\",\"kind\":\"K" + plural
                + "\",\"metadata\":{\"name\":\"" + name + "\"},\"spec\":{");
        for (int group = 0; group < 4; group++) {
            text.append(group == 0 ? "" : ",").append("\"group").append(group).append("\":{");
            for (int field = 0; field < 20; field++) {
                text.append(field == 0 ? "" : ",").append("\"f").append(field).append("\":");
                text.append(
                        switch (field % 4) {
                            case 0 -> "\"some-text\"";
                            case 1 -> field;
                            case 2 -> "[{\"name\":\"a\",\"value\":\"b\"},{\"name\":\"c\"}]";
                            default -> "{\"k\":\"v\"}";
                        });
            }
            text.append('}');
        }
        var target = new Target("bench.example.com", "v1", plural, "default", "", "");
        return send(server, target, text.append("}}").toString(), dry);
    }

    private static Answer send(ApiServer server, Target target, String text, boolean dry) {
        var body = new Body.Text("application/json", text.getBytes(StandardCharsets.UTF_8));
        var params = new Params(dry ? Map.of("dryRun", List.of("All")) : Map.of());
        return server.api().handle(new Call(USER, LogicalCluster.DEFAULT, Verb.CREATE, target, params, body));
    }

    /// Texts with patterns, numbers with bounds, lists with keys, maps; defaults, and a rule for every group.
    private static String definition(String plural, int groups, int fields) {
        var spec = new StringBuilder();
        for (int group = 0; group < groups; group++) {
            spec.append(group == 0 ? "" : ",").append("\"group").append(group).append("\":{\"type\":\"object\",");
            spec.append("\"x-kubernetes-validations\":[{\"rule\":\"!has(self.f1) || self.f1 < ")
                    .append(1000 + group)
                    .append("\",\"message\":\"too large\"}],\"properties\":{");
            for (int field = 0; field < fields; field++) {
                spec.append(field == 0 ? "" : ",").append("\"f").append(field).append("\":").append(field(field));
            }
            spec.append("}}");
        }
        return """
                {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
                 "metadata":{"name":"%1$s.bench.example.com"},
                 "spec":{"group":"bench.example.com","scope":"Namespaced","names":{"plural":"%1$s","kind":"K%1$s"},
                  "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
                   "schema":{"openAPIV3Schema":{"type":"object","properties":{
                    "spec":{"type":"object","properties":{%2$s}},
                    "status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}]}}
                """.formatted(plural, spec);
    }

    private static String field(int field) {
        var description = "\"description\":\"What this field is for, in about as many words as people write.\",";
        return "{" + description
                + switch (field % 4) {
                    case 0 -> "\"type\":\"string\",\"maxLength\":253,\"pattern\":\"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$\"}";
                    case 1 -> "\"type\":\"integer\",\"minimum\":0,\"maximum\":100000,\"default\":" + field + "}";
                    case 2 ->
                        "\"type\":\"array\",\"x-kubernetes-list-type\":\"map\",\"x-kubernetes-list-map-keys\":[\"name\"],"
                                + "\"items\":{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{\"name\":"
                                + "{\"type\":\"string\"},\"value\":{\"type\":\"string\",\"default\":\"none\"}}}}";
                    default -> "\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}";
                };
    }
}
