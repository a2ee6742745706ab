package dev.towtank.node.sandbox;

import dev.towtank.node.linux.Signal;
import dev.towtank.node.logs.ContainerLog;
import dev.towtank.node.logs.ContainerLogs;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/// A container whose end was seen by an earlier server.
record EndedContainer(String id, Instant startedAt, Exit end, Path logDirectory) implements RunningProcess {

    @Override
    public Exit await() {
        return end;
    }

    @Override
    public Optional<Exit> exit() {
        return Optional.of(end);
    }

    @Override
    public void signal(Signal signal) {
        // nobody is there to get it
    }

    @Override
    public ContainerLog log() {
        return ContainerLogs.stored(logDirectory);
    }
}
