package dev.towtank.node.sandbox;

import dev.towtank.node.linux.Signal;
import dev.towtank.node.logs.ContainerLog;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/// A container's first process, for as long as the server looks after it, and beyond its end.
public interface RunningProcess {

    String id();

    Instant startedAt();

    /// How it ended, once the log holds everything that it wrote.
    Exit await() throws InterruptedException;

    /// The same without waiting; empty while it runs.
    Optional<Exit> exit();

    /// To the container's first process alone; nothing when it has ended.
    void signal(Signal signal);

    /// Ends every process of the container, whatever they do about it.
    default void kill() {
        signal(Signal.KILL);
    }

    ContainerLog log();

    /// The number that this machine has for it, where it has a pid namespace of its own and has begun.
    default OptionalInt number() {
        return OptionalInt.empty();
    }
}
