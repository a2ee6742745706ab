package dev.towtank.node.sandbox;

import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.LinuxException;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.Signal;
import dev.towtank.node.logs.ContainerLog;
import dev.towtank.node.logs.LogWriter;
import dev.towtank.node.sandbox.streams.Loop;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A container from its start, or from when it was found again, to its end.
///
/// What the loop calls runs on its thread alone; the lock is for those who send signals meanwhile.
final class ContainerProcess implements RunningProcess {

    private static final System.Logger LOG = System.getLogger(ContainerProcess.class.getName());

    private static final int RETRY_MILLISECONDS = 2;
    private static final int PATIENCE_MILLISECONDS = 2000;

    private final Workshop workshop;
    private final String id;
    private final ContainerFiles files;
    private final ContainerFiles.Started started;
    private final Optional<ContainerSpec> spec;
    private final LogWriter log;
    private final CountDownLatch end = new CountDownLatch(1);
    private final CountDownLatch tidied = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Signal> pending = new ArrayList<>();
    private final int stdout;
    private final int stderr;
    private final int stdin;
    private final int terminal;
    private int watch = -1;
    private OptionalInt child = OptionalInt.empty();
    private Optional<StartGate> gate = Optional.empty();
    private volatile @Nullable String refused;
    private volatile @Nullable Exit exit;
    private boolean outputLost;

    /// The parts of a sandbox that its containers work with.
    ///
    /// @param boot which start of the machine this is
    record Workshop(
            Loop loop, Jail jail, Cgroups cgroups, Keeper keeper, Path bash, InstantSource clock, String boot) {}

    /// @param stderr -1 when both outputs are one
    /// @param stdin our end of the process's input, or -1
    /// @param terminal our side of the process's terminal, or -1; what comes out of it goes into stdout's
    ///     pipe
    record Ends(int stdout, int stderr, int stdin, int terminal) {}

    ContainerProcess(
            Workshop workshop,
            String id,
            ContainerFiles files,
            ContainerFiles.Started started,
            Optional<ContainerSpec> spec,
            LogWriter log,
            Ends ends) {
        this.workshop = workshop;
        this.id = id;
        this.files = files;
        this.started = started;
        this.spec = spec;
        this.log = log;
        this.stdout = ends.stdout();
        this.stderr = ends.stderr();
        this.stdin = ends.stdin();
        this.terminal = ends.terminal();
    }

    /// Looks after it from now on.
    ///
    /// @param watchedMonitor readable when the monitor has ended
    void watch(int watchedMonitor) throws IOException {
        watch = watchedMonitor;
        var loop = workshop.loop();
        loop.add(stdout, scratch -> pump(false, scratch));
        if (stderr >= 0) {
            loop.add(stderr, scratch -> pump(true, scratch));
        }
        if (terminal >= 0) {
            loop.add(terminal, this::forward);
        }
        loop.add(watch, this::monitorEnded);
    }

    /// Reads from a pipe who the container's first process is, and lets it begin.
    void expectChild(int info, Optional<StartGate> closed) throws IOException {
        gate = closed;
        workshop.loop().add(info, scratch -> {
            var said = scratch.read(info);
            var found = ContainerFiles.child(said);
            if (found.isPresent()) {
                childKnown(found);
            }
            if (said.isEmpty()) { // not before: whoever still writes would be killed for it
                workshop.loop().remove(info);
                Descriptors.close(info);
            }
        });
        var fence = closed.flatMap(StartGate::fence);
        if (fence.isPresent()) {
            for (var stop : fence.get().stops()) {
                workshop.loop().addWritable(stop.pipe(), _ -> stopped(closed.get(), fence.get(), stop));
            }
        }
    }

    private void childKnown(OptionalInt found) throws IOException {
        lock.lock();
        try {
            child = found;
            if (gate.isPresent()) {
                gate.get().bound(found.getAsInt());
                if (gate.get().fence().isEmpty()) {
                    gate.get().open();
                }
            }
            deliverPending();
        } finally {
            lock.unlock();
        }
    }

    /// What is to be compared is mounted, but nothing of the container runs yet.
    private void stopped(StartGate closed, Fence fence, Fence.Stop stop) throws IOException {
        lock.lock();
        try {
            if (closed.isClosed() || !stop.isReached()) {
                return; // it has ended
            }
            if (child.isEmpty()) {
                workshop.loop().after(RETRY_MILLISECONDS, _ -> stopped(closed, fence, stop));
                return;
            }
            fence.compare(stop.what(), child.getAsInt());
            workshop.loop().remove(stop.pipe());
            switch (stop.what()) {
                case SOURCES -> stop.close();
                case ALL -> closed.open();
            }
        } catch (IOException e) {
            refused = String.valueOf(e.getMessage());
            endChild();
        } finally {
            lock.unlock();
        }
    }

