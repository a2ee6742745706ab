package dev.towtank.node.pods;

import dev.towtank.model.Resource;
import dev.towtank.node.volumes.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What is on disk for a pod besides its volumes.
final class PodFiles {

    private PodFiles() {}

    /// The numbers of the runs of a container that there are files of, in their order.
    static List<Integer> attempts(NodeParts parts, String podUid, String container) throws IOException {
        var directory = ContainerRun.directories(parts, podUid, container);
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        var attempts = new ArrayList<Integer>();
        try (var entries = Files.newDirectoryStream(directory, "[0-9]*")) {
            for (var entry : entries) {
                attempts.add(Integer.parseInt(entry.getFileName().toString()));
            }
        }
        attempts.sort(Integer::compare);
        return attempts;
    }

    /// Ends and deletes everything of a pod.
    static void remove(NodeParts parts, Resource pod) throws IOException {
        remove(parts, pod.uid());
    }

    static void remove(NodeParts parts, String podUid) throws IOException {
        var containers = parts.directory(podUid).resolve("containers");
        if (Files.isDirectory(containers)) {
            try (var names = Files.newDirectoryStream(containers)) {
                for (var each : names) {
                    removeRuns(parts, podUid, each);
                }
            }
        }
        Directories.deleteAll(parts.directory(podUid));
        if (parts.volumes().memory().isPresent()) {
            Directories.deleteAll(parts.volumes().memory().get().resolve(podUid));
        }
    }

    private static void removeRuns(NodeParts parts, String podUid, Path container) throws IOException {
        var name = container.getFileName().toString();
        for (int attempt : attempts(parts, podUid, name)) {
            parts.sandbox()
                    .remove(
                            ContainerRun.id(podUid, name, attempt),
                            ContainerRun.directory(parts, podUid, name, attempt));
        }
    }
}
