package dev.towtank.cluster;

import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.cluster.web.WebDoor;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/// All that a feature may have.
///
/// @param cluster the API under the feature's own identity
/// @param caches of the kinds that it may read; shared with other features
/// @param follower of kinds that it only meets while it runs, and may read; shared likewise
/// @param events takes what is to be told about an object
public record Place(
        String feature,
        Cluster cluster,
        Caches caches,
        KindFollower follower,
        Consumer<Change.Event> events,
        Ground ground) {

    public Timers timers() {
        return ground.timers();
    }

    public Meters meters() {
        return ground.meters();
    }

    public PodAccess pods() {
        return ground.pods();
    }

    public WebDoor web() {
        return ground.web();
    }

    /// A directory of the feature's own, which only its user may read; made when it is asked for.
    public Path directory() {
        var below = ground.directory()
                .orElseThrow(() -> new StatusError(
                        StatusError.Reason.SERVICE_UNAVAILABLE,
                        feature + " needs a directory, and this place has none: start it with one"));
        try {
            return PrivateDirectory.make(Files.createDirectories(below).resolve(feature));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the directory of " + feature, e);
        }
    }
}