    private void closeGate() {
        gate.flatMap(StartGate::fence)
                .ifPresent(
                        fence -> fence.stops().forEach(stop -> workshop.loop().remove(stop.pipe())));
        gate.ifPresent(StartGate::close);
        gate = Optional.empty();
    }

    /// While the monitor is the parent, the number is that of its child and of nobody else.
    private void endChild() throws IOException {
        int first = child.orElse(-1);
        if (Processes.parent(first).orElse(-1) == started.monitor()) {
            Processes.signal(first, Signal.KILL.number());
        }
    }

    /// Whether the command has begun. Found again, it may wait at a gate that nobody is going to open any more.
    boolean begins() throws IOException, InterruptedException {
        while (exit == null && child.isEmpty()) { // a monitor that was released tells of a process, any other gives up
            found(ContainerFiles.child(files.readStatus()));
            pause();
        }
        for (int i = 0; i < PATIENCE_MILLISECONDS / RETRY_MILLISECONDS && exit == null; i++) {
            if (begun().isPresent()) {
                return true;
            }
            pause();
        }
        return exit != null && files.hasBegun(exit);
    }

    private void pause() throws IOException, InterruptedException {
        var soon = new CountDownLatch(1);
        workshop.loop().after(RETRY_MILLISECONDS, _ -> soon.countDown());
        soon.await();
    }

    /// Without room on the disk the output is dropped, as a container that waits for ever helps nobody.
    private boolean pump(boolean error, LogWriter.Scratch scratch) throws IOException {
        int pipe = error ? stderr : stdout;
        try {
            return log.pump(error, pipe, scratch);
        } catch (IOException e) {
            if (!outputLost) {
                outputLost = true;
                LOG.log(Level.WARNING, "Output of container {0} is lost: {1}", id, e.getMessage());
            }
            return !scratch.read(pipe).isEmpty();
        }
    }

    /// From the terminal into the pipe, which always has room for what a terminal holds: it is emptied at
    /// once.
    private boolean forward(LogWriter.Scratch scratch) throws IOException {
        var bytes = scratch.readBytes(terminal);
        if (bytes.length == 0) {
            workshop.loop().remove(terminal);
            return false;
        }
        int _ = Descriptors.writeSome(stdout, bytes, 0, bytes.length);
        return pump(false, scratch);
    }

    private void monitorEnded(LogWriter.Scratch scratch) throws IOException {
        workshop.loop().remove(watch);
        Descriptors.close(watch);
        watch = -1;
        var _ = Processes.reap(started.monitor());
        finish(scratch, Optional.empty());
    }

    /// Ends what is left of it, then tells how it ended.
    ///
    /// @param when it ended; without, now
    void finish(LogWriter.Scratch scratch, Optional<Instant> when) throws IOException {
        var status = files.readStatus();
        var leftover = leftover(status);
        if (leftover.isPresent()) {
            end(leftover.getAsInt(), again -> finish(again, when));
            return;
        }
        while (terminal >= 0 && forward(scratch)) {
            // until nothing is left in it
        }
        while (pump(false, scratch)) {
            // until the pipe is empty
        }
        while (stderr >= 0 && pump(true, scratch)) {
            // the same
        }
        var result = result(status, when.orElseGet(workshop.clock()::instant), scratch);
        log.finish(result instanceof Exit.NotStarted, scratch);
        // Whoever waits need not wait for the rest: another server would find the same end.
        exit = result;
        end.countDown();
        try {
            release();
            files.write(result);
        } finally {
            tidied.countDown();
        }
    }

    /// Kills a process, and goes on when it is gone; it may be gone before.
    private void end(int process, Loop.Handler then) throws IOException {
        int remaining;
        try {
            remaining = Processes.watch(process);
        } catch (LinuxException e) {
            if (!e.is(LinuxException.ESRCH)) {
                throw e;
            }
            workshop.loop().after(RETRY_MILLISECONDS, then);
            return;
        }
        Processes.signalWatched(remaining, Signal.KILL.number());
        workshop.loop().add(remaining, scratch -> {
            workshop.loop().remove(remaining);
            Descriptors.close(remaining);
            then.ready(scratch);
        });
    }

    /// Waits until nothing of it is left but its files.
    void awaitTidied() throws InterruptedException {
        tidied.await();
    }

    /// A command that was process 1 takes all others along, and its monitor tells of its end only then.
    private OptionalInt leftover(String status) throws IOException {
        if (!started.init()
                && workshop.jail().endsWithItsCommand()
                && ContainerFiles.code(status).isPresent()) {
            return OptionalInt.empty();
        }
        var found = workshop.jail().leftover(started.monitor(), status);
        return found.isPresent() ? found : workshop.cgroups().member(id);
    }

