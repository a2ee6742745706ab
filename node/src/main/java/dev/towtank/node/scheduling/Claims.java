package dev.towtank.node.scheduling;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The claims that a pod mounts.
record Claims(Resource pod, Storage storage) {

    static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    /// Something that no node can change.
    Optional<String> problem() {
        for (var name : names(pod)) {
            var claim = storage.claim(pod, name);
            if (claim.isEmpty()) {
                return Optional.of("persistentvolumeclaim \"" + name + "\" not found");
            }
            var problem = problem(claim.get());
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private Optional<String> problem(Resource claim) {
        var named = "persistentvolumeclaim \"" + claim.name() + "\" ";
        if (claim.isDeleting()) {
            return Optional.of(named + "is being deleted");
        }
        if (claim.status().string("phase").equals("Lost")) {
            return Optional.of(named + "bound to non-existent persistentvolume \""
                    + claim.spec().string("volumeName") + "\"");
        }
        return isBound(claim) || waitsForConsumer(claim)
                ? Optional.empty()
                : Optional.of("pod has unbound immediate PersistentVolumeClaims");
    }

    /// Another pod has a claim that is for one pod alone.
    Optional<String> conflict(Usage usage) {
        for (var name : names(pod)) {
            var alone = storage.claim(pod, name)
                    .filter(claim -> claim.spec().array("accessModes").strings().contains("ReadWriteOncePod"));
            if (alone.isEmpty()) {
                continue;
            }
            for (var placed : usage.pods()) {
                var other = placed.pod();
                if (!other.uid().equals(pod.uid())
                        && other.cluster().equals(pod.cluster())
                        && other.namespace().equals(pod.namespace())
                        && names(other).contains(name)) {
                    return Optional.of("node has pod using PersistentVolumeClaim with the same name and"
                            + " ReadWriteOncePod access mode");
                }
            }
        }
        return Optional.empty();
    }

    /// Claims that get their volume when a node is chosen.
    List<String> waiting() {
        return names(pod).stream()
                .filter(name -> storage.claim(pod, name)
                        .filter(claim -> !isBound(claim))
                        .isPresent())
                .toList();
    }

    private static boolean isBound(Resource claim) {
        return claim.status().string("phase").equals("Bound");
    }

    private boolean waitsForConsumer(Resource claim) {
        return storage.storageClass(claim)
                .filter(kind -> kind.json().string("volumeBindingMode").equals("WaitForFirstConsumer"))
                .isPresent();
    }

    static List<String> names(Resource pod) {
        var names = new ArrayList<String>();
        for (var volume : pod.spec().objects("volumes")) {
            if (volume.get("persistentVolumeClaim") instanceof Json.Obj source) {
                names.add(source.string("claimName"));
            } else if (volume.has("ephemeral")) {
                names.add(pod.name() + "-" + volume.string("name"));
            }
        }
        return names;
    }
}
