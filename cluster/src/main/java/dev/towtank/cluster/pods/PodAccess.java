package dev.towtank.cluster.pods;

import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// The way into running pods. Who may do what has been decided before one gets here.
///
/// Refusals (no such container, not started yet, terminated) are [dev.towtank.model.StatusError]s with the texts of
/// Kubernetes. All streams block, and end when the container does or when they are closed.
public interface PodAccess {

    /// Where no pods run.
    PodAccess NONE = new PodAccess() {
        @Override
        public InputStream log(Resource pod, LogRequest request) {
            throw noNode();
        }

        @Override
        public Session exec(Resource pod, ExecRequest request) {
            throw noNode();
        }

        @Override
        public Session attach(Resource pod, ExecRequest request) {
            throw noNode();
        }

        @Override
        public Connection connect(Resource pod, int port) {
            throw noNode();
        }

        private static StatusError noNode() {
            return new StatusError(StatusError.Reason.SERVICE_UNAVAILABLE, "no node runs pods here");
        }
    };

    /// The container's stored log; with `follow`, what will be written too.
    InputStream log(Resource pod, LogRequest request);

    /// Whether the oldest lines of a container's log are gone, as nodes keep logs up to a size. Where that cannot be
    /// known, they are taken to be there.
    default boolean lacksBeginning(Resource pod, String container) {
        return false;
    }

    /// Starts one more process inside the container.
    Session exec(Resource pod, ExecRequest request);

    /// The streams of the container's own process.
    Session attach(Resource pod, ExecRequest request);

    /// A connection to a port on which something in the pod listens.
    Connection connect(Resource pod, int port);

    /// Where a port at a pod's address is reached from this machine, as `host:port`: the same, unless pods are behind
    /// a network of their own.
    default String authority(String podAddress, int port) {
        return podAddress + ":" + port;
    }

    /// Whether pods that listen have networks of their own, and so all ports, as those of a real cluster do.
    default boolean givesNetworks() {
        return true;
    }

    /// What the running containers of a pod use, by their names; those of which it is not known are left out.
    default Map<String, Usage> usage(Resource pod) {
        return Map.of();
    }

    /// What all of the machine uses.
    default Optional<Usage> machineUsage() {
        return Optional.empty();
    }

    /// @param container empty: the only one, or the one that `kubectl.kubernetes.io/default-container` names
    /// @param limitBytes the answer is cut off behind these many bytes
    record LogRequest(
            String container,
            boolean follow,
            boolean previous,
            boolean timestamps,
            Optional<Duration> since,
            Optional<Instant> sinceTime,
            OptionalLong tailLines,
            OptionalLong limitBytes) {}

    /// @param command empty for attach
    record ExecRequest(
            String container, List<String> command, boolean stdin, boolean stdout, boolean stderr, boolean tty) {
        public ExecRequest {
            command = List.copyOf(command);
        }
    }

    /// A process that somebody talks with; closing it ends the process where it was started for this session.
    interface Session extends AutoCloseable {

        /// To the process; closing it is end of input.
        OutputStream stdin();

        InputStream stdout();

        /// Always at its end when there is a terminal: there, all output is one stream.
        InputStream stderr();

        /// A new size of the terminal; nothing without one.
        void resize(int columns, int rows);

        /// The exit code, once the process has ended; empty when that cannot be known (attach).
        OptionalInt await() throws InterruptedException;

        @Override
        void close();
    }

    interface Connection extends AutoCloseable {

        InputStream input();

        OutputStream output();

        @Override
        void close();
    }
}