    private Exit result(String status, Instant at, LogWriter.Scratch scratch) throws IOException {
        var refusal = refused;
        if (refusal != null) {
            return new Exit.NotStarted("StartError", 128, refusal, at);
        }
        var code = ContainerFiles.code(status);
        if (code.isPresent()) {
            // It may have been a child that was killed, and the command that ended for it.
            boolean failed = code.getAsInt() != 0;
            return ContainerFiles.ended(
                    code.getAsInt(),
                    ContainerFiles.outOfMemory(status)
                            || (failed && workshop.cgroups().ranOutOfMemory(id)),
                    at);
        }
        if (!started.boot().equals(workshop.boot())) {
            return new Exit.Lost("the machine was restarted while the container was running", at);
        }
        if (workshop.cgroups().ranOutOfMemory(id)) {
            return ContainerFiles.ended(128 + Signal.KILL.number(), true, at); // the monitor was killed with all others
        }
        return log.heldBack(scratch)
                .<Exit>map(said -> workshop.jail().explain(spec, said, at))
                .orElseGet(() -> new Exit.Lost("the sandbox around the container was killed", at));
    }

    private void release() throws IOException {
        lock.lock();
        try {
            for (int descriptor : List.of(stdout, stderr, terminal)) {
                workshop.loop().remove(descriptor);
                Descriptors.close(descriptor);
            }
            Descriptors.close(stdin);
            closeGate();
        } finally {
            lock.unlock();
        }
        workshop.keeper().release(files.stdout());
        Files.deleteIfExists(files.stdout());
        if (stderr >= 0) {
            workshop.keeper().release(files.stderr());
            Files.deleteIfExists(files.stderr());
        }
        if (stdin >= 0) {
            Files.deleteIfExists(files.stdin());
        }
        workshop.jail().ended(id);
        var _ = workshop.cgroups().remove(id);
    }

    /// Leaves the container alone; it runs on.
    void abandon() {
        for (int descriptor : List.of(watch, stdout, stderr, stdin, terminal)) {
            workshop.loop().remove(descriptor);
            Descriptors.close(descriptor);
        }
        closeGate();
        log.close();
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public Instant startedAt() {
        return started.at();
    }

    @Override
    public Exit await() throws InterruptedException {
        end.await();
        return exit().orElseThrow();
    }

    @Override
    public Optional<Exit> exit() {
        return Optional.ofNullable(exit);
    }

    @Override
    public void signal(Signal signal) {
        lock.lock();
        try {
            if (exit != null) {
                return;
            }
            pending.add(signal);
            if (child.isPresent() && (pending.size() == 1 || signal == Signal.KILL)) {
                deliverPending();
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "Container {0} did not get signal {1}: {2}", id, signal, e.getMessage());
        } finally {
            lock.unlock();
        }
    }

    /// While the monitor is the parent, the number is that of its child and of nobody else. A command that
    /// has not begun could not know what to do with a signal: it gets it a little later.
    private void deliverPending() throws IOException {
        if (pending.isEmpty()) {
            return; // most are never sent one: nobody need look whether they have begun
        }
        int first = child.orElse(-1);
        if (exit != null || Processes.parent(first).orElse(-1) != started.monitor()) {
            pending.clear();
            return;
        }
        if (pending.contains(Signal.KILL)) {
            pending.clear();
            Processes.signal(first, Signal.KILL.number());
            return;
        }
        var command = command();
        if (command.isEmpty()) {
            workshop.loop().after(RETRY_MILLISECONDS, _ -> {
                lock.lock();
                try {
                    deliverPending();
                } finally {
                    lock.unlock();
                }
            });
            return;
        }
        for (var signal : pending) {
            Processes.signal(command.getAsInt(), signal.number());
        }
        pending.clear();
    }

    /// The command's process, once it is the command and no longer what prepares it.
    private OptionalInt command() {
        var command = started.init() && child.isPresent() ? Processes.child(child.getAsInt()) : child;
        return command.isPresent() && workshop.jail().begun(command.getAsInt()) ? command : OptionalInt.empty();
    }

    /// Waits until the command has begun, or has ended.
    void awaitBegun() throws IOException, InterruptedException {
        while (exit == null && begun().isEmpty()) {
            pause();
        }
    }

    /// The container's first process, as this machine numbers it, once the command has begun. Whoever entered before
    /// would not be in the container yet, but on the machine. Empty when it has ended.
    OptionalInt begun() {
        lock.lock();
        try {
            return exit == null && command().isPresent() ? child : OptionalInt.empty();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public OptionalInt number() {
        return begun();
    }

    void found(OptionalInt process) {
        lock.lock();
        try {
            child = process;
        } finally {
            lock.unlock();
        }
    }

    Jail.User user() {
        return started.user();
    }

    /// Where to write what the process shall read, or -1.
    int stdin() {
        return terminal >= 0 ? terminal : stdin;
    }

    int terminal() {
        return terminal;
    }

    LogWriter writer() {
        return log;
    }

    @Override
    public ContainerLog log() {
        return log;
    }
}
