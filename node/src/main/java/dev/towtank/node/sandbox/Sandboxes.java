package dev.towtank.node.sandbox;

import dev.towtank.cluster.pods.ImageShelf;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.images.store.UnpackLimits;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.logs.LogWriter;
import dev.towtank.node.sandbox.machine.MachineSettings;
import dev.towtank.node.sandbox.machine.MachineView;
import dev.towtank.node.sandbox.machine.SandboxCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/// Makes the sandboxes that there are.
public final class Sandboxes {

    private Sandboxes() {}

    /// Containers fenced in by bubblewrap.
    ///
    /// @param shared a directory for what all containers need, the same after each restart of the server
    /// @throws IOException it does not work on this machine; the message says why and what to do
    public static Sandbox bubblewrap(Path shared, InstantSource clock) throws IOException {
        return bubblewrap(shared, shared, clock);
    }

    /// @param kept a directory for what is made of the machine's own files, which several servers may share
    public static Sandbox bubblewrap(Path shared, Path kept, InstantSource clock) throws IOException {
        return bubblewrap(shared, kept, LogWriter.Bounds.usual(), clock);
    }

    /// @param copies whether containers on images get copies of their files in any case
    public static Sandbox bubblewrap(Path shared, Path kept, boolean copies, InstantSource clock) throws IOException {
        return bubblewrap(shared, kept, copies, LogWriter.Bounds.usual(), clock);
    }

    static Sandbox bubblewrap(Path shared, Path kept, LogWriter.Bounds logs, InstantSource clock) throws IOException {
        return bubblewrap(shared, kept, false, logs, clock);
    }

    private static Sandbox bubblewrap(
            Path shared, Path kept, boolean copies, LogWriter.Bounds logs, InstantSource clock) throws IOException {
        var cgroups = Cgroups.find(Integer.toHexString(shared.toAbsolutePath().hashCode()));
        return bubblewrap(shared, kept, copies, logs, clock, cgroups, !cgroups.none());
    }

    /// As if cgroups bounded each container, where a test has none.
    static Sandbox bounded(Path shared, InstantSource clock) throws IOException {
        var cgroups = Cgroups.find(Integer.toHexString(shared.toAbsolutePath().hashCode()));
        return bubblewrap(shared, shared, false, LogWriter.Bounds.usual(), clock, cgroups, true);
    }

    private static Sandbox bubblewrap(
            Path shared,
            Path kept,
            boolean copies,
            LogWriter.Bounds logs,
            InstantSource clock,
            Cgroups cgroups,
            boolean bounded)
            throws IOException {
        Files.createDirectories(shared);
        Files.createDirectories(kept);
        var check = SandboxCheck.run(kept);
        if (!check.usable()) {
            throw new IOException(check.refusal());
        }
        var machine = MachineView.look();
        var settings = new MachineSettings(kept);
        var _ = settings.current(); // so that the first container need not wait for it
        var programs = new BubblewrapJail.Programs(program("bwrap"), program("nsenter"), program("setpriv"));
        var roots = new ImageRoots.Copied(shared.resolve("roots"), Processes.boot(), machine, UnpackLimits.USUAL);
        var problem = copies ? Optional.of("the server was told so") : check.overlayProblem();
        var jail = new BubblewrapJail(machine, kept, settings, programs, roots, problem, bounded);
        boolean boundByUser = cgroups.none() && !machine.root();
        return new ProcessSandbox(shared, jail, cgroups, program("bash"), boundByUser, logs, clock);
    }

    /// Containers of another engine, which runs real images.
    ///
    /// @param name `podman` or `docker`
    /// @throws IOException it does not work on this machine; the message says why and what to do
    public static Sandbox engine(String name, Path shared, InstantSource clock) throws IOException {
        Files.createDirectories(shared);
        return engine(ContainerEngine.find(name, shared), shared, clock);
    }

    static Sandbox engine(ContainerEngine engine, Path shared, InstantSource clock) throws IOException {
        var said = engine.run("info");
        if (said.code() != 0) {
            throw new IOException(engine.name() + " does not work here (it said: " + said.problem() + "). Try '"
                    + engine.name() + " info' by hand.");
        }
        var jail = new EngineJail(engine, program("sh"));
        return new ProcessSandbox(
                shared, jail, Cgroups.without(), program("bash"), false, LogWriter.Bounds.usual(), clock);
    }

    /// The images that such an engine has and gets.
    ///
    /// @throws IOException there is no such engine; the message says what to do
    public static ImageMap engineImages(String name, Path shared) throws IOException {
        Files.createDirectories(shared);
        return new EngineImages(ContainerEngine.find(name, shared));
    }

    /// What builds images with such an engine.
    ///
    /// @throws IOException there is no such engine; the message says what to do
    public static ImageShelf.Engine engineBuilds(String name, Path shared) throws IOException {
        Files.createDirectories(shared);
        return new EngineBuilds(ContainerEngine.find(name, shared));
    }

    /// Plain processes: no isolation of any kind.
    public static Sandbox unsafe(Path shared, InstantSource clock) throws IOException {
        var jail = new HostJail(program("sh"));
        return new ProcessSandbox(
                shared, jail, Cgroups.without(), program("bash"), false, LogWriter.Bounds.usual(), clock);
    }

    private static Path program(String name) throws IOException {
        return MachineView.program(name).orElseThrow(() -> new IOException("the program " + name + " is missing"));
    }
}
