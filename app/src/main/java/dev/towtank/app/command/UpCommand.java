package dev.towtank.app.command;

import dev.towtank.apiserver.audit.AuditSink;
import dev.towtank.apiserver.pki.Kubeconfig;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.app.engine.DataDirectory;
import dev.towtank.app.engine.Engine;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.engine.Features;
import dev.towtank.app.engine.Instance;
import dev.towtank.app.engine.InstanceLock;
import dev.towtank.app.engine.MemoryUpkeep;
import dev.towtank.app.engine.PodRuntime;
import dev.towtank.app.engine.RealImagesSite;
import dev.towtank.app.engine.ShellText;
import dev.towtank.app.run.DeadRuns;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.shell.DataOption;
import dev.towtank.app.shell.Logging;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.controllers.registry.RegistryFeature;
import dev.towtank.node.Intruders;
import dev.towtank.node.images.ImageMode;
import dev.towtank.node.machine.NamedNode;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Starts the server, here or in the background.
@Command(name = "up", description = "Starts the server and says how to reach it.", sortOptions = false)
final class UpCommand implements Callable<Integer> {
    private static final int ATTEMPTS = 10;
    private static final String WHAT_TO_TYPE = "Type: export KUBECONFIG=";
    private static final Inet4Address LOOPBACK = Inet4Address.ofLiteral("127.0.0.1");

    private final Surroundings surroundings;

    @Option(names = "--detach", description = "Runs it in the background and returns when it is ready.")
    private boolean detach;

