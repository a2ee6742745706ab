package dev.towtank.node.sandbox;

import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.FileTree;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.Signal;
import dev.towtank.node.linux.Spawn;
import dev.towtank.node.linux.SpawningThread;
import dev.towtank.node.linux.Terminal;
import dev.towtank.node.logs.LogWriter;
import dev.towtank.node.logs.SecretMask;
import dev.towtank.node.sandbox.streams.Loop;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// Runs containers as processes that are fenced in by a [Jail].
final class ProcessSandbox implements Sandbox {

    /// Enough for a large build; a fork bomb ends here.
    static final long MOST_PROCESSES = 1024;

    private static final int PIPE = 1 << 18;

    /// How a launcher opens the monitor's first six descriptors. Only its outputs may be open for both ways: see
    /// [#spawn].
    private static final List<String> OPENED = List.of("<", "<>", "<>", "<", "<>", ">>");

    private final ContainerProcess.Workshop workshop;
    private final Launchers launchers;
    private final boolean boundByUser;
    private final LogWriter.Bounds logBounds;
    private final Map<String, ContainerProcess> containers = new ConcurrentHashMap<>();
    private final Sessions sessions = new Sessions();
    private final int none;
    private boolean closed;

    /// @param shared a directory for what all containers need
    /// @param boundByUser the number of processes is bounded for the container's user
    ProcessSandbox(
            Path shared,
            Jail jail,
            Cgroups cgroups,
            Path bash,
            boolean boundByUser,
            LogWriter.Bounds logs,
            InstantSource clock)
            throws IOException {
        this.boundByUser = boundByUser;
        this.logBounds = logs;
        Files.createDirectories(shared);
        var loop = new Loop();
        workshop = new ContainerProcess.Workshop(
                loop, jail, cgroups, new Keeper(shared, bash, loop), bash, clock, Processes.boot());
        launchers = new Launchers(bash, jail, cgroups, MOST_PROCESSES);
        none = Descriptors.open(Path.of("/dev/null"), Descriptors.READ_WRITE, 0);
    }

