package dev.towtank.node.pods;

import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.node.linux.Signal;
import dev.towtank.node.logs.ContainerLog;
import dev.towtank.node.sandbox.Abilities;
import dev.towtank.node.sandbox.ContainerSpec;
import dev.towtank.node.sandbox.ContainerTrace;
import dev.towtank.node.sandbox.ExecSpec;
import dev.towtank.node.sandbox.Exit;
import dev.towtank.node.sandbox.RunningProcess;
import dev.towtank.node.sandbox.Sandbox;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// Containers that are nothing but an entry in a map; a test says when they end.
final class FakeSandbox implements Sandbox {

    private final InstantSource clock;
    private final Map<String, Container> containers = new HashMap<>();
    private final List<String> executed = new ArrayList<>();
    private final List<String> resized = new ArrayList<>();
    private final Map<String, Long> filled = new HashMap<>();
    private boolean refusesToResize;
    private int execCode;
    private boolean startsTakeLong;
    private int starting;

    FakeSandbox(InstantSource clock) {
        this.clock = clock;
    }

    final class Container implements RunningProcess {
        private final ContainerSpec spec;
        private final Instant startedAt = clock.instant();
        private final List<Signal> signals = new ArrayList<>();
        private final CountDownLatch over = new CountDownLatch(1);
        private boolean obeys = true;
        private volatile @Nullable Exit exit;
        private String output = "";

        Container(ContainerSpec spec) {
            this.spec = spec;
        }

        ContainerSpec spec() {
            return spec;
        }

        List<Signal> signals() {
            return List.copyOf(signals);
        }

        void ignoreSignals() {
            obeys = false;
        }

        void print(String text) {
            output += text;
        }

        void exit(int code) {
            end(new Exit.Ended(code, OptionalInt.empty(), false, clock.instant()));
        }

        void end(Exit how) {
            exit = how;
            over.countDown();
        }

        @Override
        public String id() {
            return spec.id();
        }

        @Override
        public Instant startedAt() {
            return startedAt;
        }

        @Override
        public Exit await() throws InterruptedException {
            over.await();
            return exit().orElseThrow();
        }

        @Override
        public Optional<Exit> exit() {
            return Optional.ofNullable(exit);
        }

        @Override
        public void signal(Signal signal) {
            signals.add(signal);
            if (signal == Signal.KILL || obeys) {
                exit(128 + signal.number());
            }
        }

        @Override
        public ContainerLog log() {
            return new ContainerLog() {
                @Override
                public boolean lacksBeginning() {
                    return false;
                }

                @Override
                public InputStream read(Query query) {
                    return new ByteArrayInputStream(output.getBytes(StandardCharsets.UTF_8));
                }

                @Override
                public void append(String line) {
                    print(line + "\n");
                }
            };
        }
    }

    /// Waits until the run is there.
    synchronized Container await(String id) throws InterruptedException {
        while (!containers.containsKey(id)) {
            wait();
        }
        return containers.get(id);
    }

    synchronized void awaitRemoved(String id) throws InterruptedException {
        while (containers.containsKey(id)) {
            wait();
        }
    }

    synchronized boolean has(String id) {
        return containers.containsKey(id);
    }

    synchronized void execCode(int code) {
        execCode = code;
    }

    synchronized List<String> executed() {
        return List.copyOf(executed);
    }

    /// Until it is told that they do not.
    synchronized void startsTakeLong(boolean takeLong) {
        startsTakeLong = takeLong;
        notifyAll();
    }

    synchronized void awaitStarting() throws InterruptedException {
        while (starting == 0) {
            wait();
        }
    }

    private void awaitStarts() throws IOException {
        starting++;
        notifyAll();
        try {
            while (startsTakeLong) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        } finally {
            starting--;
        }
    }

    @Override
    public synchronized RunningProcess start(ContainerSpec spec) throws IOException {
        awaitStarts();
        Files.createDirectories(spec.directory());
        var container = new Container(spec);
        containers.put(spec.id(), container);
        notifyAll();
        return container;
    }

    @Override
    public synchronized Optional<RunningProcess> join(ContainerTrace trace) {
        return Optional.ofNullable(containers.get(trace.id()));
    }

    @Override
    public synchronized PodAccess.Session exec(String id, ExecSpec command) {
        executed.add(id + " " + String.join(" ", command.arguments()));
        notifyAll();
        int code = execCode;
        return new PodAccess.Session() {
            @Override
            public OutputStream stdin() {
                return OutputStream.nullOutputStream();
            }

            @Override
            public InputStream stdout() {
                return new ByteArrayInputStream("output".getBytes(StandardCharsets.UTF_8));
            }

            @Override
            public InputStream stderr() {
                return InputStream.nullInputStream();
            }

            @Override
            public void resize(int columns, int rows) {}

            @Override
            public OptionalInt await() {
                return OptionalInt.of(code);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public PodAccess.Session attach(String id) throws IOException {
        throw new IOException("nothing to attach to");
    }

    @Override
    public synchronized void resize(String id, ContainerSpec.Limits limits) throws IOException {
        if (refusesToResize) {
            throw new IOException("it uses more already");
        }
        resized.add(limits.memoryBytes().orElse(0) + " " + limits.cpuMillis().orElse(0));
    }

    synchronized List<String> resized() {
        return List.copyOf(resized);
    }

    synchronized void refuseToResize(boolean refuses) {
        refusesToResize = refuses;
    }

    @Override
    public synchronized void remove(String id, Path directory) throws IOException {
        containers.remove(id);
        notifyAll();
        Files.deleteIfExists(directory);
    }

    synchronized void fill(String id, long bound) {
        filled.put(id, bound);
    }

    @Override
    public synchronized OptionalLong overfull(String id) {
        return filled.containsKey(id) ? OptionalLong.of(filled.get(id)) : OptionalLong.empty();
    }

    @Override
    public Abilities abilities() {
        return new Abilities(
                true, Abilities.LimitsBy.NOBODY, Abilities.LimitsBy.NOBODY, Abilities.LimitsBy.NOBODY, List.of());
    }

    @Override
    public void close() {}
}
