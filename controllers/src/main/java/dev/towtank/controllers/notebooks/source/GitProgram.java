package dev.towtank.controllers.notebooks.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.pods.ContainerProgram;
import dev.towtank.cluster.pods.RunningContainer;
import dev.towtank.controllers.git.source.GitFetch;
import dev.towtank.controllers.git.source.GitProblem;
import dev.towtank.controllers.git.source.Rewrites;
import dev.towtank.controllers.notebooks.api.RunOrder;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Secrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// Fetches the repository of a notebook into its pod. The server itself does it, so what it takes to log in never comes
/// near
/// the pod.
public final class GitProgram implements ContainerProgram {

    private static final String TERMINATION = "/dev/termination-log";
    private static final int MOST_FILES = 20_000;
    private static final long MOST_BYTES = 200L << 20;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int READABLE = 0644;
    private static final int EXECUTABLE = 0755;
    private static final int EVERYBODY = 0777;

    private final Cluster cluster;
    private final RunReports reports;

    public GitProgram(Cluster cluster, RunReports reports) {
        this.cluster = cluster;
        this.reports = reports;
    }

    @Override
    public boolean runs(Resource pod, Json.Obj container) {
        return pod.labels().containsKey(RunOrder.LABEL)
                && container.array("command").strings().equals(List.of(RunOrder.CLONE_COMMAND));
    }

    @Override
    public boolean needsImage(Resource pod, Json.Obj container) {
        return false;
    }

    @Override
    public int run(RunningContainer container) throws InterruptedException {
        var code = new AtomicInteger(1);
        // A network that does not answer hears of no interruption.
        var fetching = Thread.ofVirtual().name("git-clone").start(() -> code.set(fetched(container)));
        try {
            fetching.join();
            return code.get();
        } finally {
            fetching.interrupt();
        }
    }

    private int fetched(RunningContainer container) {
        boolean isGolden = container.name().equals(RunOrder.GOLDEN_CONTAINER);
        var order = RunOrder.on(container.pod());
        var checkout = (isGolden ? order.goldenSource() : order.source()).orElseThrow();
        var place = isGolden ? RunOrder.GOLDEN_REPOSITORY : RunOrder.REPOSITORY;
        var notebook = isGolden ? order.golden().orElse("") : order.notebook();
        try {
            fetch(container, checkout, place);
            return container.exists(notebook)
                    ? 0
                    : failed(
                            container,
                            1,
                            "There is no %s in %s at %s."
                                    .formatted(
                                            notebook.substring(place.length() + 1), shown(checkout), checkout.ref()));
        } catch (GitProblem e) {
            int code = e.kind() == GitProblem.Kind.PASSING ? RunOrder.TRY_AGAIN : 1;
            return failed(
                    container, code, "Cannot fetch %s at %s: %s".formatted(shown(checkout), checkout.ref(), e.text()));
        } catch (IOException e) {
            return failed(container, 1, "Cannot write what was fetched: " + e.getMessage());
        }
    }

    private static String shown(RunOrder.Checkout checkout) {
        return GitFetch.withoutCredentials(checkout.url());
    }

    private static int failed(RunningContainer container, int code, String message) {
        container.log(message);
        try {
            container.write(TERMINATION, NotebookProgram.utf8(message), READABLE);
        } catch (IOException e) {
            container.log("the message stays in this log: " + e.getMessage());
        }
        return code;
    }

    private void fetch(RunningContainer container, RunOrder.Checkout checkout, String place)
            throws GitProblem, IOException {
        var pod = container.pod();
        var wanted = new GitFetch.Wanted(
                checkout.url(), remote(checkout.url(), pod.cluster()), checkout.ref(), login(pod, checkout), LIMIT);
        container.makeDirectory(place, EVERYBODY);
        var commit = new GitFetch(wanted, container.clock()).with(tree -> {
            tree.files(
                    MOST_FILES,
                    MOST_BYTES,
                    (path, content, isExecutable) ->
                            container.write(place + "/" + path, content, isExecutable ? EXECUTABLE : READABLE));
            return tree.commit();
        });
        container.log("fetched " + shown(checkout) + " at " + checkout.ref() + ": " + commit);
        if (place.equals(RunOrder.REPOSITORY)) {
            reports.keep(pod.uid(), RunReports.COMMIT, NotebookProgram.utf8(commit));
        }
    }

    /// Directories of this machine are read only where the administrator leads to them.
    private String remote(String url, LogicalCluster where) throws GitProblem {
        var name = new ObjectName(where, "tekton-pipelines-resolvers", Rewrites.CONFIG_MAP);
        var data = cluster.get(ConfigMaps.KIND, name)
                .map(map -> map.json().stringMap("data"))
                .orElse(Map.of());
        var rewrites = Rewrites.read(data, where.equals(LogicalCluster.DEFAULT));
        if (!url.startsWith("file:")) {
            return rewrites.of(url);
        }
        boolean isShown = !List.of(url.split("/", -1)).contains("..")
                && rewrites.places().values().stream().anyMatch(url::startsWith);
        if (!isShown) {
            throw new GitProblem("directories of this machine are read only where 'rewrites' of ConfigMap "
                    + "tekton-pipelines-resolvers/" + Rewrites.CONFIG_MAP + " leads to them");
        }
        return url;
    }

    private Map<String, String> login(Resource pod, RunOrder.Checkout checkout) throws GitProblem {
        if (checkout.secret().isEmpty()) {
            return Map.of();
        }
        var secret = cluster.get(Secrets.KIND, new ObjectName(pod.cluster(), pod.namespace(), checkout.secret()))
                .orElseThrow(() ->
                        new GitProblem("there is no Secret " + checkout.secret() + " in namespace " + pod.namespace()));
        var values = new HashMap<String, String>();
        secret.json()
                .stringMap("data")
                .forEach((key, value) ->
                        values.put(key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8)));
        return values;
    }
}
