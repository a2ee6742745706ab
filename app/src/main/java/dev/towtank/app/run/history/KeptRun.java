package dev.towtank.app.run.history;

import dev.towtank.app.report.RunSource;
import dev.towtank.model.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A remembered or exported run, to make a report of.
public final class KeptRun implements RunSource {
    private static final int LONGEST_LOG = 256 << 10;
    private static final String STEP = "step-";

    private final Path logs;
    private final RunRecord record;
    private final ExactTimes times;

    public KeptRun(RunDirectory directory) {
        this.logs = directory.logs().toAbsolutePath().normalize();
        this.record = directory.read();
        this.times = new ExactTimes(record.summary().object("times"));
    }

    @Override
    public Json.Obj run() {
        return timed(record.run().json());
    }

    boolean isOf(String uid) {
        return !uid.isEmpty() && record.run().uid().equals(uid);
    }

    /// The run or one of its parts, as somebody else has it, with the times that were seen.
    ///
    /// @param object with times in whole seconds
    public Json.Obj timed(Json.Obj object) {
        var name = object.string("metadata", "name");
        var exact = times.in(object, name);
        return name.equals(record.run().name())
                ? new ExactTimes(Json.Obj.of(name, record.summary())).in(exact, name)
                : exact;
    }

    @Override
    public List<Json.Obj> children() {
        return record.children().stream().map(child -> timed(child.json())).toList();
    }

    @Override
    public Log log(String pod, String container) {
        return find(pod, container).orElse(Log.none(""));
    }

    /// Nothing where the pod is none of this run.
    Optional<Log> find(String pod, String container) {
        var step = container.startsWith(STEP) ? container.substring(STEP.length()) : container;
        var file = attempt(pod)
                .map(attempt -> logs.resolve(attempt).resolve(step + ".log").normalize());
        // The names come from a file that may come from anywhere.
        if (file.isEmpty() || !file.get().startsWith(logs) || Files.isSymbolicLink(file.get())) {
            return Optional.empty();
        }
        try {
            return Optional.of(read(file.get()));
        } catch (NoSuchFileException e) {
            return Optional.of(Log.of(""));
        } catch (IOException e) {
            return Optional.of(Log.none("The log could not be read: " + e.getMessage()));
        }
    }

    /// What the logs of an attempt are under; each has a pod of its own.
    private Optional<String> attempt(String pod) {
        var runs = new ArrayList<>(record.children());
        runs.add(record.run());
        for (var run : runs) {
            var pods = new ArrayList<String>();
            run.status().objects("retriesStatus").forEach(earlier -> pods.add(earlier.string("podName")));
            pods.add(run.status().string("podName"));
            int number = pods.indexOf(pod);
            if (number >= 0) {
                return Optional.of(number == 0 ? run.name() : run.name() + "-retry-" + number);
            }
        }
        return Optional.empty();
    }

    private static Log read(Path file) throws IOException {
        try (var channel = FileChannel.open(file)) {
            long from = Math.max(0, channel.size() - LONGEST_LOG);
            var bytes = ByteBuffer.allocate((int) (channel.size() - from));
            channel.position(from);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // until all is there
            }
            return new Log(new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8), from > 0, "");
        }
    }

    @Override
    public Map<String, String> surroundings() {
        var facts = new LinkedHashMap<String, String>();
        facts.put("Run by", ("towtank run, Towtank " + record.summary().string("towtank")).strip());
        Stream.concat(children().stream(), Stream.of(run()))
                .map(child -> child.string("metadata", "annotations", "pipeline.tekton.dev/release"))
                .filter(release -> !release.isEmpty())
                .findFirst()
                .ifPresent(release -> facts.put("Tekton", release));
        record.summary().object("machine").forEach((name, fact) -> facts.put(name, fact.display()));
        return facts;
    }
}
