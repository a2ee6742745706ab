package dev.towtank.app;

import dev.towtank.apiserver.audit.AuditSink;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.app.run.RunCall;
import dev.towtank.app.run.Stopping;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.view.PrettyOutput;
import dev.towtank.app.run.view.Style;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Starts a server, asks it the usual things, and stops it. The JVM watches, and writes down what a start needs, so
/// that later starts find it ready made (`-XX:AOTCacheOutput`).
@Command(name = "train", hidden = true, description = "Exercises a server on an empty directory.")
final class TrainCommand implements Callable<Integer> {
    private static final String JSON = "application/json";
    private static final String RUNS = "/apis/tekton.dev/v1/namespaces/training/taskruns";
    private static final String PODS = "/api/v1/namespaces/training/pods";

    /// So many show the JVM what is worth optimizing, and how: a later server then does it after the first few.
    private static final int REPEATED = 25;

    private static final int LONGEST_SECONDS = 30;

    private final Surroundings surroundings;

    @Parameters(paramLabel = "DIR", description = "An empty directory.")
    private Path directory = Path.of("");

    /// What makes certificates must not become part of what every start loads: it is in signed jars, whose signatures
    /// would be verified each time.
    @Option(names = "--prepare", description = "Only makes the certificates, for a later call on the same directory.")
    private boolean prepare;

    @Option(names = "--recent", paramLabel = "JAR", description = "With --prepare: a library with old classes.")
    private List<Path> old = List.of();

    @Option(names = "--lint", paramLabel = "PATH", description = "More files to look for mistakes in.")
    private List<String> samples = List.of();

    TrainCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws Exception {
        Logging.configure();
        var data = new DataDirectory(directory);
        data.make();
        var pki = Pki.open(data.pki(), surroundings.clock(), List.of());
        if (prepare) {
            for (var library : old) {
                RecentClasses.rewrite(library);
            }
            var _ = Pki.open(history().shared().resolve("pki"), surroundings.clock(), List.of(), Pki.Life.SHORT);
            return ExitCode.OK;
        }
        lint();
        var node = new Engine.Node(data.node(), data.images(), PodRuntime.BUBBLEWRAP, false, List.of(), List.of());
        try {
            train(data, pki, Optional.of(node));
        } catch (Failure e) {
            // Pods cannot be isolated here; then starts without a node are what can be prepared.
            train(data, pki, Optional.empty());
            return ExitCode.OK;
        }
        try {
            trainRun(data);
        } catch (Failure e) {
            // Then servers alone start quickly.
        }
        return ExitCode.OK;
    }

    private RunHistory history() {
        return new RunHistory(directory.resolve("runs"));
    }

    /// The way from a file to a picture of its run.
    private void trainRun(DataDirectory data) throws IOException, InterruptedException {
        var file = Files.writeString(directory.resolve("task.yaml"), """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: training}
                spec:
                  steps: [{name: main, image: busybox, script: echo hello}]
                """);
        var history = history();
        var engines = new RunEngines(surroundings, data, history.shared(), false);
        var call = new RunCall(
                List.of(file),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                RunCall.Earlier.NONE,
                true,
                false);
        var place = new RunCall.Place(
                engines::own, history, Stopping.NEVER, surroundings.clock(), "towtank", Version.TOWTANK);
        var nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        var output = new PrettyOutput(nowhere, new Style(true, true), () -> new PrettyOutput.Size(80, 24));
        var _ = call.run(place, output);
    }

    /// Another command that people wait for.
    private void lint() throws IOException {
        var sample = directory.resolve("sample.yaml");
        try (var in = TrainCommand.class.getResourceAsStream("sample.yaml")) {
            if (in == null) {
                throw new IllegalStateException("sample.yaml is not where it was built into");
            }
            Files.copy(in, sample);
        }
        var line = new ArrayList<>(List.of("lint", "--data", directory.toString(), sample.toString()));
        line.addAll(samples);
        Program.run(surroundings, line.toArray(String[]::new));
    }

    private void train(DataDirectory data, Pki pki, Optional<Engine.Node> node) throws IOException {
        var site = new Engine.Site(
                Optional.of(data.store()),
                data.audit(),
                AuditSink.Level.METADATA,
                0,
                true,
                pki,
                surroundings.clock(),
                Optional.empty(),
                node);
        try (var engine = surroundings.engine().start(site);
                var client = LocalClient.admin(engine.address(), pki)) {
            exercise(client);
        }
    }

    // What comes back does not matter: only that the server went the way of such requests.
    private static void exercise(LocalClient client) {
        for (var path : List.of("/readyz", "/version", "/api", "/apis", "/api/v1", "/openapi/v2", "/openapi/v3")) {
            client.get(path);
        }
        client.send("POST", "/api/v1/namespaces", JSON, """
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "training"}}""");
        var maps = "/api/v1/namespaces/training/configmaps";
        client.send("POST", maps, JSON, """
                {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "one"}, "data": {"key": "value"}}""");
        client.send("PATCH", maps + "/one", "application/merge-patch+json", """
                {"data": {"key": "other"}}""");
        client.send("PATCH", maps + "/two?fieldManager=training", "application/apply-patch+yaml", """
                {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "two"}, "data": {"key": "value"}}""");
        for (int i = 0; i < REPEATED; i++) {
            client.send("POST", PODS, JSON, """
                    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p%d"}, "spec": {"restartPolicy": "Never",
                     "containers": [{"name": "main", "image": "busybox", "command": ["true"]}]}}""".formatted(i));
            client.send("POST", RUNS, JSON, """
                    {"apiVersion": "tekton.dev/v1", "kind": "TaskRun", "metadata": {"name": "t%d"}, "spec": {"taskSpec":
                     {"steps": [{"name": "main", "image": "busybox", "script": "true"}]}}}""".formatted(i));
        }
        awaitEnds(client);
        client.get(maps + "?limit=1");
        client.get(maps + "?watch=true&timeoutSeconds=1&resourceVersion=1");
        client.send("DELETE", maps + "/one", "", "");
        client.send("DELETE", "/api/v1/namespaces/training", "", "");
    }

    /// Where pods cannot run they do not end: then not for ever.
    private static void awaitEnds(LocalClient client) {
        for (int i = 0;
                i < LONGEST_SECONDS && client.get(RUNS).body().split("completionTime", -1).length <= REPEATED;
                i++) {
            client.get(RUNS + "?watch=true&timeoutSeconds=1");
        }
    }
}
