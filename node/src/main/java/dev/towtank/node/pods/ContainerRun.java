package dev.towtank.node.pods;

import dev.towtank.cluster.Timers;
import dev.towtank.cluster.pods.ContainerProgram;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.node.linux.Signal;
import dev.towtank.node.logs.ContainerLog;
import dev.towtank.node.probes.Check;
import dev.towtank.node.probes.ProbeLoop;
import dev.towtank.node.probes.ProbeOutcome;
import dev.towtank.node.probes.Prober;
import dev.towtank.node.sandbox.ContainerSpec;
import dev.towtank.node.sandbox.ContainerTrace;
import dev.towtank.node.sandbox.ExecSpec;
import dev.towtank.node.sandbox.Exit;
import dev.towtank.node.sandbox.RunningProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// One run of a container: its process or program, its probes, and how it is stopped.
final class ContainerRun implements AutoCloseable {

    private static final int EXEC_ATTEMPTS = 20;
    private static final Duration EXEC_PAUSE = Duration.ofMillis(20);

    private final NodeParts parts;
    private final ContainerPlan plan;
    private final int attempt;
    private final String podUid;
    private final String id;
    private final Path directory;
    private final Path logDirectory;
    private final Optional<Path> terminationFile;
    private final BiConsumer<ContainerRun, Exit> ended;
    private final AtomicBoolean startTold = new AtomicBoolean();
    private final CountDownLatch begun = new CountDownLatch(1);

    // All guarded by this object's monitor.
    private final List<ProbeLoop> probes = new ArrayList<>();
    private final List<Timers.Timer> timers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private @Nullable RunningProcess process;
    private @Nullable Thread program;
    private boolean stopping;
    private boolean closed;

    /// @param ended is told of the end, once, on a thread of this run
    ContainerRun(
            NodeParts parts,
            Resource pod,
            ContainerPlan plan,
            int attempt,
            Optional<Path> terminationFile,
            BiConsumer<ContainerRun, Exit> ended) {
        this.parts = parts;
        this.plan = plan;
        this.attempt = attempt;
        this.podUid = pod.uid();
        this.id = id(podUid, plan.name(), attempt);
        this.directory = PodFiles.runtime(parts, pod.uid(), plan.name(), attempt);
        this.logDirectory = PodFiles.log(parts, pod.uid(), plan.name(), attempt);
        this.terminationFile = terminationFile;
        this.ended = ended;
    }

    static String id(String podUid, String container, int attempt) {
        return podUid + "_" + container + "_" + attempt;
    }

    String name() {
        return plan.name();
    }

    ContainerPlan plan() {
        return plan;
    }

    int attempt() {
        return attempt;
    }

    String id() {
        return id;
    }

    Path directory() {
        return directory;
    }

    Path logDirectory() {
        return logDirectory;
    }

    /// To find it again.
    ContainerTrace trace() {
        return new ContainerTrace(id, directory, logDirectory, plan.masked());
    }

    /// Of the whole machine, in bytes; 0 when that is not known.
    long nodeMemory() {
        var memory = parts.node().allocatable().get("memory");
        return memory == null ? 0 : memory.value();
    }

    Optional<Path> terminationFile() {
        return terminationFile;
    }

    /// As the status shows it.
    String publicId() {
        return "towtank://" + id;
    }

    synchronized Optional<RunningProcess> process() {
        return Optional.ofNullable(process);
    }

    /// The log, even when no process has been started yet.
    ContainerLog log() {
        return process()
                .map(RunningProcess::log)
                .orElseGet(() -> parts.storedLogs().apply(logDirectory));
    }

    /// Waits until there is a process, or the run has ended without one.
    void awaitProcess() throws InterruptedException {
        begun.await();
    }

