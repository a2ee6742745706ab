package dev.towtank.node.sandbox;

import dev.towtank.cluster.pods.PodAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/// Containers as process trees of this machine; the only place where processes start.
///
/// A container has a directory that holds all that is known of it while it runs, and its processes do not need this
/// one: they run on when the server dies, and [#join] finds them. One directory is one run: a restarted container
/// is a new one.
public interface Sandbox extends AutoCloseable {

    /// Starts a container; a command that cannot be started shows up as [Exit.NotStarted], not here.
    ///
    /// @throws IOException the sandbox itself could not be started; nothing is left behind
    RunningProcess start(ContainerSpec spec) throws IOException;

    /// Finds what [#start] began in this directory, be it of an earlier server: running, ended meanwhile, or
    /// lost with the machine. Empty when nothing was ever started there.
    Optional<RunningProcess> join(ContainerTrace trace) throws IOException;

    /// Starts one more process in a running container. Closing the session kills it.
    ///
    /// @throws IOException the container has ended, or the process cannot be started
    PodAccess.Session exec(String id, ExecSpec command) throws IOException;

    /// The streams of the container's own process: what it says from now on, and its input if it has one.
    PodAccess.Session attach(String id) throws IOException;

    /// Sets how much memory and of the processors all processes of a running container may use from now on.
    ///
    /// @throws IOException it cannot be set, as where processes use more already
    void resize(String id, ContainerSpec.Limits limits) throws IOException;

    /// How many bytes a running container may write to its root, if it has written more: where the kernel refuses no
    /// write beyond that, whoever started it asks now and then, and ends it.
    default OptionalLong overfull(String id) {
        return OptionalLong.empty();
    }

    /// Kills what is left of a container and deletes its directory; its log is left. Nothing to do is fine.
    void remove(String id, Path directory) throws IOException;

    /// What this sandbox can promise on this machine, for the Node object and for statuses.
    Abilities abilities();

    /// Whether containers can be started in networks beside the machine's.
    default boolean takesNetworks() {
        return false;
    }

    /// Stops looking after the containers; they run on.
    @Override
    void close();
}
