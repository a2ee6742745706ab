package dev.towtank.app.engine;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Timers;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.node.images.RealImages;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Takes images away that no pod has used for long, and more where the disk is full.
final class ImageUpkeep implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(ImageUpkeep.class.getName());
    private static final Duration BETWEEN = Duration.ofMinutes(10);

    private final RealImages images;
    private final Cluster cluster;
    private final Timers timers;

    // Guarded by this object's monitor.
    private Timers.Timer next;
    private boolean closed;

    ImageUpkeep(RealImages images, Cluster cluster, Timers timers) {
        this.images = images;
        this.cluster = cluster;
        this.timers = timers;
        this.next = later();
    }

    private Timers.Timer later() {
        return timers.at(
                timers.instant().plus(BETWEEN),
                () -> Thread.ofVirtual().name("image upkeep").start(this::work));
    }

    private void work() {
        try {
            var gone = images.collect(
                    used(cluster.list(Pods.KIND, Selection.EVERYWHERE).items()));
            if (!gone.isEmpty()) {
                LOG.log(Level.INFO, "took away images that nobody uses: {0}", gone);
            }
        } catch (IOException | StatusError e) {
            LOG.log(Level.WARNING, "cannot tidy up the images: {0}", e.getMessage());
        }
        synchronized (this) {
            if (!closed) {
                next = later();
            }
        }
    }

    /// The digests of images on which containers run, or may be started again.
    static Set<String> used(List<? extends Resource> pods) {
        return pods.stream()
                .filter(pod ->
                        !List.of("Succeeded", "Failed").contains(pod.status().string("phase")))
                .flatMap(pod -> Stream.of("initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses")
                        .flatMap(list -> pod.status().objects(list).stream()))
                .map(status -> status.string("imageID"))
                .filter(id -> id.matches(".*@sha256:[0-9a-f]{64}"))
                .map(id -> id.substring(id.indexOf('@') + 1))
                .collect(Collectors.toSet());
    }

    @Override
    public synchronized void close() {
        closed = true;
        next.cancel();
    }
}
