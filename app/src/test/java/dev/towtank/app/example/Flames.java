package dev.towtank.app.example;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;

/// What flames have said at last, out of the logs of their pods.
record Flames(PodAccess access, Cache pods) {

    private static final PodAccess.LogRequest LAST_LINE = new PodAccess.LogRequest(
            "", false, false, false, Optional.empty(), Optional.empty(), OptionalLong.of(1), OptionalLong.of(1 << 10));

    /// @param port where towns are told
    String report(int port) throws IOException {
        var text = new StringBuilder("towns: http://127.0.0.1:" + port + "/\n");
        for (var pod : pods.list()) {
            if (pod.labels().containsKey(Flame.LABEL)
                    && pod.status().string("phase").equals("Succeeded")) {
                text.append(pod.name()).append(": ").append(lastLine(pod));
            }
        }
        return text.toString();
    }

    private String lastLine(Resource pod) throws IOException {
        try (var log = access.log(pod, LAST_LINE)) {
            return new String(log.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
