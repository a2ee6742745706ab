package dev.towtank.node.volumes;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What the node allows, and where it keeps the volumes of pods.
///
/// @param pods a directory per pod is made in here
/// @param claims a directory per persistent volume is made in here
/// @param memory a directory whose files are in memory; without one they are on disk
/// @param hostPaths directories of this machine that pods may mount, with all below them; none is the usual
public record VolumeSettings(Path pods, Path claims, Optional<Path> memory, List<Path> hostPaths) {

    public VolumeSettings {
        hostPaths = hostPaths.stream()
                .map(path -> path.toAbsolutePath().normalize())
                .toList();
    }

    boolean allows(Path hostPath) {
        return hostPaths.stream().anyMatch(hostPath::startsWith);
    }

    Path of(String podUid) {
        return pods.resolve(podUid);
    }
}