    @Mixin
    private final DataOption data = new DataOption();

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "6443",
            description = "The port on 127.0.0.1 (default: ${DEFAULT-VALUE}); 0 takes any free one.")
    private int port;

    @Option(
            names = "--virtual-time",
            description = "Lets 'time advance' move the server's clock, for tests of what happens in a week.")
    private boolean virtualTime;

    @Option(names = "--no-node", description = "Serves the API only: pods are accepted, and wait.")
    private boolean noNode;

    @Option(
            names = "--node",
            paramLabel = "NAME[:LABEL=VALUE,...]",
            description =
                    "Has a further Node object, with these labels, that stands for this machine too, for pods that"
                            + " choose among nodes. May be given several times.")
    private List<String> nodes = new ArrayList<>();

    @Option(
            names = "--runtime",
            paramLabel = "NAME",
            defaultValue = "bubblewrap",
            description =
                    "What runs the containers of pods: bubblewrap (sandboxes of this machine's programs, see the image"
                            + " map), or podman or docker (the real images). Default: ${DEFAULT-VALUE}.")
    private PodRuntime runtime = PodRuntime.BUBBLEWRAP;

    @Option(
            names = "--images",
            paramLabel = "WHICH",
            defaultValue = "auto",
            description =
                    "What containers run on: real (the images of registries, pulled where they are missing), stand-in"
                            + " (this machine's own programs, see the image map), or auto (a real image that is here, else a"
                            + " stand-in, else one that is pulled). Default: ${DEFAULT-VALUE}.")
    private ImageMode images = ImageMode.AUTO;

    @Option(
            names = "--unsafe-host",
            description = "Runs pods as plain processes of this machine, without any isolation.")
    private boolean unsafeHost;

    @Option(
            names = "--allow-host-path",
            paramLabel = "DIR",
            description =
                    "Lets pods mount this directory, and all below it, as a hostPath. May be given several times.")
    private List<Path> hostPaths = new ArrayList<>();

    @Option(
            names = "--allow-builders",
            description =
                    "Lets containers of the default cluster that ask for it (privileged, or the capability SETFCAP or"
                            + " SYS_ADMIN) make mounts of their own, by which buildah builds images. They get no rights over"
                            + " the machine, but more of its kernel is within their reach: see SECURITY.md.")
    private boolean builders;

    @Option(
            names = "--audit",
            paramLabel = "LEVEL",
            defaultValue = "metadata",
            description =
                    "What the audit log in DIR/audit tells of each request: off, metadata (who, what, whether it was"
                            + " allowed, how long it took) or request (also what was sent and answered, but never of secrets,"
                            + " config maps and tokens). Default: ${DEFAULT-VALUE}.")
    private AuditSink.Level audit = AuditSink.Level.METADATA;

    @Option(
            names = "--without",
            paramLabel = "FEATURE",
            description =
                    "Leaves a feature out, such as secrets or triggers, for a server that somebody else's controllers"
                            + " work on. May be given several times.")
    private Set<String> without = new LinkedHashSet<>();

    @Option(
            names = "--registry",
            arity = "0..1",
            fallbackValue = "5000",
            paramLabel = "PORT",
            description =
                    "Opens a registry of images on this port of the loopback address (default: 5000); pods know it as "
                            + RegistryFeature.ADDRESS + ", and show it a token of a ServiceAccount as password.")
    private @Nullable Integer registry;

    @Option(names = "--background", hidden = true, description = "Set by --detach for the process it starts.")
    private boolean background;

    UpCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws Exception {
        if (port < 0 || port > 65535) {
            throw new Failure("There is no port " + port + ": choose one from 0 to 65535.");
        }
        if (registry != null && (registry < 1 || registry > 65535 || registry == port)) {
            throw new Failure("--registry " + registry + ": choose a port of its own, from 1 to 65535.");
        }
        if (unsafeHost && runtime != PodRuntime.BUBBLEWRAP) {
            throw new Failure("--unsafe-host runs plain processes, and --runtime " + runtime
                    + " containers: choose one of them.");
        }
        if (builders && (unsafeHost || runtime != PodRuntime.BUBBLEWRAP)) {
            throw new Failure(
                    "--allow-builders is about sandboxes of bubblewrap: leave out --unsafe-host and --runtime.");
        }
        furtherNodes();
        var _ = Features.without(without);
        var directory = data.resolve(surroundings);
        directory.make();
        return detach ? startDetached(directory) : serve(directory);
    }

    private int startDetached(DataDirectory directory) throws InterruptedException {
        Instance.running(directory).ifPresent(first -> {
            throw InstanceLock.taken(directory, first, surroundings.programName());
        });
        var command = new ArrayList<>(
                List.of("up", "--background", "--data", directory.toString(), "--port", String.valueOf(port)));
        command.addAll(List.of("--audit", audit.name().toLowerCase(Locale.ROOT)));
        if (virtualTime) {
            command.add("--virtual-time");
        }
        if (noNode) {
            command.add("--no-node");
        }
        command.addAll(List.of("--runtime", runtime.toString(), "--images", images.toString()));
        if (unsafeHost) {
            command.add("--unsafe-host");
        }
        if (builders) {
            command.add("--allow-builders");
        }
        nodes.forEach(node -> command.add("--node=" + node));
        without.forEach(feature -> command.add("--without=" + feature));
        if (registry != null) {
            command.add("--registry=" + registry);
        }
        for (var path : hostPaths) {
            command.add("--allow-host-path=" + path.toAbsolutePath());
        }
        var announcement = new Background(surroundings, directory).start(command);
        announcement.forEach(surroundings.out()::println);
        return ExitCode.OK;
    }

    private int serve(DataDirectory directory) throws IOException, InterruptedException {
        Logging.configure();
        try (var _ = InstanceLock.take(directory, surroundings.programName())) {
            if (!noNode) {
                sweepDeadRuns(directory);
            }
            var instance = Instance.current(surroundings.clock());
            instance.write(directory);
            try {
                serveUntilStopped(directory, instance);
            } finally {
                Instance.forget(directory);
            }
        }
        return ExitCode.OK;
    }

    private void sweepDeadRuns(DataDirectory directory) {
        var history = RunHistory.of(surroundings.environment());
        var engines = new RunEngines(surroundings, directory, history.shared(), unsafeHost, ImageMode.STAND_IN);
        new DeadRuns(history, engines::own, surroundings.err()::println).sweep();
    }

    private void serveUntilStopped(DataDirectory directory, Instance instance)
            throws IOException, InterruptedException {
        var pki = Pki.open(directory.pki(), surroundings.clock(), hostNames());
        var site = new Engine.Site(
                Optional.of(directory.store()),
                directory.features(),
                directory.audit(),
                audit,
                port,
                true,
                pki,
                surroundings.clock(),
                virtualTime(directory),
                node(directory),
                without);
        try (var engine = start(directory, registry == null ? site : site.withRegistry(registry));
                var _ = MemoryUpkeep.ofThisProcess()) {
            Kubeconfig.write(directory.kubeconfig(), engine.address(), pki);
            instance.at(engine.address()).write(directory);
            announce(directory, engine).forEach(surroundings.out()::println);
            surroundings.out().flush();
            surroundings.stop().await();
            if (!background) {
                surroundings.out().println("Stopping.");
            }
        }
    }

    private Optional<Engine.Node> node(DataDirectory directory) {
        if (unsafeHost && !noNode) {
            surroundings.out().println("Pods run as plain processes of this machine, without any isolation.");
        }
        return noNode
                ? Optional.empty()
                : Optional.of(new Engine.Node(
                                directory.node(), directory.images(), runtime, unsafeHost, hostPaths, furtherNodes())
                        .with(RealImagesSite.of(directory, images, surroundings.environment()))
                        .withBuilders(builders));
    }

    private List<NamedNode> furtherNodes() {
        if (noNode && !nodes.isEmpty()) {
            throw new Failure("--node wants a node, and --no-node none: choose one of them.");
        }
        var names = new HashSet<String>();
        var further = new ArrayList<NamedNode>();
        for (var node : nodes) {
            try {
                further.add(NamedNode.parse(node));
            } catch (IllegalArgumentException e) {
                throw new Failure(
                        "--node " + node + ": " + e.getMessage() + ". For example: --node worker-1:disk=ssd,zone=a", e);
            }
            if (!names.add(further.getLast().name())) {
                throw new Failure("--node names " + further.getLast().name()
                        + " twice. Give all its labels at once, with commas between them.");
            }
        }
        return further;
    }

    private Optional<Path> virtualTime(DataDirectory directory) {
        if (!virtualTime && Files.exists(directory.virtualTime())) {
            throw new Failure("The clock of this data directory was moved ahead, and must not go back. "
                    + "Start with --virtual-time, or use another directory with --data.");
        }
        return virtualTime ? Optional.of(directory.virtualTime()) : Optional.empty();
    }

    private Engine start(DataDirectory directory, Engine.Site site) throws IOException {
        return start(directory, site, ATTEMPTS);
    }

    private Engine start(DataDirectory directory, Engine.Site site, int attempts) throws IOException {
        try {
            return surroundings.engine().start(site);
        } catch (IOException | RuntimeException e) {
            if (!isPortTaken(e)) {
                throw e;
            }
            if (messages(e).anyMatch(text -> text.endsWith(" for registry"))) {
                throw new Failure(
                        "Port " + registry + " of 127.0.0.1 is in use by another program. "
                                + "Choose another one for the registry with --registry=N.",
                        e);
            }
            if (messages(e).anyMatch("Permission denied"::equals)) {
                throw new Failure(
                        "This user may not listen on port " + port + ". Choose one from 1024 on with --port N, or any"
                                + " free one with --port 0.",
                        e);
            }
            if (attempts > 1 && endsIntruders(directory)) {
                return start(directory, site, attempts - 1); // there may be another who only waited for it
            }
            throw new Failure(
                    "Port " + port + " of 127.0.0.1 is in use by another program. "
                            + "Choose another one with --port N, or any free one with --port 0.",
                    e);
        }
    }

    /// Pods on the machine's network can take the port while no server runs.
    private boolean endsIntruders(DataDirectory directory) throws IOException {
        int ended = noNode ? 0 : Intruders.of(directory.node()).end(LOOPBACK, port);
        if (ended > 0) {
            surroundings
                    .out()
                    .println("Containers of an earlier start listened on port " + port + ", and were ended: " + ended
                            + ".");
        }
        return ended > 0;
    }

    private List<String> announce(DataDirectory directory, Engine engine) {
        var lines = new ArrayList<String>();
        lines.add("Towtank is ready at " + engine.address() + ", with its data in " + directory + ".");
        lines.addAll(engine.notes());
        if (registry != null) {
            lines.add("Its registry of images is 127.0.0.1:" + registry + ", in pods " + RegistryFeature.ADDRESS + ".");
        }
        lines.add(WHAT_TO_TYPE + ShellText.quote(directory.kubeconfig().toString()) + "; kubectl get namespaces");
        return lines;
    }

    /// Whatever else is told about this machine comes before it.
    static boolean isLastAnnounced(String line) {
        return line.startsWith(WHAT_TO_TYPE);
    }

    private static Stream<String> messages(Throwable problem) {
        return Stream.iterate(problem, each -> each != null, Throwable::getCause)
                .limit(10)
                .map(each -> String.valueOf(each.getMessage()).replaceFirst(": .*", ""));
    }

    private static boolean isPortTaken(Throwable problem) {
        return Stream.iterate(problem, each -> each != null, Throwable::getCause)
                .limit(10)
                .anyMatch(BindException.class::isInstance);
    }

    // The kernel knows; asking the resolver may take seconds on a machine without network.
    static List<String> hostNames() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname"))
                    .lines()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