    @Override
    public RunningProcess start(ContainerSpec spec) throws IOException {
        var files = new ContainerFiles(spec.directory());
        try (var opened = new Opened()) {
            begin(files, spec);
            var release = opened.add(Descriptors.pipe());
            var info = opened.add(Descriptors.forgivingPipe());
            var gatePipe = boundByUser || workshop.jail().gated()
                    ? Optional.of(opened.add(Descriptors.forgivingPipe()))
                    : Optional.<Descriptors.Pipe>empty();
            var terminal = spec.streams().tty() ? Optional.of(terminal(opened)) : Optional.<Terminal>empty();
            var ends = ours(files, spec, opened, terminal);
            var control = List.of(release.readEnd(), info.writeEnd());
            var launched = spawn(files, spec, opened, control, gatePipe, terminal);
            int monitor = launched.monitor();
            try {
                bound(spec, launched);
                var started = started(spec, launched);
                var log = openLog(spec.trace(), started, true);
                files.write(started);
                var container = new ContainerProcess(workshop, spec.id(), files, started, Optional.of(spec), log, ends);
                containers.put(spec.id(), container);
                container.watch(Processes.watch(monitor));
                var gate = gatePipe.map(it -> gate(spec, opened, it, launched));
                container.expectChild(opened.take(info.readEnd()), gate);
                launched.fence().ifPresent(opened::take);
                for (int end : List.of(ends.stdout(), ends.stderr(), ends.stdin(), ends.terminal())) {
                    opened.take(end);
                }
                awaitHeld(files, spec);
                Descriptors.write(release.writeEnd(), workshop.jail().release());
                Descriptors.close(opened.take(release.writeEnd())); // it reads up to the end
                if (gate.isPresent()) { // who is told that it runs may rely on it, even when this server ends at once
                    uninterrupted(spec.id(), gate.get()::awaitClosed);
                }
                return container;
            } catch (IOException | RuntimeException e) {
                Processes.signal(monitor, Signal.KILL.number());
                var _ = Processes.await(monitor);
                containers.remove(spec.id());
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            remove(spec.id(), spec.directory());
            throw e;
        }
    }

    /// From here on no word of the container can be lost.
    private void awaitHeld(ContainerFiles files, ContainerSpec spec) throws IOException {
        uninterrupted(spec.id(), () -> workshop.keeper().await(files.stdout()));
        if (spec.streams().areApart()) {
            uninterrupted(spec.id(), () -> workshop.keeper().await(files.stderr()));
        }
    }

    private interface Waiting {
        void await() throws IOException, InterruptedException;
    }

    private static void uninterrupted(String id, Waiting waiting) throws IOException {
        try {
            waiting.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for container " + id);
        }
    }

    private StartGate gate(ContainerSpec spec, Opened opened, Descriptors.Pipe pipe, Launched launched) {
        long processes = spec.bounds().limits().processes().orElse(MOST_PROCESSES);
        return new StartGate(
                opened.take(pipe.writeEnd()),
                boundByUser ? OptionalLong.of(processes) : OptionalLong.empty(),
                launched.fence());
    }

    /// An earlier server may have died here before it released anything.
    private void begin(ContainerFiles files, ContainerSpec spec) throws IOException {
        var former = containers.get(spec.id());
        if (former != null) {
            uninterrupted(spec.id(), former::awaitTidied);
        }
        FileTree.delete(files.directory());
        FileTree.delete(spec.log());
        Files.createDirectories(files.directory());
        Descriptors.makeFifoForAnybody(files.stdout());
        if (spec.streams().areApart()) {
            Descriptors.makeFifoForAnybody(files.stderr());
        }
        if (spec.streams().stdin()) {
            Descriptors.makeFifoForAnybody(files.stdin());
        }
    }

    private static Terminal terminal(Opened opened) throws IOException {
        var terminal = Terminal.open();
        opened.add(terminal.master());
        Descriptors.setNonblocking(terminal.master());
        return terminal;
    }

    private static ContainerProcess.Ends ours(
            ContainerFiles files, ContainerSpec spec, Opened opened, Optional<Terminal> terminal) throws IOException {
        int flags = Descriptors.READ_WRITE | Descriptors.NONBLOCK;
        int stdout = opened.add(Descriptors.open(files.stdout(), flags, 0));
        Descriptors.enlarge(stdout, PIPE);
        int stderr = spec.streams().areApart() ? opened.add(Descriptors.open(files.stderr(), flags, 0)) : -1;
        int stdin = spec.streams().stdin() ? opened.add(Descriptors.open(files.stdin(), flags, 0)) : -1;
        return new ContainerProcess.Ends(
                stdout, stderr, stdin, terminal.map(Terminal::master).orElse(-1));
    }

    /// The process's ends of its pipes are open for reading, too: it never writes into one that nobody holds.
    private Launched spawn(
            ContainerFiles files,
            ContainerSpec spec,
            Opened opened,
            List<Integer> control,
            Optional<Descriptors.Pipe> gate,
            Optional<Terminal> terminal)
            throws IOException {
        int both = Descriptors.READ_WRITE;
        int stdout = opened.add(Descriptors.open(files.stdout(), both, 0));
        int stderr = spec.streams().areApart() ? opened.add(Descriptors.open(files.stderr(), both, 0)) : stdout;
        int stdin = spec.streams().stdin() ? opened.add(Descriptors.open(files.stdin(), 0, 0)) : none;
        int flags = Descriptors.WRITE_ONLY | Descriptors.CREATE | Descriptors.APPEND;
        int status = opened.add(Descriptors.open(files.status(), flags, 0600));
        var entrance = gate.map(it -> OptionalInt.of(it.writeEnd())).orElse(OptionalInt.empty());
        var master = terminal.map(it -> OptionalInt.of(it.master())).orElse(OptionalInt.empty());
        var prepared = workshop.jail().prepare(spec, entrance, master);
        prepared.more().forEach(opened::add);
        prepared.fence().ifPresent(opened::add);
        workshop.keeper().hold(files.stdout(), stdout);
        if (spec.streams().areApart()) {
            workshop.keeper().hold(files.stderr(), stderr);
        }
        var descriptors = new ArrayList<>(List.of(stdin, stdout, stderr, control.get(0), control.get(1), status));
        if (terminal.isEmpty()) {
            var launched = spec.view().network().namespace().isEmpty() && prepared.canBeLaunched()
                    ? launch(spec, prepared, descriptors)
                    : Optional.<Launched>empty();
            if (launched.isPresent()) {
                return launched.get();
            }
            int monitor = start(spec, prepared.with(descriptors, Optional.empty()));
            return new Launched(monitor, -1, Optional.empty(), prepared.fence());
        }
        var behindTerminal = descriptors.subList(3, descriptors.size());
        int monitor = start(spec, prepared.with(behindTerminal, terminal.map(Terminal::slave)));
        return new Launched(
                monitor,
                workshop.jail().terminalNumber(prepared, gate.isPresent()),
                Optional.empty(),
                prepared.fence());
    }

    /// In its cgroups at once, where threads can be there. Not yet bounded: it shall not slow the thread down.
    private int start(ContainerSpec spec, Spawn.Program program) throws IOException {
        var cgroups = workshop.cgroups();
        var network = spec.view().network().place();
        if (!cgroups.takeThreads()) {
            return workshop.jail().start(spec, program, network);
        }
        cgroups.make(spec.id(), spec.bounds().limits(), MOST_PROCESSES);
        var place = SpawningThread.Place.within(cgroups.place(spec.id()), network);
        return workshop.jail().start(spec, program, place);
    }

    /// Empty when no launcher is ready, or somebody killed the one that was.
    private Optional<Launched> launch(ContainerSpec spec, Jail.Prepared prepared, List<Integer> descriptors)
            throws IOException {
        var handed = new ArrayList<Launchers.Handed>();
        for (int i = 0; i < descriptors.size(); i++) {
            handed.add(new Launchers.Handed(descriptors.get(i), OPENED.get(i)));
        }
        for (int i = 0; i < prepared.more().size(); i++) {
            boolean gate = workshop.jail().gated() && i == prepared.more().size() - 1;
            handed.add(new Launchers.Handed(prepared.more().get(i), gate ? "<>" : "<"));
        }
        var launcher = launchers.launch(prepared.program(), prepared.arguments(), handed);
        if (launcher.isPresent()) {
            workshop.jail().became(spec.id(), launcher.get().thread());
        }
        return launcher.map(it -> new Launched(it.pid(), -1, Optional.of(it.group()), prepared.fence()));
    }

    /// @param terminal under which number the container's first process holds our side of its terminal, or -1
    /// @param group the cgroup in which the monitor is already
    private record Launched(int monitor, int terminal, Optional<String> group, Optional<Fence> fence) {}

    /// While the monitor waits for its release: whatever it starts has these bounds from its first moment.
    private void bound(ContainerSpec spec, Launched launched) throws IOException {
        var cgroups = workshop.cgroups();
        int monitor = launched.monitor();
        var limits = spec.bounds().limits();
        Processes.setOutOfMemoryScore(monitor, limits.outOfMemoryScore());
        if (cgroups.takeThreads()) {
            cgroups.bound(spec.id(), limits, MOST_PROCESSES);
        } else if (launched.group().isPresent()) {
            cgroups.give(spec.id(), launched.group().get(), monitor, limits, MOST_PROCESSES);
        } else {
            cgroups.contain(spec.id(), monitor, limits, MOST_PROCESSES);
        }
        if (cgroups.none() && !workshop.jail().limits() && limits.memoryBytes().isPresent()) {
            Processes.limit(monitor, Processes.LIMIT_DATA, limits.memoryBytes().getAsLong());
        }
    }

    private ContainerFiles.Started started(ContainerSpec spec, Launched launched) {
        return new ContainerFiles.Started(
                launched.monitor(),
                Processes.started(launched.monitor()).orElse(0),
                workshop.boot(),
                workshop.clock().instant(),
                workshop.jail().hasInit(spec),
                spec.streams().areApart(),
                Jail.User.of(spec),
                spec.streams().stdoutCopy(),
                spec.streams().stderrCopy(),
                launched.terminal(),
                workshop.cgroups().group(spec.id()));
    }

    /// What has not found its way into the log yet, secrets among it, stays beside the container's other files.
    private LogWriter openLog(ContainerTrace trace, ContainerFiles.Started started, boolean fresh) throws IOException {
        var options = new LogWriter.Options(
                SecretMask.of(trace.masked()),
                logBounds,
                workshop.jail().voice(),
                started.stdoutCopy(),
                started.stderrCopy());
        return fresh
                ? LogWriter.begin(trace.log(), trace.directory(), options, workshop.clock())
                : LogWriter.open(trace.log(), trace.directory(), options, workshop.clock());
    }

    @Override
    public Optional<RunningProcess> join(ContainerTrace trace) throws IOException {
        var known = containers.get(trace.id());
        if (known != null) {
            return Optional.of(known);
        }
        var files = new ContainerFiles(trace.directory());
        var started = files.readStarted();
        if (started.isEmpty()) {
            return Optional.empty();
        }
        var exit = files.readExit();
        if (exit.isPresent() && files.hasBegun(exit.get())) {
            return Optional.of(new EndedContainer(trace.id(), started.get().at(), exit.get(), trace.log()));
        }
        if (exit.isEmpty()) {
            var container = find(trace, files, started.get());
            var begun = new AtomicBoolean();
            uninterrupted(trace.id(), () -> begun.set(container.begins()));
            if (begun.get()) {
                return Optional.of(container);
            }
        }
        remove(trace.id(), trace.directory()); // nobody was told of it
        return Optional.empty();
    }

    private ContainerProcess find(ContainerTrace trace, ContainerFiles files, ContainerFiles.Started started)
            throws IOException {
        int stdout = reopen(files.stdout());
        int stderr = started.streamsApart() ? reopen(files.stderr()) : -1;
        workshop.cgroups().know(trace.id(), started.group());
        var log = openLog(trace, started, false);
        int terminal = terminal(files, started);
        var container = new ContainerProcess(
                workshop,
                trace.id(),
                files,
                started,
                Optional.empty(),
                log,
                new ContainerProcess.Ends(stdout, stderr, -1, terminal));
        containers.put(trace.id(), container);
        container.found(ContainerFiles.child(files.readStatus()));
        var watch = watch(started);
        if (watch.isPresent()) {
            container.watch(watch.getAsInt());
        } else {
            container.finish(new LogWriter.Scratch(), Optional.of(lastChange(files, started)));
        }
        return container;
    }

    /// An earlier server may have died when it had just removed the pipe, and not told of the end yet.
    private static int reopen(Path pipe) throws IOException {
        if (!Files.exists(pipe)) {
            Descriptors.makeFifo(pipe);
        }
        return Descriptors.open(pipe, Descriptors.READ_WRITE | Descriptors.NONBLOCK, 0);
    }

    /// Our side of its terminal, which its first process holds for us; -1 when there is none, or none any more.
    private static int terminal(ContainerFiles files, ContainerFiles.Started started) throws IOException {
        var child = ContainerFiles.child(files.readStatus());
        if (started.terminal() < 0 || child.isEmpty() || !runs(started)) {
            return -1;
        }
        int master = Processes.borrow(child.getAsInt(), started.terminal());
        Descriptors.setNonblocking(master);
        return master;
    }

    /// Empty when it is no longer there.
    private OptionalInt watch(ContainerFiles.Started started) throws IOException {
        if (!started.boot().equals(workshop.boot()) || !runs(started)) {
            return OptionalInt.empty();
        }
        int watch = Processes.watch(started.monitor());
        if (!runs(started)) { // asked again, as the number may have gone to another one in between
            Descriptors.close(watch);
            return OptionalInt.empty();
        }
        return OptionalInt.of(watch);
    }

    private static boolean runs(ContainerFiles.Started started) {
        var ticks = Processes.started(started.monitor());
        return ticks.isPresent() && ticks.getAsLong() == started.ticks();
    }

    private static Instant lastChange(ContainerFiles files, ContainerFiles.Started started) throws IOException {
        return Files.exists(files.status())
                ? Files.getLastModifiedTime(files.status()).toInstant()
                : started.at();
    }

    @Override
    public PodAccess.Session exec(String id, ExecSpec command) throws IOException {
        var container = running(id);
        uninterrupted(id, container::awaitBegun);
        var process = container.begun();
        if (process.isEmpty()) {
            throw new IOException("container " + id + " is not running");
        }
        var prepared = workshop.jail().enter(id, process.getAsInt(), container.user(), command);
        return sessions.opened(ExecSession.start(new Entrance(workshop, id, process.getAsInt()), prepared, command));
    }

    @Override
    public void resize(String id, ContainerSpec.Limits limits) throws IOException {
        Resizing.resize(workshop, id, running(id).begun().orElse(0), limits);
    }

    @Override
    public PodAccess.Session attach(String id) throws IOException {
        return AttachSession.to(workshop.loop(), running(id));
    }

    private ContainerProcess running(String id) throws IOException {
        var container = containers.get(id);
        if (container == null || container.exit().isPresent()) {
            throw new IOException("container " + id + " is not running");
        }
        return container;
    }

    @Override
    public void remove(String id, Path directory) throws IOException {
        var container = known(id, directory);
        if (container.isPresent()) {
            container.get().kill(); // nothing, where it has ended
            uninterrupted(id, container.get()::awaitTidied);
        } else {
            var files = new ContainerFiles(directory);
            if (ContainerFiles.code(files.readStatus()).isEmpty()) {
                workshop.jail().forget(id);
            }
            workshop.keeper().release(files.stdout());
            workshop.keeper().release(files.stderr());
        }
        workshop.jail().ended(id);
        var _ = workshop.cgroups().remove(id);
        FileTree.delete(directory);
        containers.remove(id);
    }

    /// One that an earlier server started may still run. Two may want it removed at once, and must mean the same.
    private synchronized Optional<ContainerProcess> known(String id, Path directory) throws IOException {
        if (!containers.containsKey(id)
                && new ContainerFiles(directory).readExit().isEmpty()) {
            var _ = join(new ContainerTrace(id, directory, directory.resolve("log"), List.of()));
        }
        return Optional.ofNullable(containers.get(id));
    }

    @Override
    public OptionalLong overfull(String id) {
        var container = containers.get(id);
        return container == null ? OptionalLong.empty() : workshop.jail().overfull(id, container.begun());
    }

    @Override
    public Abilities abilities() {
        return workshop.jail().abilities(workshop.cgroups());
    }

    @Override
    public boolean takesNetworks() {
        return workshop.jail().takesNetworks();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        sessions.close();
        workshop.loop().close();
        for (var container : containers.values()) {
            if (container.exit().isEmpty()) {
                container.abandon();
            }
        }
        workshop.jail().close();
        workshop.keeper().close();
        launchers.close();
        workshop.cgroups().removeAll();
        Descriptors.close(none);
    }
}
