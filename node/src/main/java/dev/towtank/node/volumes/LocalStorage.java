package dev.towtank.node.volumes;

import dev.towtank.model.Quantity;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.PodResources;
import dev.towtank.model.kinds.ResourceLists;
import dev.towtank.node.linux.DiskUsage;
import dev.towtank.node.linux.UnlinkedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a pod has written to this machine besides its containers' roots, which have bounds of their own, and
/// whether that is more than it may.
///
/// @param directory of the pod, with its logs
/// @param emptyDirectories by the names of their volumes
/// @param processes the first ones of its containers, which may hold files that have no name any more
record LocalStorage(Resource pod, Path directory, Map<String, Path> emptyDirectories, List<Integer> processes) {

    private static final String RESOURCE = "ephemeral-storage";
    private static final long MOST_RESERVED = 2L << 30;

    /// The text for the pod's eviction, in the words of Kubernetes.
    Optional<String> exceeded() {
        return volume().or(this::limit).or(this::lowDisk);
    }

    private Optional<String> volume() {
        for (var volume : pod.spec().objects("volumes")) {
            var limit = ResourceLists.quantity(volume.at("emptyDir", "sizeLimit"));
            var place = emptyDirectories.get(volume.string("name"));
            if (limit.isPresent()
                    && place != null
                    && exceeds(List.of(place), limit.get().value())) {
                return Optional.of("Usage of EmptyDir volume \"" + volume.string("name") + "\" exceeds the limit \""
                        + limit.get() + "\". ");
            }
        }
        return Optional.empty();
    }

    private Optional<String> limit() {
        var limit = PodResources.limits(pod.spec()).get(RESOURCE);
        return limit != null && limit.signum() > 0 && exceeds(onDisk(), limit.value())
                ? Optional.of("Pod ephemeral local storage usage exceeds the total limit of containers " + limit + ". ")
                : Optional.empty();
    }

    private boolean exceeds(List<Path> places, long limit) {
        return DiskUsage.exceeds(places, limit)
                || DiskUsage.exceeds(places, limit - UnlinkedFiles.bytes(processes, emptyDirectories(places)));
    }

    private List<Path> emptyDirectories(List<Path> places) {
        return places.stream().filter(emptyDirectories::containsValue).toList();
    }

    private List<Path> onDisk() {
        var all = new ArrayList<Path>();
        for (var volume : pod.spec().objects("volumes")) {
            var place = emptyDirectories.get(volume.string("name"));
            if (place != null && !volume.string("emptyDir", "medium").equals("Memory")) {
                all.add(place);
            }
        }
        all.add(directory.resolve("containers"));
        return all;
    }

    /// Nobody said how much it may be: then it may be what there is, but for a reserve.
    private Optional<String> lowDisk() {
        for (var place : emptyDirectories.values()) {
            try {
                var disk = Files.getFileStore(place);
                long reserve = reserve(disk.getTotalSpace());
                long usable = disk.getUsableSpace();
                // Whoever wrote little did not fill it.
                if (usable < reserve && exceeds(List.of(place), reserve / 2)) {
                    return Optional.of("The node was low on resource: " + RESOURCE + ". Threshold quantity: "
                            + kibibytes(reserve) + ", available: " + kibibytes(usable) + ". ");
                }
            } catch (IOException e) {
                // gone with its pod
            }
        }
        return Optional.empty();
    }

    static long reserve(long total) {
        return Math.min(total / 20, MOST_RESERVED);
    }

    private static Quantity kibibytes(long bytes) {
        return Quantity.parse(bytes / 1024 + "Ki");
    }
}
