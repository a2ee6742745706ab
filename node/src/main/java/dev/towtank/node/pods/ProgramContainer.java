package dev.towtank.node.pods;

import dev.towtank.cluster.Timers;
import dev.towtank.cluster.pods.ImageCommands.ImageCommand;
import dev.towtank.cluster.pods.RunningContainer;
import dev.towtank.model.Resource;
import dev.towtank.node.logs.LogWriter;
import dev.towtank.node.logs.SecretMask;
import dev.towtank.node.sandbox.RunningProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/// A container as the program that runs it sees it.
final class ProgramContainer implements RunningContainer {

    private static final int LINES_WITHOUT_PROCESS = 1000;

    private final NodeParts parts;
    private final PodWorker worker;
    private final ContainerRun run;
    private final ContainerPlan.Files files;
    private final ContainerFiles contents;

    // Guarded by its monitor: what is said before there is a process whose log it could go to.
    private final List<String> early = new ArrayList<>();

    private volatile boolean outOfMemory;

    ProgramContainer(NodeParts parts, PodWorker worker, ContainerRun run, ContainerPlan.Files files) {
        this.parts = parts;
        this.worker = worker;
        this.run = run;
        this.files = files;
        var mounts = new ArrayList<>(run.plan().mounts());
        files.terminationMessage().ifPresent(mounts::add);
        this.contents = new ContainerFiles(mounts);
    }

    @Override
    public Resource pod() {
        return worker.pod();
    }

    @Override
    public String name() {
        return run.name();
    }

    @Override
    public List<String> command() {
        return run.plan().arguments();
    }

    @Override
    public Map<String, String> environment() {
        return run.environment();
    }

    @Override
    public ImageCommand imageCommand() {
        var image = run.plan().image();
        return new ImageCommand(image.entrypoint(), image.command());
    }

    @Override
    public InstantSource clock() {
        return parts.timers();
    }

    @Override
    public Exit run(Command command) throws InterruptedException {
        try {
            var copies = new ContainerPlan.Files(
                    files.hosts(), files.terminationMessage(), copy(command.stdout()), copy(command.stderr()));
            var spec = run.plan().spec(pod(), run, command.arguments(), command.environment(), copies);
            var process = run.startForProgram(spec);
            flush();
            return awaited(process, command);
        } catch (IOException e) {
            return new Exit(128, false, Optional.of(String.valueOf(e.getMessage())));
        } finally {
            worker.tellPrograms();
        }
    }

    private Optional<Path> copy(Optional<String> path) throws IOException {
        return path.isPresent() ? Optional.of(contents.prepared(path.get())) : Optional.empty();
    }

    private Exit awaited(RunningProcess process, Command command) throws InterruptedException {
        var timedOut = new AtomicBoolean();
        var timer = command.timeout()
                .map(timeout -> parts.timers().at(process.startedAt().plus(timeout), () -> {
                    timedOut.set(true);
                    process.kill();
                }));
        try {
            return switch (process.await()) {
                case dev.towtank.node.sandbox.Exit.NotStarted failed ->
                    new Exit(failed.shellCode(), false, Optional.of(failed.problem()));
                case dev.towtank.node.sandbox.Exit.Lost(var reason, var _) ->
                    new Exit(255, timedOut.get(), Optional.of(reason));
                case dev.towtank.node.sandbox.Exit.Ended ended -> {
                    outOfMemory = ended.outOfMemory();
                    yield new Exit(ended.code(), timedOut.get(), Optional.empty());
                }
            };
        } finally {
            timer.ifPresent(Timers.Timer::cancel);
        }
    }

    /// Whether its process ended for lack of memory: whoever reads the container's status asks for that, not for what
    /// the
    /// program made of it.
    boolean ranOutOfMemory() {
        return outOfMemory;
    }

    @Override
    public void await(BooleanSupplier condition) throws InterruptedException {
        worker.awaitForProgram(condition);
    }

    @Override
    public void log(String line) {
        var process = run.process();
        if (process.isPresent()) {
            append(process.get(), line);
            return;
        }
        synchronized (early) {
            if (early.size() < LINES_WITHOUT_PROCESS) {
                early.add(line);
            }
        }
    }

    private static void append(RunningProcess process, String line) {
        try {
            process.log().append(line);
        } catch (IOException e) {
            // a log is for people: it never holds up the work
        }
    }

    /// What was said before there was a process.
    private void flush() {
        run.process().ifPresent(process -> said().forEach(line -> append(process, line)));
    }

    /// The program has ended. Where it never had a process, what it said is all there is of a log.
    void finish() {
        flush();
        var lines = said();
        if (lines.isEmpty()) {
            return;
        }
        var options = new LogWriter.Options(
                SecretMask.of(run.plan().masked()), LogWriter.Bounds.usual(), "", Optional.empty(), Optional.empty());
        try {
            try (var log = LogWriter.open(run.logDirectory(), run.directory(), options, parts.timers())) {
                for (var line : lines) {
                    log.append(line);
                }
            }
        } catch (IOException e) {
            // a log is for people: it never holds up the work
        }
    }

    /// Hands out what was said, once.
    private List<String> said() {
        synchronized (early) {
            var lines = List.copyOf(early);
            early.clear();
            return lines;
        }
    }

    @Override
    public boolean exists(String path) {
        return contents.exists(path);
    }

    @Override
    public List<String> list(String path) throws IOException {
        return contents.list(path);
    }

    @Override
    public Optional<byte[]> read(String path, int limit) throws IOException {
        return contents.read(path, limit);
    }

    @Override
    public void write(String path, byte[] content, int mode) throws IOException {
        contents.write(path, content, mode);
        worker.tellPrograms();
    }

    @Override
    public void link(String path, String target) throws IOException {
        contents.link(path, target);
    }

    @Override
    public void kill() {
        run.process().ifPresent(RunningProcess::kill);
    }

    @Override
    public void makeDirectory(String path, int mode) throws IOException {
        contents.makeDirectory(path, mode);
        worker.tellPrograms();
    }
}
