package dev.towtank.node.sandbox;

import dev.towtank.node.logs.LogWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

/// Makes the sandboxes that there are.
public final class Sandboxes {

    private Sandboxes() {}

    /// Containers fenced in by bubblewrap.
    ///
    /// @param shared a directory for what all containers need, the same after each restart of the server
    /// @throws IOException it does not work on this machine; the message says why and what to do
    public static Sandbox bubblewrap(Path shared, InstantSource clock) throws IOException {
        return bubblewrap(shared, LogWriter.Bounds.usual(), clock);
    }

    static Sandbox bubblewrap(Path shared, LogWriter.Bounds logs, InstantSource clock) throws IOException {
        var check = SandboxCheck.run();
        if (!check.usable()) {
            throw new IOException(check.refusal());
        }
        var machine = Machine.look();
        Files.createDirectories(shared);
        MachineSettings.copy(machine.settings(), shared);
        var jail = new BubblewrapJail(machine, program("bwrap"), program("nsenter"), program("setpriv"));
        var cgroups = Cgroups.find(Integer.toHexString(shared.toAbsolutePath().hashCode()));
        boolean boundByUser = cgroups.none() && !machine.root();
        return new ProcessSandbox(shared, jail, cgroups, program("bash"), boundByUser, logs, clock);
    }

    /// Plain processes: no isolation of any kind.
    public static Sandbox unsafe(Path shared, InstantSource clock) throws IOException {
        var jail = new HostJail(program("sh"));
        return new ProcessSandbox(
                shared, jail, Cgroups.without(), program("bash"), false, LogWriter.Bounds.usual(), clock);
    }

    private static Path program(String name) throws IOException {
        return Machine.program(name).orElseThrow(() -> new IOException("the program " + name + " is missing"));
    }
}
