import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.remote.RemoteCluster;
import dev.towtank.controllers.buckets.api.BucketKinds;
import dev.towtank.controllers.buckets.s3.Signing;
import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.patch.Patch;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.ServiceAccounts;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import dev.towtank.model.kinds.rbac.RoleBindings;
import dev.towtank.model.kinds.rbac.Roles;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;

/// How long a thousand ExternalSecrets take to be ready, how long a new value takes to the last of them, and what
/// objects of
/// a claimed bucket cost beside files.
final class Secrets {

    private static final Kind<?> SECRETS = dev.towtank.model.kinds.core.Secrets.KIND;

    private final Cluster cluster;
    private final Path data;
    private final long pid;

    private Secrets(Path data, long pid) {
        this.cluster = RemoteCluster.of(data.resolve("kubeconfig"), Optional.empty());
        this.data = data;
        this.pid = pid;
    }

    public static void main(String[] arguments) throws Exception {
        var bench = new Secrets(Path.of(arguments[0]), Long.parseLong(arguments[1]));
        bench.print("memory, nothing used", bench.megabytes(), "MB");
        bench.externalSecrets(Integer.parseInt(arguments[2]));
        bench.buckets();
        System.exit(0);
    }

    private void externalSecrets(int count) throws Exception {
        create(SECRETS, "{metadata: {name: source}, stringData: {key: v0}}");
        create(ServiceAccounts.KIND, "{metadata: {name: reader}}");
        create(
                Roles.KIND,
                "{metadata: {name: reader}, rules: [{apiGroups: [''], resources: [secrets], verbs: [get]}]}");
        create(
                RoleBindings.KIND,
                "{metadata: {name: reader}, subjects: [{kind: ServiceAccount, name: reader, namespace: default}], roleRef:"
                        + " {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}}");
        create(
                SecretKinds.SECRET_STORE,
                "{metadata: {name: store}, spec: {provider: {kubernetes: {auth: {serviceAccount: {name: reader}}}}}}");
        for (int round = 0; round < 3; round++) {
            var name = "r" + round + "-";
            long from = System.nanoTime();
            Stopwatch.perSecond(
                    i -> create(
                            SecretKinds.EXTERNAL_SECRET,
                            "{metadata: {name: %s%d}, spec: {secretStoreRef: {name: store}, data:".formatted(name, i)
                                    + " [{secretKey: k, remoteRef: {key: source, property: key}}]}}"),
                    count,
                    32);
            print("creating " + count + " of them", seconds(from), "s");
            awaitAll(
                    SecretKinds.EXTERNAL_SECRET,
                    name,
                    count,
                    each -> each.status().toString().contains("SecretSynced"));
            print("from nothing to the last ready", seconds(from), "s");
            if (round < 2) {
                Stopwatch.perSecond(
                        i -> cluster.delete(
                                SecretKinds.EXTERNAL_SECRET,
                                ObjectName.of("default", name + i),
                                Cluster.DeleteOptions.DEFAULT),
                        count,
                        32);
                awaitGone(name);
            }
        }
        for (int round = 1; round < 4; round++) {
            var value = encoded("v" + round);
            long from = System.nanoTime();
            cluster.patch(
                    SECRETS,
                    ObjectName.of("default", "source"),
                    new Patch.Merge((Json.Obj) YamlText.parse("{data: {key: " + value + "}}")),
                    Cluster.WriteOptions.DEFAULT);
            awaitAll(
                    SECRETS,
                    "r2-",
                    count,
                    each -> each.json().string("data", "k").equals(value));
            print("a new value in the last of " + count, seconds(from), "s");
        }
        print("memory with them", megabytes(), "MB");
    }

    private void awaitGone(String prefix) {
        while (cluster.list(SECRETS, Selection.EVERYWHERE).items().stream()
                .anyMatch(each -> each.name().startsWith(prefix))) {
            Thread.onSpinWait();
        }
    }

    private void awaitAll(Kind<?> kind, String prefix, int count, Predicate<Resource> done) {
        while (cluster.list(kind, Selection.EVERYWHERE).items().stream()
                        .filter(each -> each.name().startsWith(prefix) && done.test(each))
                        .count()
                < count) {
            Thread.onSpinWait();
        }
    }

