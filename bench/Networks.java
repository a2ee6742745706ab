import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.node.network.PodNetwork;
import dev.towtank.node.network.PodNetworks;
import dev.towtank.node.network.policy.Policies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// What a network of its own costs a pod: made and taken away, without any container; and what two of them get through it.
final class Networks {

    private Networks() {}

    public static void main(String[] arguments) throws Exception {
        int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 300;
        var home = Files.createTempDirectory("towtank-bench");
        var surroundings =
                new PodNetwork.Surroundings(List::of, Set::of, _ -> Policies.Isolation.NONE, new NoCallers());
        try (var network = PodNetworks.open(home, surroundings)) {
            var makes = new long[count];
            var ends = new long[count];
            for (int i = 0; i < count; i++) {
                var uid = UUID.randomUUID().toString();
                var pod = pod(uid);
                long begun = System.nanoTime();
                network.attach(pod, home.resolve(uid));
                long made = System.nanoTime();
                network.detach(uid);
                makes[i] = made - begun;
                ends[i] = System.nanoTime() - made;
            }
            report("make", makes);
            report("take away", ends);
            talk(network, home);
            network.dismantle();
        }
    }

    private static final String SERVER = """
            import socket, sys
            server = socket.create_server((sys.argv[1], int(sys.argv[2])))
            print('ready', flush=True)
            for _ in range(2):
                peer, _ = server.accept()
                peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                while data := peer.recv(1 << 18):
                    if len(data) == 1: peer.sendall(data)
            """;

    private static final String CLIENT = """
            import socket, sys, time
            def connect():
                peer = socket.create_connection((sys.argv[1], int(sys.argv[2])))
                peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return peer
            peer = connect(); times = []
            for _ in range(3000):
                begun = time.perf_counter(); peer.sendall(b'x'); peer.recv(1); times.append(time.perf_counter() - begun)
            peer.close(); peer = connect(); block = bytes(1 << 18); begun = time.perf_counter()
            for _ in range(2000): peer.sendall(block)
            peer.shutdown(socket.SHUT_WR); peer.recv(1)
            print('%.3f ms there and back, %.0f MB a second' % (sorted(times)[1500] * 1e3, 2000 * len(block) / 1e6 / (time.perf_counter() - begun)))
            """;

    /// Two pods that talk with each other, beside two programs on the machine's loopback.
    private static void talk(PodNetwork network, Path home) throws Exception {
        var pods = List.of(UUID.randomUUID().toString(), UUID.randomUUID().toString());
        for (var uid : pods) {
            network.attach(pod(uid), home.resolve(uid));
        }
        var address = network.of(pods.getFirst()).orElseThrow().address();
        for (int i = 0; i < 2; i++) {
            System.out.println("loopback   " + said(List.of(), List.of(), "127.0.0.1"));
            System.out.println("two pods   " + said(inside(network, pods.getFirst()), inside(network, pods.getLast()), address));
        }
        pods.forEach(network::detach);
    }

    private static List<String> inside(PodNetwork network, String uid) {
        var namespace = network.of(uid).orElseThrow().namespace();
        var ours = "/proc/" + ProcessHandle.current().pid() + "/fd/";
        var line = new ArrayList<>(List.of("nsenter", "--net=" + ours + namespace.descriptor()));
        namespace.owner().ifPresent(owner -> line.addAll(List.of("--user=" + ours + owner, "--preserve-credentials")));
        line.add("--");
        return line;
    }

    private static String said(List<String> server, List<String> client, String address) throws Exception {
        var listening = python(server, SERVER, address);
        try (var ready = listening.inputReader()) {
            ready.readLine();
            try (var answer = python(client, CLIENT, address).inputReader()) {
                return answer.readLine();
            }
        } finally {
            listening.destroy();
            listening.waitFor();
        }
    }

    private static Process python(List<String> before, String program, String address) throws Exception {
        var line = new ArrayList<>(before);
        line.addAll(List.of("/usr/bin/python3", "-c", program, address, "18917"));
        return new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static Resource pod(String uid) {
        return Resource.of((Json.Obj) YamlText.parse(
                "{metadata: {name: p, namespace: n, uid: %s, annotations: {towtank.dev/network: own}}, spec: {}}"
                        .formatted(uid)));
    }

    private static void report(String what, long[] times) {
        Arrays.sort(times);
        System.out.printf(
                "%-10s median %.2f ms, 95%% %.2f ms%n",
                what, times[times.length / 2] / 1e6, times[times.length * 95 / 100] / 1e6);
    }

    private static final class NoCallers implements PodNetwork.Callers {
        @Override
        public void avoid(String address) {}

        @Override
        public void leave(String address, boolean isCut) {}
    }
}
