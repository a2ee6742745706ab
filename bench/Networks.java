import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.node.network.PodNetworks;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/// What a network of its own costs a pod: made and taken away, without any container. For root.
final class Networks {

    private Networks() {}

    public static void main(String[] arguments) throws Exception {
        int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 300;
        var home = Files.createTempDirectory("towtank-bench");
        try (var network = PodNetworks.open(home, List::of)) {
            var makes = new long[count];
            var ends = new long[count];
            for (int i = 0; i < count; i++) {
                var uid = UUID.randomUUID().toString();
                var pod = Resource.of((Json.Obj) YamlText.parse(
                        "{metadata: {name: p, namespace: n, uid: %s, annotations: {towtank.dev/network: own}}, spec: {}}"
                                .formatted(uid)));
                long begun = System.nanoTime();
                network.attach(pod, home.resolve(uid));
                long made = System.nanoTime();
                network.detach(uid);
                makes[i] = made - begun;
                ends[i] = System.nanoTime() - made;
            }
            network.dismantle();
            report("make", makes);
            report("take away", ends);
        }
    }

    private static void report(String what, long[] times) {
        Arrays.sort(times);
        System.out.printf(
                "%-10s median %.2f ms, 95%% %.2f ms%n",
                what, times[times.length / 2] / 1e6, times[times.length * 95 / 100] / 1e6);
    }
}
