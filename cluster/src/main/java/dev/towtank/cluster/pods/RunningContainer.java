package dev.towtank.cluster.pods;

import dev.towtank.model.Resource;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// The container that a [ContainerProgram] runs in.
public interface RunningContainer {

    /// The pod as it is now: its annotations may have changed since the last call.
    Resource pod();

    String name();

    /// Command and arguments with `$(VAR)` expanded.
    List<String> command();

    /// The container's environment, complete.
    Map<String, String> environment();

    /// What its image says is to be run, known by now in any case.
    default ImageCommands.ImageCommand imageCommand() {
        return new ImageCommands.ImageCommand(List.of(), List.of());
    }

    InstantSource clock();

    /// Starts the container's one process, or joins it where it was started before, and waits for its end.
    Exit run(Command command) throws InterruptedException;

    /// Waits until it is true. It is asked again when a program of this pod has written a file or ended,
    /// when a process of this pod has ended, and when the pod object has changed.
    void await(BooleanSupplier condition) throws InterruptedException;

    /// Ends the process that [#run] waits for, as by SIGKILL; nothing where there is none.
    default void kill() {
        throw new UnsupportedOperationException("this node cannot kill the process of a container program");
    }

    /// Adds a line to the container's log.
    void log(String line);

    // Files, by the path inside the container, in its volumes and at its termination message path alone. A way
    // that leads through a symbolic link, or out of the volume, is refused with an IOException that says so.

    boolean exists(String path);

    /// Names in a directory; none when it does not exist.
    List<String> list(String path) throws IOException;

    /// The content of a regular file.
    ///
    /// @throws IOException it is no regular file, or larger than `limit`
    Optional<byte[]> read(String path, int limit) throws IOException;

    /// Writes a file at once, with its parent directories.
    void write(String path, byte[] content, int mode) throws IOException;

    /// A symbolic link to a path inside the container; that it is there already, with this target, is fine.
    default void link(String path, String target) throws IOException {
        throw new IOException("this node cannot link " + path + " to " + target);
    }

    /// A directory with its parents, and the mode of the last one.
    void makeDirectory(String path, int mode) throws IOException;

    /// @param environment in place of the container's own
    /// @param stdout a file inside the container that gets a copy of it
    /// @param timeout after it the process is killed
    record Command(
            List<String> arguments,
            Map<String, String> environment,
            Optional<String> stdout,
            Optional<String> stderr,
            Optional<Duration> timeout) {
        public Command {
            arguments = List.copyOf(arguments);
            environment = Map.copyOf(environment);
        }

        @Override
        public String toString() {
            return "Command" + arguments; // an environment may hold secrets
        }
    }

    /// @param problem why the process could not be started at all (`code` is then 127 or 126)
    record Exit(int code, boolean timedOut, Optional<String> problem) {}
}
