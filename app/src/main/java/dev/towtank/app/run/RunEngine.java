package dev.towtank.app.run;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.pods.PodAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// What a run runs on: an engine of its own, or one that runs anyway.
public interface RunEngine extends AutoCloseable {

    Cluster cluster();

    PodAccess pods();

    /// Ends all containers of its own at once, without waiting for them to tidy up.
    void kill();

    /// Ends what belongs to this run alone, and leaves nothing behind.
    @Override
    void close();

    @FunctionalInterface
    interface Starter {
        RunEngine start(Site site) throws IOException;
    }

    /// @param directory for all that the engine keeps; made by it
    /// @param hostPaths directories of this machine that the run works in
    /// @param isKept the objects must still be there when the engine has ended
    record Site(Path directory, List<Path> hostPaths, boolean isKept) {
        public Site {
            hostPaths = List.copyOf(hostPaths);
        }
    }
}
