package dev.towtank.app.doctor;

import dev.towtank.node.sandbox.machine.SandboxCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What the doctor may ask, so that a test can be another machine.
interface ExaminedMachine {

    /// The program that a name means to the user's shell.
    public Optional<Path> program(String name);

    /// The first line that a program prints, or nothing when it fails or takes too long.
    Optional<String> answer(List<String> command);

    /// What a small file says, such as one of `/proc`.
    Optional<String> read(Path file);

    boolean isWritable(Path file);

    boolean isRoot();

    SandboxCheck sandbox(Path data);

    /// How many bytes may still be written at a place.
    long freeBytes(Path directory) throws IOException;

    /// How long it takes until a few bytes are on the disk.
    Duration sync(Path directory) throws IOException;

    boolean isPortFree(int port);
}
