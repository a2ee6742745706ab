package dev.towtank.controllers.notebooks.source;

import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.pods.ContainerProgram;
import dev.towtank.cluster.pods.RunningContainer;
import dev.towtank.controllers.notebooks.api.RunOrder;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Runs a notebook in its container: brings the runner, starts it, and keeps what it tells while it runs.
public final class NotebookProgram implements ContainerProgram {

    private static final String PLACE = "/workspace/.towtank/";
    private static final String RUNNER = PLACE + "notebook_runner.py";
    private static final String RESULTS = "/workspace/results.json";
    private static final String NOTEBOOK = "/workspace/output.ipynb";
    private static final Duration LOOK = Duration.ofMillis(250);
    private static final Duration GRACE = Duration.ofSeconds(75);
    private static final int MOST_RESULTS = 16 << 20;
    private static final int MOST_NOTEBOOK = 64 << 20;
    private static final int READABLE = 0644;

    // Another Python may come first on the PATH than the one that has what it takes.
    private static final String START = """
            for python in python3 /usr/bin/python3; do
                "$python" -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec("nbclient") is None)' \
                    2>/dev/null && exec "$python" "$@"
            done
            exec python3 "$@"
            """;

    private final RunReports reports;
    private final Outside<RunReports.Question, Json.Obj> told;
    private final Timers timers;

    /// @param told is asked again when there is news
    public NotebookProgram(RunReports reports, Outside<RunReports.Question, Json.Obj> told, Timers timers) {
        this.reports = reports;
        this.told = told;
        this.timers = timers;
    }

    @Override
    public boolean runs(Resource pod, Json.Obj container) {
        return pod.labels().containsKey(RunOrder.LABEL)
                && container.array("command").strings().equals(List.of(RunOrder.RUN_COMMAND));
    }

    @Override
    public int run(RunningContainer container) throws InterruptedException {
        var order = RunOrder.on(container.pod());
        try {
            prepare(container, order);
            var watching = Thread.ofVirtual().name("notebook-results").start(() -> watch(container));
            try {
                var exit = container.run(new RunningContainer.Command(
                        command(order, secrets(container)),
                        environment(container),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(order.timeout().plus(GRACE))));
                exit.problem().ifPresent(container::log);
                return exit.code();
            } finally {
                watching.interrupt();
                watching.join();
                keep(container, NOTEBOOK, RunReports.NOTEBOOK, MOST_NOTEBOOK);
                keep(container, RESULTS, RunReports.RESULTS, MOST_RESULTS);
                told.refresh(new RunReports.Question(container.pod().uid(), false));
            }
        } catch (IOException | JsonText.Malformed e) {
            container.log(String.valueOf(e.getMessage()));
            return 1;
        }
    }

    private static void prepare(RunningContainer container, RunOrder order) throws IOException {
        container.write(RUNNER, runner(), READABLE);
        container.write(PLACE + "settings.json", JsonText.bytes(order.settings()), READABLE);
        container.write(PLACE + "parameters.json", JsonText.bytes(order.parameters()), READABLE);
    }

    /// The program that runs notebooks, here and where there is no cluster.
    public static byte[] runner() throws IOException {
        try (InputStream in = Objects.requireNonNull(
                NotebookProgram.class.getResourceAsStream("/dev/towtank/controllers/notebooks/notebook_runner.py"))) {
            return in.readAllBytes();
        }
    }

    /// Names of variables whose values are nobody's business: they come out of Secrets.
    private static List<String> secrets(RunningContainer container) {
        var spec = container.pod().spec().objects("containers").stream()
                .filter(each -> each.string("name").equals(container.name()))
                .findFirst()
                .orElse(Json.Obj.EMPTY);
        var open = new ArrayList<String>();
        var hidden = new ArrayList<String>();
        for (var variable : spec.objects("env")) {
            (variable.object("valueFrom").has("secretKeyRef") ? hidden : open).add(variable.string("name"));
        }
        boolean fromSecret = spec.objects("envFrom").stream().anyMatch(source -> source.has("secretRef"));
        if (fromSecret) {
            // Which of them a Secret gave cannot be seen here; a ConfigMap's values are hidden with them.
            container.environment().keySet().stream()
                    .filter(name -> !open.contains(name) && !isUsual(name))
                    .forEach(hidden::add);
        }
        return hidden;
    }

    private static boolean isUsual(String name) {
        return name.equals("PATH")
                || name.equals("HOSTNAME")
                || name.startsWith("KUBERNETES_")
                || name.contains("_PORT");
    }

    private static List<String> command(RunOrder order, List<String> secrets) {
        var line = new ArrayList<>(List.of("/bin/sh", "-c", START, "notebook", "-B", RUNNER));
        line.addAll(List.of("--output", NOTEBOOK, "--results", RESULTS));
        line.addAll(List.of("--config", PLACE + "settings.json", "--parameters-file", PLACE + "parameters.json"));
        line.addAll(List.of("--timeout", Double.toString(order.timeout().toMillis() / 1000.0)));
        order.golden().ifPresent(path -> line.addAll(List.of("--golden", path)));
        secrets.forEach(name -> line.addAll(List.of("--mask", name)));
        line.addAll(List.of("--", order.notebook()));
        return line;
    }

    private static Map<String, String> environment(RunningContainer container) {
        var environment = new HashMap<>(container.environment());
        environment.putIfAbsent("NOTEBOOK_PROVENANCE", "/workspace/provenance.json");
        return environment;
    }

    /// Until it is interrupted.
    private void watch(RunningContainer container) {
        byte[] last = {};
        try {
            while (!Thread.currentThread().isInterrupted()) {
                timers.pause(LOOK);
                var now = container.read(RESULTS, MOST_RESULTS).orElse(last);
                if (!Arrays.equals(now, last)) {
                    last = now;
                    reports.keep(container.pod().uid(), RunReports.RESULTS, now);
                    told.refresh(new RunReports.Question(container.pod().uid(), false));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the run has ended
        } catch (IOException e) {
            container.log("results are not told any more: " + e.getMessage());
        }
    }

    private void keep(RunningContainer container, String from, String as, int most) throws IOException {
        var content = container.read(from, most);
        if (content.isPresent()) {
            reports.keep(container.pod().uid(), as, content.get());
        }
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
