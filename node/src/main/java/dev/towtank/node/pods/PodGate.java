package dev.towtank.node.pods;

import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.cluster.pods.Usage;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.node.logs.ContainerLog;
import dev.towtank.node.sandbox.ExecSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// Logs, exec, attach, port-forward and the use of resources of the pods on this node.
public final class PodGate implements PodAccess {

    private static final Duration LONGEST_BEGINNING = Duration.ofSeconds(10);
    private static final int CONNECT_MILLIS = 5000;

    private final NodeParts parts;
    private final PodWorkers workers;
    private final UsageMeter meter;

    public PodGate(NodeParts parts, PodWorkers workers) {
        this.parts = parts;
        this.workers = workers;
        this.meter = new UsageMeter(parts.timers());
    }

    @Override
    public InputStream log(Resource pod, LogRequest request) {
        try {
            return stored(pod, request).read(query(request));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean lacksBeginning(Resource pod, String container) {
        var all = new LogRequest(
                container,
                false,
                false,
                false,
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty());
        try {
            return stored(pod, all).lacksBeginning();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ContainerLog stored(Resource pod, LogRequest request) {
        var container = ContainerChoice.of(pod, request.container());
        var run = ContainerChoice.loggedRun(current(pod), container, request.previous());
        var live = workers.worker(pod.uid())
                .flatMap(worker -> worker.memory().run(container))
                .filter(each -> each.publicId().equals(run));
        if (live.isEmpty()) {
            return parts.storedLogs().apply(logDirectory(pod, container, run));
        }
        try {
            if (request.follow()) {
                live.get().awaitProcess();
            }
            return live.get().log();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusError(StatusError.Reason.TIMEOUT, "interrupted while waiting for the log");
        }
    }

    private Path logDirectory(Resource pod, String container, String publicId) {
        var attempt = publicId.substring(publicId.lastIndexOf('_') + 1);
        try {
            return PodFiles.log(parts, pod.uid(), container, Integer.parseInt(attempt));
        } catch (NumberFormatException e) {
            throw StatusError.badRequest(
                    "container \"" + container + "\" in pod \"" + pod.name() + "\" is not available");
        }
    }

    // The worker knows more than what has been written, until the pod is over: then it knows less, if it is a new one.
    private Resource current(Resource pod) {
        return workers.worker(pod.uid())
                .filter(_ -> !Containers.isOver(pod))
                .map(worker -> {
                    var known = worker.memory();
                    var status = PodStatus.of(
                            worker.pod(),
                            known.facts(),
                            PodStatus.Place.of(parts, pod.uid()),
                            parts.timers().instant());
                    return pod.with(pod.json().with("status", status));
                })
                .orElse(pod);
    }

    private ContainerLog.Query query(LogRequest request) {
        Optional<Instant> since = request.since()
                .map(duration -> parts.timers().instant().minus(duration))
                .or(request::sinceTime);
        return new ContainerLog.Query(
                request.follow(), request.timestamps(), since, request.tailLines(), request.limitBytes());
    }

    @Override
    public Session exec(Resource pod, ExecRequest request) {
        if (request.command().isEmpty()) {
            throw StatusError.badRequest("you must specify at least 1 command for the container");
        }
        var run = running(pod, request.container());
        var spec = new ExecSpec(
                request.command(),
                run.environment(),
                run.plan().workingDirectory(),
                request.stdin(),
                request.tty(),
                run.plan().rights());
        try {
            return parts.sandbox().exec(run.id(), spec);
        } catch (IOException e) {
            throw StatusError.internal(
                    "error executing command in container: failed to exec in container: " + e.getMessage());
        }
    }

    @Override
    public Session attach(Resource pod, ExecRequest request) {
        var run = running(pod, request.container());
        if (request.tty()
                && !Containers.find(pod, run.name()).orElse(Json.Obj.EMPTY).flag("tty")) {
            throw StatusError.badRequest("unable to use a TTY - container " + run.name() + " did not allocate one");
        }
        try {
            return parts.sandbox().attach(run.id());
        } catch (IOException e) {
            throw StatusError.internal("error attaching to container: " + e.getMessage());
        }
    }

    private ContainerRun running(Resource pod, String asked) {
        if (Containers.isOver(pod)) {
            throw StatusError.badRequest("cannot exec into a container in a completed pod; current phase is "
                    + pod.status().string("phase"));
        }
        var container = ContainerChoice.of(pod, asked);
        return workers.worker(pod.uid())
                .filter(worker -> worker.memory().facts().of(container).isRunning())
                .flatMap(worker -> worker.memory().run(container))
                .map(PodGate::begun)
                .orElseThrow(() -> StatusError.internal("container not found (\"" + container + "\")"));
    }

    // A step is said to run before it has a process of its own: when it is about to begin, as after a restart of this
    // server, it is worth waiting for.
    private static ContainerRun begun(ContainerRun run) {
        try {
            run.awaitProcess(LONGEST_BEGINNING);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (run.process().isEmpty()) {
            throw StatusError.internal("container \"" + run.name() + "\" has no process yet: it waits for its turn");
        }
        return run;
    }

    @Override
    public Connection connect(Resource pod, int port) {
        if (workers.worker(pod.uid()).isEmpty()) {
            throw StatusError.badRequest("unable to forward port because pod is not running. Current status="
                    + pod.status().string("phase"));
        }
        try {
            var socket = parts.network().connect(pod.uid(), port, CONNECT_MILLIS);
            return new SocketConnection(socket, socket.getInputStream(), socket.getOutputStream());
        } catch (IOException e) {
            throw StatusError.internal("error forwarding port " + port + " to pod " + pod.uid()
                    + ": failed to connect to localhost:" + port + " inside pod \"" + pod.name() + "\": "
                    + e.getMessage());
        }
    }

    @Override
    public String authority(String podAddress, int port) {
        return parts.network().authority(podAddress, port);
    }

    @Override
    public boolean givesNetworks() {
        return parts.network().isForPods();
    }

    @Override
    public Map<String, Usage> usage(Resource pod) {
        var found = new LinkedHashMap<String, Usage>();
        workers.worker(pod.uid()).ifPresent(worker -> {
            for (var container : Containers.all(pod)) {
                var name = Containers.name(container);
                worker.memory()
                        .run(name)
                        .filter(_ -> worker.memory().facts().of(name).isRunning())
                        .flatMap(meter::of)
                        .ifPresent(usage -> found.put(name, usage));
            }
        });
        return found;
    }

    @Override
    public Optional<Usage> machineUsage() {
        return meter.ofMachine();
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is of no use any more
        }
    }

    private record SocketConnection(Socket socket, InputStream input, OutputStream output) implements Connection {
        @Override
        public void close() {
            closeQuietly(socket);
        }
    }
}
