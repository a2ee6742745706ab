package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Who listens where among the pods that share the machine's network, as far as they say so. A pod whose program finds
/// its port taken says no more than that it failed; here is who has it.
public final class MachinePorts {

    // Guarded by this object's monitor: names of pods by their uids, in the order in which they came.
    private final Map<Integer, LinkedHashMap<String, String>> users = new TreeMap<>();

    synchronized void use(Resource pod) {
        ports(pod)
                .forEach(port -> users.computeIfAbsent(port, _ -> new LinkedHashMap<>())
                        .putIfAbsent(pod.uid(), Containers.fullName(pod)));
    }

    synchronized void free(String podUid) {
        users.values().forEach(pods -> pods.remove(podUid));
        users.values().removeIf(Map::isEmpty);
    }

    /// A clause for a message: which of its ports another pod had first.
    synchronized Optional<String> taken(Resource pod) {
        for (int port : ports(pod).toArray()) {
            var first = users.getOrDefault(port, new LinkedHashMap<>()).firstEntry();
            if (first != null && !first.getKey().equals(pod.uid())) {
                return Optional.of("port " + port + " of this machine, whose network pods share, is taken by pod "
                        + first.getValue());
            }
        }
        return Optional.empty();
    }

    private static IntStream ports(Resource pod) {
        return Containers.all(pod).stream()
                .flatMap(container -> container.objects("ports").stream())
                .filter(port -> !port.string("protocol").equals("SCTP"))
                .mapToInt(MachinePorts::number);
    }

    private static int number(Json.Obj port) {
        return (int) port.integer("containerPort");
    }
}
