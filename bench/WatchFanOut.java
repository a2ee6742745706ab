import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/// Opens watches over HTTP/2 and tells how long one event takes to reach them all, beside the same number of bare
/// loopback sockets that get the same bytes.
final class WatchFanOut {

    private static final int WATCHES_A_CONNECTION = 200;
    private static final String CONFIG_MAP =
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\"},\"data\":{\"k\":\"%s\"}}";

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("fill")) {
            fill(arguments[1], arguments[2], arguments[3], Integer.parseInt(arguments[4]));
            return;
        }
        int watchers = Integer.parseInt(arguments[2]);
        int rounds = Integer.parseInt(arguments[3]);
        System.out.println(watches(arguments[0], arguments[1], watchers, rounds) + " " + sockets(watchers, rounds));
        System.exit(0);
    }

    private static long watches(String server, String token, int watchers, int rounds) throws Exception {
        var arrived = new AtomicReference<CountDownLatch>();
        var open = new CountDownLatch(watchers);
        var clients = new ArrayList<HttpClient>();
        for (int i = 0; i < watchers; i++) {
            if (i % WATCHES_A_CONNECTION == 0) {
                clients.add(AnyServer.client());
            }
            var client = clients.getLast();
            Thread.ofVirtual().start(() -> watch(client, server, token, open, arrived));
        }
        open.await();
        var times = new ArrayList<Long>();
        for (int round = 0; round < rounds + 5; round++) {
            arrived.set(new CountDownLatch(watchers));
            long from = System.nanoTime();
            create(clients.getFirst(), server, token, "default", "fanout-" + from);
            arrived.get().await();
            times.add((System.nanoTime() - from) / 1_000_000);
        }
        return median(times.subList(5, times.size()));
    }

    private static void watch(
            HttpClient client, String server, String token, CountDownLatch open, AtomicReference<CountDownLatch> arrived) {
        try {
            var request = request(server + "/api/v1/namespaces/default/configmaps?watch=true&fieldSelector=metadata.name!=x"
                            + "&resourceVersion=" + current(client, server, token), token)
                    .build();
            var response = client.send(request, BodyHandlers.ofInputStream());
            open.countDown();
            var lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
            while (lines.readLine() != null) {
                var latch = arrived.get();
                if (latch != null) {
                    latch.countDown();
                }
            }
        } catch (Exception e) {
            System.err.println("a watch failed: " + e);
            System.exit(1);
        }
    }

    private static String current(HttpClient client, String server, String token) throws Exception {
        var list = client.send(
                request(server + "/api/v1/namespaces/default/configmaps?limit=1", token).build(),
                BodyHandlers.ofString());
        var text = list.body();
        int at = text.indexOf("\"resourceVersion\":\"") + "\"resourceVersion\":\"".length();
        return text.substring(at, text.indexOf('"', at));
    }

    private static HttpRequest.Builder request(String uri, String token) {
        return HttpRequest.newBuilder(URI.create(uri)).header("Authorization", "Bearer " + token);
    }

    private static void create(HttpClient client, String server, String token, String namespace, String name)
            throws Exception {
        var body = CONFIG_MAP.formatted(name, "x".repeat(850));
        var response = client.send(
                request(server + "/api/v1/namespaces/" + namespace + "/configmaps", token)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        if (response.statusCode() != 201) {
            throw new IllegalStateException(response.body());
        }
    }

    private static void fill(String server, String token, String namespace, int count) throws Exception {
        var client = AnyServer.client();
        try (var executor = Executors.newFixedThreadPool(16)) {
            for (int i = 0; i < count; i++) {
                var name = "object-" + i;
                executor.submit(() -> {
                    create(client, server, token, namespace, name);
                    return null;
                });
            }
        }
        System.exit(0);
    }

    private static long sockets(int count, int rounds) throws Exception {
        var event = new byte[1200];
        var sinks = new ArrayList<Socket>();
        var arrived = new AtomicReference<CountDownLatch>();
        try (var server = new ServerSocket(0, 4096)) {
            for (int i = 0; i < count; i++) {
                var reader = new Socket("127.0.0.1", server.getLocalPort());
                sinks.add(server.accept());
                Thread.ofVirtual().start(() -> {
                    try {
                        while (reader.getInputStream().readNBytes(event.length).length > 0) {
                            arrived.get().countDown();
                        }
                    } catch (java.io.IOException e) {
                        // the sockets go when the process does
                    }
                });
            }
        }
        var times = new ArrayList<Long>();
        for (int round = 0; round < rounds + 5; round++) {
            arrived.set(new CountDownLatch(count));
            long from = System.nanoTime();
            for (var sink : sinks) {
                sink.getOutputStream().write(event);
            }
            arrived.get().await();
            times.add((System.nanoTime() - from) / 1_000_000);
        }
        return median(times.subList(5, times.size()));
    }

    private static long median(List<Long> values) {
        var sorted = values.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
