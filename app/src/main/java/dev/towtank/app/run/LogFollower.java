package dev.towtank.app.run;

import dev.towtank.app.run.view.LogLine;
import dev.towtank.app.run.view.RunState;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/// Reads the logs of steps and sidecars while they are written: into files, and line by line to whoever shows them.
final class LogFollower implements AutoCloseable {

    private static final int LONGEST_LINE = 64 * 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Function<ObjectName, Optional<Resource>> find;
    private final PodAccess pods;
    private final Path directory;
    private final Consumer<LogLine> lines;
    private final Consumer<String> ended;
    private final Set<String> begun = new HashSet<>();
    private final Map<Source, Thread> threads = new ConcurrentHashMap<>();

    /// @param find a pod
    /// @param directory a file for each step is made in here
    /// @param lines on any thread
    /// @param ended told `pod/container` when its log is at its end; on any thread
    LogFollower(
            Function<ObjectName, Optional<Resource>> find,
            PodAccess pods,
            Path directory,
            Consumer<LogLine> lines,
            Consumer<String> ended) {
        this.find = find;
        this.pods = pods;
        this.directory = directory;
        this.lines = lines;
        this.ended = ended;
    }

    /// Begins with all steps and sidecars that have begun since the last call.
    void follow(RunState state) {
        for (var task : state.tasks()) {
            for (var run : task.runs()) {
                if (run.reusedFrom().isEmpty()) {
                    follow(state.namespace(), RunState.label(task, run), run);
                }
            }
        }
    }

    private void follow(String namespace, String label, RunState.Run run) {
        // A short attempt may be over, and the next one under way, before it was ever seen.
        for (int i = 0; i < run.attempts().size(); i++) {
            var earlier = run.attempts().get(i);
            var place = new Place(namespace, label, run.name(), earlier.pod(), i);
            earlier.steps().forEach(step -> begin(new Source(place, step.container(), step.name())));
        }
        if (run.pod().isEmpty()) {
            return;
        }
        var place = new Place(namespace, label, run.name(), run.pod(), run.retries());
        run.steps().stream()
                .filter(step -> step.phase() != RunState.Phase.WAITING)
                .forEach(step -> begin(new Source(place, step.container(), step.name())));
        run.sidecars().forEach(container -> begin(new Source(place, container, container)));
    }

    /// The pod of one attempt.
    private record Place(String namespace, String task, String run, String pod, int retry) {
        String directory() {
            return retry == 0 ? run : run + "-retry-" + retry;
        }
    }

    /// What somebody writes.
    ///
    /// @param name for those who read it
    private record Source(Place place, String container, String name) {
        String key() {
            return place.pod + "/" + container;
        }

        PodAccess.LogRequest request(boolean follow) {
            return new PodAccess.LogRequest(
                    container,
                    follow,
                    false,
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty());
        }
    }

    private void begin(Source source) {
        if (!begun.add(source.key())) {
            return;
        }
        var thread = Thread.ofVirtual().name("log " + source.key()).unstarted(() -> {
            try {
                read(
                        source,
                        true,
                        text -> lines.accept(
                                new LogLine(source.place.task, source.place.run, source.place.pod, source.name, text)));
            } catch (IOException | UncheckedIOException | StatusError e) {
                // A container that never ran has no log; the status of the step says why.
            } finally {
                ended.accept(source.key());
                threads.remove(source);
            }
        });
        threads.put(source, thread);
        thread.start();
    }

    private void read(Source source, boolean follow, Consumer<String> tell) throws IOException {
        var pod = find.apply(ObjectName.of(source.place.namespace, source.place.pod));
        if (pod.isEmpty()) {
            return;
        }
        var folder = Files.createDirectories(directory.resolve(source.place.directory()));
        var file = folder.resolve(source.name + ".log");
        try (var in = pods.log(pod.get(), source.request(follow));
                var out = new BufferedOutputStream(Files.newOutputStream(file))) {
            copy(in, out, tell);
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

    /// Sidecars may go on for a while, and nobody waits for them: their logs are read up to here.
    @Override
    public void close() {
        var open = Map.copyOf(threads);
        open.values().forEach(Thread::interrupt);
        open.forEach((source, thread) -> {
            try {
                if (thread.join(PATIENCE)) {
                    read(source, false, _ -> {});
                }
            } catch (IOException | UncheckedIOException | StatusError e) {
                // its pod is gone, and what was read before is all there is
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
