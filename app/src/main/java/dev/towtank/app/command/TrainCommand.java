package dev.towtank.app.command;

import dev.towtank.apiserver.pki.Pki;
import dev.towtank.app.engine.DataDirectory;
import dev.towtank.app.engine.Instance;
import dev.towtank.app.engine.LocalClient;
import dev.towtank.app.engine.StopSignal;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.shell.Surroundings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Does what users do, by the commands that they use. The JVM watches, and writes down what a start needs, so
/// that later starts find it ready made (`-XX:AOTCacheOutput`).
@Command(name = "train", hidden = true, description = "Exercises the program on an empty directory.")
final class TrainCommand implements Callable<Integer> {
    private static final String JSON = "application/json";
    private static final String RUNS = "/apis/tekton.dev/v1/namespaces/training/taskruns";
    private static final String PODS = "/api/v1/namespaces/training/pods";

    /// So many show the JVM what is worth optimizing, and how: a later server then does it after the first few.
    private static final int REPEATED = 25;

    private static final int LONGEST_SECONDS = 30;

    private enum Lesson {
        /// Only makes what the others would have to make first. What makes certificates must not become part of what
        /// every start loads: it is in signed jars, whose signatures would be verified each time.
        PREPARATION,
        SERVER,
        /// Commands that do their work and end.
        TOOLS
    }

    private final Surroundings surroundings;

    @Parameters(index = "0", paramLabel = "LESSON", description = "preparation, server or tools.")
    private Lesson lesson = Lesson.PREPARATION;

    @Parameters(index = "1", paramLabel = "DIR", description = "An empty directory, the same for all lessons.")
    private Path directory = Path.of("");

    @Option(names = "--recent", paramLabel = "JAR", description = "For the preparation: a library with old classes.")
    private List<Path> old = List.of();

    @Option(names = "--lint", paramLabel = "PATH", description = "For tools: more files to look for mistakes in.")
    private List<String> samples = List.of();

    TrainCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws Exception {
        Files.createDirectories(directory);
        directory = directory.toAbsolutePath();
        switch (lesson) {
            case PREPARATION -> prepare();
            case SERVER -> server();
            case TOOLS -> tools();
        }
        return ExitCode.OK;
    }

    private void prepare() throws IOException {
        for (var library : old) {
            RecentClasses.rewrite(library);
        }
        var data = data();
        data.make();
        // Of the same names as a server's, or that would make a new certificate.
        var _ = Pki.open(data.pki(), surroundings.clock(), UpCommand.hostNames());
        var history = RunHistory.of(pupil(() -> {}).environment());
        var _ = Pki.open(history.shared().resolve("pki"), surroundings.clock(), List.of(), Pki.Life.SHORT);
    }

    private DataDirectory data() {
        return DataDirectory.locate(null, pupil(() -> {}).environment());
    }

    /// The same program, with its state below our directory, saying nothing.
    private Surroundings pupil(StopSignal stop) {
        var environment = new HashMap<>(surroundings.environment());
        environment.put("XDG_STATE_HOME", directory.toString());
        return new Surroundings(
                environment,
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
                surroundings.err(),
                surroundings.launcher(),
                surroundings.clock(),
                stop,
                surroundings.signals(),
                surroundings.engine());
    }

    /// Once on nothing, and once, as most starts are, on what an earlier one left.
    private void server() {
        var exercised = pupil(() -> exercise(data()));
        // Where pods cannot be isolated, starts without a node are what can be prepared.
        if (Program.run(exercised, "up", "--port", "0") == ExitCode.OK) {
            Program.run(pupil(() -> {}), "up", "--port", "0");
        } else {
            Program.run(exercised, "up", "--port", "0", "--no-node");
        }
    }

    /// Where it cannot be done, as without sandboxes, less is prepared.
    private void tools() throws IOException {
        var sample = directory.resolve("sample.yaml");
        try (var in = TrainCommand.class.getResourceAsStream("sample.yaml")) {
            if (in == null) {
                throw new IllegalStateException("sample.yaml is not where it was built into");
            }
            Files.copy(in, sample);
        }
        var lint = new ArrayList<>(List.of("lint", sample.toString()));
        lint.addAll(samples);
        Program.run(pupil(() -> {}), lint.toArray(String[]::new));
        var task = Files.writeString(directory.resolve("task.yaml"), """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: training}
                spec:
                  steps: [{name: main, image: busybox, script: echo hello}]
                """);
        for (var output : List.of("plain", "pretty")) {
            Program.run(pupil(() -> {}), "run", "--output", output, task.toString());
        }
        render();
    }

    private void render() throws IOException {
        var folder = Files.createDirectories(directory.resolve("chart"));
        Files.writeString(folder.resolve("Chart.yaml"), "apiVersion: v2\nname: training\nversion: 1.0.0\n");
        Files.writeString(folder.resolve("values.yaml"), "env: {A: a}\nresources: {limits: {cpu: 1}}\n");
        Files.writeString(Files.createDirectories(folder.resolve("templates")).resolve("a.yaml"), """
                {{- define "labels" -}}app: {{ .Release.Name | trunc 63 | trimSuffix "-" | quote }}{{- end }}
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: {{ printf "%s-%s" .Release.Name .Chart.Name }}
                  labels: {{- include "labels" . | nindent 4 }}
                data:
                  {{- range $name, $value := .Values.env }}
                  {{ $name }}: {{ $value | default "none" | quote }}
                  {{- end }}
                  resources: |
                    {{- toYaml .Values.resources | nindent 4 }}
                """);
        Files.writeString(directory.resolve("kustomization.yaml"), "namePrefix: my-\nresources: [task.yaml]\n");
        for (var what : List.of(folder, directory)) {
            Program.run(pupil(() -> {}), "render", what.toString());
        }
    }

    private void exercise(DataDirectory data) {
        var address = Instance.running(data).flatMap(Instance::address);
        if (address.isPresent()) {
            try (var client = LocalClient.admin(address.get(), Pki.open(data.pki(), surroundings.clock(), List.of()))) {
                exercise(client);
            }
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
