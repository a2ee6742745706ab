package dev.towtank.controllers.pipelines.entrypoint;

import dev.towtank.cluster.pods.ImageCommands.ImageCommand;
import dev.towtank.cluster.pods.RunningContainer;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/// A pod whose files are in memory and whose processes are functions.
final class FakePod {

    private final TektonEntrypoint program = new TektonEntrypoint("nop");
    private final Map<String, byte[]> files = new TreeMap<>();
    private final Map<String, String> links = new TreeMap<>();
    private final Map<String, String> refused = new TreeMap<>();
    private final Map<String, List<String>> logs = new TreeMap<>();
    private final Map<String, RunningContainer.Exit> ended = new TreeMap<>();
    final List<RunningContainer.Command> started = new ArrayList<>();
    ImageCommand image = new ImageCommand(List.of(), List.of());
    private Resource pod;

    FakePod(Resource pod) {
        this.pod = pod;
    }

    static FakePod of(String... steps) {
        var containers = new ArrayList<Json>();
        for (var step : steps) {
            containers.add(Json.Obj.of("name", Json.of("step-" + step)));
        }
        return new FakePod(Resource.of(Json.Obj.of(
                "metadata",
                Json.Obj.of("name", Json.of("p"), "labels", Json.Obj.of("tekton.dev/taskRun", Json.of("t"))),
                "spec",
                Json.Obj.of("containers", new Json.Arr(containers)))));
    }

    synchronized void annotate(String key, String value) {
        pod = pod.with(pod.json().with(List.of("metadata", "annotations", key), Json.of(value)));
        notifyAll();
    }

    synchronized Optional<String> file(String path) {
        return Optional.ofNullable(files.get(path)).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    synchronized void put(String path, String content) {
        files.put(path, content.getBytes(StandardCharsets.UTF_8));
        notifyAll();
    }

    /// What a link or a pipe would be: nothing that may be read.
    synchronized void refuse(String path, String why) {
        refused.put(path, why);
    }

    synchronized Map<String, String> links() {
        return Map.copyOf(links);
    }

    synchronized List<String> log(String container) {
        return List.copyOf(logs.getOrDefault(container, List.of()));
    }

    /// Begins to run a container; the answer waits for its exit code.
    FutureTask<Integer> start(
            String name, List<String> command, Function<RunningContainer.Command, RunningContainer.Exit> process) {
        var task = new FutureTask<>(() -> program.run(new Container(name, command, process)));
        Thread.ofVirtual().start(task);
        return task;
    }

    private final class Container implements RunningContainer {
        private final String name;
        private final List<String> command;
        private final Function<Command, Exit> process;
        private boolean killed;

        Container(String name, List<String> command, Function<Command, Exit> process) {
            this.name = name;
            this.command = command;
            this.process = process;
        }

        @Override
        public Resource pod() {
            synchronized (FakePod.this) {
                return pod;
            }
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public List<String> command() {
            return command;
        }

        @Override
        public Map<String, String> environment() {
            return new LinkedHashMap<>(Map.of("HOME", "/root", "FROM", "$(steps.a.results.r)"));
        }

        @Override
        public ImageCommand imageCommand() {
            return image;
        }

        @Override
        public InstantSource clock() {
            return () -> Instant.parse("2026-01-01T00:00:00.5Z");
        }

        @Override
        public Exit run(Command request) throws InterruptedException {
            synchronized (FakePod.this) {
                var before = ended.get(name);
                if (before != null) {
                    return before;
                }
                started.add(request);
            }
            var exit = process.apply(request);
            if (exit.code() < 0) {
                await(() -> killed);
                exit = new Exit(137, false, Optional.empty());
            }
            synchronized (FakePod.this) {
                ended.put(name, exit);
                return exit;
            }
        }

        @Override
        public void await(BooleanSupplier condition) throws InterruptedException {
            synchronized (FakePod.this) {
                while (!condition.getAsBoolean()) {
                    FakePod.this.wait();
                }
            }
        }

        @Override
        public void kill() {
            synchronized (FakePod.this) {
                killed = true;
                FakePod.this.notifyAll();
            }
        }

        @Override
        public void log(String line) {
            synchronized (FakePod.this) {
                logs.computeIfAbsent(name, _ -> new ArrayList<>()).add(line);
            }
        }

        @Override
        public boolean exists(String path) {
            synchronized (FakePod.this) {
                return files.containsKey(path);
            }
        }

        @Override
        public List<String> list(String path) {
            return List.of();
        }

        @Override
        public Optional<byte[]> read(String path, int limit) throws IOException {
            synchronized (FakePod.this) {
                if (refused.containsKey(path)) {
                    throw new IOException(refused.get(path));
                }
                var content = Optional.ofNullable(files.get(path));
                if (content.filter(bytes -> bytes.length > limit).isPresent()) {
                    throw new IOException(path + " is larger than " + limit + " bytes");
                }
                return content;
            }
        }

        @Override
        public void write(String path, byte[] content, int mode) {
            synchronized (FakePod.this) {
                files.put(path, content);
                FakePod.this.notifyAll();
            }
        }

        @Override
        public void link(String path, String target) {
            synchronized (FakePod.this) {
                links.put(path, target);
            }
        }

        @Override
        public void makeDirectory(String path, int mode) {
            synchronized (FakePod.this) {
                files.put(path + "/", new byte[0]);
            }
        }
    }
}
