package dev.towtank.node.sandbox;

import dev.towtank.node.linux.Descriptors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Mounts that must be those that were meant, and the places at which whoever makes them stops for us to look.
///
/// Whoever uses it holds a lock.
final class Fence implements AutoCloseable {

    /// What is compared there.
    enum What {
        /// All that lies in no other volume, and the sources of what does: before anything is made in a volume.
        SOURCES,
        /// Everything: before the command begins.
        ALL
    }

    /// A pipe that takes bytes when somebody has come so far; closed, it lets them go on.
    static final class Stop implements AutoCloseable {

        private final What what;
        private final int pipe;
        private boolean closed;

        Stop(What what, int pipe) {
            this.what = what;
            this.pipe = pipe;
        }

        int pipe() {
            return pipe;
        }

        What what() {
            return what;
        }

        /// False when the monitor came to its end before.
        boolean isReached() throws IOException {
            return !closed && !Descriptors.holdsAnything(pipe);
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                Descriptors.close(pipe);
            }
        }
    }

    private final List<Stop> stops;
    private final FencedMounts mounts;

    Fence(List<Stop> stops, FencedMounts mounts) {
        this.stops = List.copyOf(stops);
        this.mounts = mounts;
    }

    /// Those at which nobody was let go on yet.
    List<Stop> stops() {
        return stops.stream().filter(stop -> !stop.closed).toList();
    }

    /// @param process the container's first one, in which they are
    /// @throws IOException they are others; the message is for people
    void compare(What what, int process) throws IOException {
        var base = Path.of("/proc/" + process + "/root"); // bubblewrap's own, until it is done
        switch (what) {
            case SOURCES -> mounts.compareSources(base);
            case ALL -> mounts.compare(base.resolve("newroot"));
        }
    }

    @Override
    public void close() {
        mounts.close();
        stops.forEach(Stop::close);
    }
}