    private void buckets() throws Exception {
        print("memory before the first claim", megabytes(), "MB");
        long from = System.nanoTime();
        create(
                BucketKinds.CLAIM,
                "{metadata: {name: b}, spec: {storageClassName: openshift-storage.noobaa.io, bucketName: bench}}");
        while (cluster.get(SECRETS, ObjectName.of("default", "b")).isEmpty()) {
            Thread.onSpinWait();
        }
        print("the first claim", seconds(from), "s");
        print("memory after the first claim", megabytes(), "MB");
        var slice = cluster.get(EndpointSlices.KIND, ObjectName.of("openshift-storage", "s3-towtank"))
                .orElseThrow();
        var keys = cluster.get(SECRETS, ObjectName.of("default", "b"))
                .orElseThrow()
                .json()
                .object("data");
        var s3 = new S3(
                slice.json().objects("ports").getFirst().integer("port"),
                decoded(keys.string("AWS_ACCESS_KEY_ID")),
                decoded(keys.string("AWS_SECRET_ACCESS_KEY")));
        measure(s3, 1 << 10, 300);
        measure(s3, 64 << 20, 5);
    }

    private void measure(S3 s3, int size, int count) throws Exception {
        var bytes = new byte[size];
        new Random(1).nextBytes(bytes);
        var file = data.resolve("bare");
        var copies = Stopwatch.timed(i -> write(file, bytes), count);
        var puts = Stopwatch.timed(i -> s3.send("PUT", "o" + i, bytes), count);
        var reads = Stopwatch.timed(i -> Files.readAllBytes(file), count);
        var gets = Stopwatch.timed(i -> s3.send("GET", "o" + i, new byte[0]), count);
        var what = size < 1 << 20 ? "1 KB" : "64 MB";
        print(what + ", a file written and synced", copies[count / 2] / 1e6, "ms");
        print(what + ", put", puts[count / 2] / 1e6, "ms");
        print(what + ", a file read", reads[count / 2] / 1e6, "ms");
        print(what + ", get", gets[count / 2] / 1e6, "ms");
    }

    private static void write(Path file, byte[] bytes) throws Exception {
        Files.deleteIfExists(file);
        try (var channel = Files.newByteChannel(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes));
            ((FileChannel) channel).force(true);
        }
    }

    private record S3(long port, String access, String secret, HttpClient http) {
        private static final DateTimeFormatter MOMENT =
                DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

        S3(long port, String access, String secret) {
            this(
                    port,
                    access,
                    secret,
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
        }

        void send(String method, String key, byte[] body) throws Exception {
            var moment = MOMENT.format(Instant.now());
            var scope = moment.substring(0, 8) + "/us-east-1/s3/aws4_request";
            var hash = HexFormat.of().formatHex(Signing.digest("SHA-256").digest(body));
            var signed = "host;x-amz-content-sha256;x-amz-date";
            var canonical = String.join(
                    "\n",
                    method,
                    "/bench/" + key,
                    "",
                    "host:127.0.0.1:" + port,
                    "x-amz-content-sha256:" + hash,
                    "x-amz-date:" + moment,
                    "",
                    signed,
                    hash);
            var signature = Signing.of(secret, moment, scope).ofRequest(canonical);
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/bench/" + key))
                    .header("x-amz-date", moment)
                    .header("x-amz-content-sha256", hash)
                    .header(
                            "Authorization",
                            Signing.ALGORITHM + " Credential=" + access + "/" + scope + ", SignedHeaders=" + signed
                                    + ", Signature=" + signature)
                    .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
                    .build();
            var answer = http.send(request, BodyHandlers.ofByteArray());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(new String(answer.body(), StandardCharsets.UTF_8));
            }
        }
    }

    private void create(Kind<?> kind, String yaml) {
        var object = ((Json.Obj) YamlText.parse(yaml))
                .with("apiVersion", Json.of(kind.apiVersion()))
                .with("kind", Json.of(kind.kind()));
        var placed = object.with("metadata", object.object("metadata").with("namespace", Json.of("default")));
        cluster.create(kind, Resource.of(placed), Cluster.WriteOptions.DEFAULT);
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String decoded(String text) {
        return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }

    private static double seconds(long from) {
        return (System.nanoTime() - from) / 1e9;
    }

    private double megabytes() throws Exception {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
                .sum();
    }

    private void print(String what, double number, String unit) {
        System.out.printf("%-56s %10.2f %s%n", what, number, unit);
    }
}
