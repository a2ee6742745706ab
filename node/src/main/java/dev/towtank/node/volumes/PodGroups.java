package dev.towtank.node.volumes;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Groups that all processes of a pod are in, and the one to which its volumes belong.
public final class PodGroups {

    private PodGroups() {}

    /// Besides the one that each process has for itself.
    public static List<Integer> further(Resource pod) {
        var all = new ArrayList<Integer>();
        ofVolumes(pod).ifPresent(all::add);
        pod.spec().object("securityContext").array("supplementalGroups").integers().stream()
                .map(Long::intValue)
                .filter(id -> !all.contains(id))
                .forEach(all::add);
        return all;
    }

    static Optional<Integer> ofVolumes(Resource pod) {
        return pod.spec().at("securityContext", "fsGroup") instanceof Json.Int(var id)
                ? Optional.of((int) id)
                : Optional.empty();
    }
}
