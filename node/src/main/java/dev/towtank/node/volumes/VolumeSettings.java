package dev.towtank.node.volumes;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What the node allows, and where it keeps the files of pods.
///
/// @param pods a directory per pod is made in here, for logs and for volumes that may become large
/// @param claims a directory per persistent volume is made in here
/// @param memory a directory whose files are in memory, for what is small, secret or needed only while a pod
///     runs; without one that is on disk, too
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

    /// What outlives a pod's containers.
    public Path of(String podUid) {
        return pods.resolve(podUid);
    }

    /// What only a running pod needs. Names in it that are no volume's have a dot.
    public Path runtime(String podUid) {
        return memory.map(shared -> shared.resolve(podUid))
                .orElseGet(() -> of(podUid).resolve("run"));
    }
}
