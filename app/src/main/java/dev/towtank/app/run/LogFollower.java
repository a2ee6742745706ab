package dev.towtank.app.run;

import dev.towtank.app.run.view.LogLine;
import dev.towtank.app.run.view.RunState;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Pods;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Reads the logs of steps while they are written: into files, and line by line to whoever shows them.
final class LogFollower implements AutoCloseable {

    private static final int LONGEST_LINE = 64 * 1024;
    private static final PodAccess.LogRequest FOLLOW = new PodAccess.LogRequest(
            "", true, false, false, Optional.empty(), Optional.empty(), OptionalLong.empty(), OptionalLong.empty());

    private final Cluster cluster;
    private final PodAccess pods;
    private final Path directory;
    private final Consumer<LogLine> lines;
    private final Consumer<String> ended;
    private final Set<String> begun = new HashSet<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    /// @param directory a file for each step is made in here
    /// @param lines on any thread
    /// @param ended told `pod/container` when its log is at its end; on any thread
    LogFollower(Cluster cluster, PodAccess pods, Path directory, Consumer<LogLine> lines, Consumer<String> ended) {
        this.cluster = cluster;
        this.pods = pods;
        this.directory = directory;
        this.lines = lines;
        this.ended = ended;
    }

    /// Begins with all steps that have begun since the last call.
    void follow(RunState state) {
        for (var task : state.tasks()) {
            for (var run : task.runs()) {
                if (run.pod().isEmpty() || !run.reusedFrom().isEmpty()) {
                    continue;
                }
                for (var step : run.steps()) {
                    if (step.phase() != RunState.Phase.WAITING && begun.add(run.pod() + "/" + step.container())) {
                        begin(state.namespace(), RunState.label(task, run), run, step);
                    }
                }
            }
        }
    }

    private void begin(String namespace, String task, RunState.Run run, RunState.Step step) {
        var key = run.pod() + "/" + step.container();
        var thread = Thread.ofVirtual().name("log " + key).unstarted(() -> {
            try {
                read(namespace, task, run, step);
            } catch (IOException | UncheckedIOException | StatusError e) {
                // A container that never ran has no log; the status of the step says why.
            } finally {
                ended.accept(key);
                threads.remove(Thread.currentThread());
            }
        });
        threads.add(thread);
        thread.start();
    }

    private void read(String namespace, String task, RunState.Run run, RunState.Step step) throws IOException {
        var pod = cluster.get(Pods.KIND, ObjectName.of(namespace, run.pod()));
        if (pod.isEmpty()) {
            return;
        }
        var request = new PodAccess.LogRequest(
                step.container(),
                true,
                false,
                false,
                FOLLOW.since(),
                FOLLOW.sinceTime(),
                FOLLOW.tailLines(),
                FOLLOW.limitBytes());
        var attempt = run.retries() == 0 ? run.name() : run.name() + "-retry-" + run.retries();
        var file = directory.resolve(attempt).resolve(step.name() + ".log");
        Files.createDirectories(directory.resolve(attempt));
        try (var in = pods.log(pod.get(), request);
                var out = new BufferedOutputStream(Files.newOutputStream(file))) {
            copy(in, out, text -> lines.accept(new LogLine(task, run.name(), run.pod(), step.name(), text)));
        }
    }

    /// A line that is longer than anybody reads is told in parts.
    static void copy(InputStream in, OutputStream file, Consumer<String> lines) throws IOException {
        var line = new ByteArrayOutputStream();
        var buffer = new byte[16 * 1024];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            file.write(buffer, 0, count);
            for (int i = 0; i < count; i++) {
                if (buffer[i] == '\n' || line.size() >= LONGEST_LINE) {
                    lines.accept(text(line));
                    line.reset();
                }
                if (buffer[i] != '\n') {
                    line.write(buffer[i]);
                }
            }
        }
        if (line.size() > 0) {
            lines.accept(text(line));
        }
    }

    private static String text(ByteArrayOutputStream line) {
        var text = line.toString(StandardCharsets.UTF_8);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}