    /// Likewise, but not for ever.
    void awaitProcess(Duration longest) throws InterruptedException {
        var _ = begun.await(longest.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Looks after a process that is there already.
    void adopt(RunningProcess running) {
        synchronized (this) {
            process = running;
            begun.countDown();
            spawn("container", () -> {
                var exit = running.await();
                end(exit);
            });
        }
    }

    /// Starts the process of a program, which alone tells when the container ends.
    RunningProcess startForProgram(ContainerSpec spec) throws IOException {
        var found = parts.sandbox().join(spec.trace());
        var running = found.isPresent() ? found.get() : parts.sandbox().start(spec);
        synchronized (this) {
            process = running;
            begun.countDown();
            if (stopping) {
                running.signal(Signal.TERM);
            }
        }
        return running;
    }

    /// Runs a program in place of the container's process.
    void run(ContainerProgram own, ProgramContainer container) {
        synchronized (this) {
            program = spawn("program", () -> {
                int code = code(own, container);
                container.finish();
                boolean outOfMemory = code != 0 && container.ranOutOfMemory();
                end(new Exit.Ended(
                        code, OptionalInt.empty(), outOfMemory, parts.timers().instant()));
            });
        }
    }

    private static int code(ContainerProgram own, ProgramContainer container) {
        try {
            return own.run(container);
        } catch (InterruptedException e) {
            return 128 + Signal.KILL.number();
        } catch (RuntimeException e) {
            container.log("the node failed to run this container: " + e);
            return 1;
        }
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private synchronized Thread spawn(String name, Work work) {
        var thread = Thread.ofVirtual().name(name + " " + plan.name()).unstarted(() -> {
            try {
                work.run();
            } catch (InterruptedException e) {
                // closed: the process runs on
            }
        });
        threads.add(thread);
        thread.start();
        return thread;
    }

    private void end(Exit exit) {
        synchronized (this) {
            if (closed) {
                return;
            }
            stopLooking();
            threads.stream()
                    .filter(thread -> !thread.equals(Thread.currentThread()))
                    .forEach(Thread::interrupt);
        }
        begun.countDown();
        ended.accept(this, exit);
    }

    synchronized void watch(ProbeLoop probe) {
        if (!closed) {
            probes.add(probe.start());
        }
    }

    /// True for the first who asks: that it has started is told once.
    boolean claimStarted() {
        return startTold.compareAndSet(false, true);
    }

    /// Runs something beside the container that ends with it.
    void beside(String name, Runnable work) {
        spawn(name, work::run);
    }

    /// Asks the container to end: its pre-stop hook, then a signal, and at the given moment the end.
    ///
    /// @param hook runs the pre-stop hook, where there is one
    void stop(Json.Obj container, Instant by, Optional<Runnable> hook) {
        synchronized (this) {
            if (closed) {
                return;
            }
            timers.add(parts.timers().at(by, this::kill));
            if (stopping) {
                return;
            }
            stopping = true;
            probes.forEach(ProbeLoop::close);
        }
        var signal = Signal.named(container.string("lifecycle", "stopSignal"))
                .or(() -> Signal.ofImage(plan.image().stopSignal()))
                .orElse(Signal.TERM);
        if (hook.isEmpty()) {
            signal(signal);
        } else {
            beside("stop", () -> {
                hook.get().run();
                signal(signal);
            });
        }
    }

    // A program without a process has nothing that a signal could be sent to.
    private synchronized void signal(Signal signal) {
        if (process != null && process.exit().isEmpty()) {
            process.signal(signal);
        } else if (program != null) {
            program.interrupt();
        }
    }

    synchronized void kill() {
        if (closed) {
            return;
        }
        if (process != null) {
            process.kill();
        }
        if (program != null) {
            program.interrupt();
        }
    }

    /// Runs a command inside, for a probe or a hook.
    ProbeOutcome exec(List<String> command, Duration timeout) throws InterruptedException {
        var spec = new ExecSpec(command, plan.environment(), plan.workingDirectory(), false, false, plan.rights());
        var problem = "the container is not running";
        // A container that has just been started may need a moment until something can be run in it.
        for (int i = 0;
                i < EXEC_ATTEMPTS
                        && process().filter(each -> each.exit().isEmpty()).isPresent();
                i++) {
            try (var session = parts.sandbox().exec(id, spec)) {
                return new CommandOutcome(session, command, timeout, parts.timers()).await();
            } catch (IOException e) {
                problem = String.valueOf(e.getMessage());
                parts.timers().pause(EXEC_PAUSE);
            }
        }
        return ProbeOutcome.error("rpc error: code = Unknown desc = failed to exec in container: " + problem);
    }

    /// Does whatever a probe or hook asks for.
    ProbeOutcome check(Check check, Duration timeout) throws InterruptedException {
        return switch (check) {
            case Check.Command(var arguments) -> exec(arguments, timeout);
            case Check.Http http -> prober().http(http, timeout);
            case Check.Tcp tcp -> prober().tcp(tcp, timeout);
            case Check.Grpc grpc -> prober().grpc(grpc, timeout);
            case Check.Sleep(var seconds) -> {
                parts.timers().pause(Duration.ofSeconds(seconds));
                yield ProbeOutcome.SUCCESS;
            }
            case Check.Impossible(var why) -> ProbeOutcome.error(why);
        };
    }

    private Prober prober() {
        return parts.network()
                .of(podUid)
                .map(own -> new Prober(own.address(), () -> parts.network().socket(podUid)))
                .orElseGet(parts::prober);
    }

    /// What the container reaches.
    ContainerSpec.Network network() {
        return parts.network()
                .of(podUid)
                .<ContainerSpec.Network>map(own -> new ContainerSpec.Network.Own(own.namespace(), own.resolver()))
                .orElseGet(ContainerSpec.Network.Machine::new);
    }

    /// Environment for another process of the same container.
    Map<String, String> environment() {
        return plan.environment();
    }

    /// Stops looking after the container, which runs on.
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            stopLooking();
            threads.forEach(Thread::interrupt);
        }
        begun.countDown();
    }

    // With the monitor held.
    private void stopLooking() {
        closed = true;
        probes.forEach(ProbeLoop::close);
        timers.forEach(Timers.Timer::cancel);
    }
}
