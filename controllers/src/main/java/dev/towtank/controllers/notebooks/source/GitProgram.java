package dev.towtank.controllers.notebooks.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Meters;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.pods.ContainerProgram;
import dev.towtank.cluster.pods.RunningContainer;
import dev.towtank.controllers.git.source.GitFetch;
import dev.towtank.controllers.git.source.GitProblem;
import dev.towtank.controllers.git.source.Rewrites;
import dev.towtank.controllers.git.source.SshCommand;
import dev.towtank.controllers.notebooks.api.RunOrder;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
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
    private final Meters.Distribution durations;
    private final SshCommand ssh;

    public GitProgram(Cluster cluster, RunReports reports, Meters meters, SshCommand ssh) {
        this.cluster = cluster;
        this.reports = reports;
        this.ssh = ssh;
        durations = meters.histogram(
                "notebookvalidationjob_git_clone_duration_seconds",
                "How long it took to fetch a notebook's repository",
                List.of(1.0, 5.0, 10.0, 30.0, 60.0, 120.0),
                "namespace",
                "auth_type");
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
            var commit = fetch(container, checkout, place);
            if (container.exists(notebook)) {
                return isBesideSteps(container) ? told(container, "commit", commit) : 0;
            }
            return failed(
                    container,
                    1,
                    "There is no %s in %s at %s."
                            .formatted(notebook.substring(place.length() + 1), shown(checkout), checkout.ref()));
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

    /// Whether the steps of a task wait for it, which do not see how it ends.
    private static boolean isBesideSteps(RunningContainer container) {
        return container.name().equals("sidecar-" + RunOrder.CLONE_CONTAINER);
    }

    private static int told(RunningContainer container, String file, String word) {
        try {
            container.write(RunOrder.WORD + "/" + file, NotebookProgram.utf8(word), READABLE);
            return 0;
        } catch (IOException e) {
            container.log("Nobody can be told: " + e.getMessage());
            return 1;
        }
    }

    private static int failed(RunningContainer container, int code, String message) {
        container.log(message);
        if (isBesideSteps(container)) {
            return told(container, "problem", message);
        }
        try {
            container.write(TERMINATION, NotebookProgram.utf8(message), READABLE);
        } catch (IOException e) {
            container.log("the message stays in this log: " + e.getMessage());
        }
        return code;
    }

    private String fetch(RunningContainer container, RunOrder.Checkout checkout, String place)
            throws GitProblem, IOException {
        var pod = container.pod();
        var wanted = new GitFetch.Wanted(
                checkout.url(),
                Rewrites.of(cluster, pod.cluster()).reached(checkout.url()),
                checkout.ref(),
                login(pod, checkout),
                LIMIT);
        var begun = container.clock().instant();
        container.makeDirectory(place, EVERYBODY);
        var commit = new GitFetch(wanted, ssh, container.clock()).with(tree -> {
            tree.files(
                    MOST_FILES,
                    MOST_BYTES,
                    (path, content, isExecutable) ->
                            container.write(place + "/" + path, content, isExecutable ? EXECUTABLE : READABLE));
            return tree.commit();
        });
        durations.observe(
                Duration.between(begun, container.clock().instant()).toMillis() / 1000.0,
                pod.namespace(),
                checkout.secret().isEmpty() ? "none" : checkout.url().startsWith("http") ? "https" : "ssh");
        container.log("fetched " + shown(checkout) + " at " + checkout.ref() + ": " + commit);
        if (place.equals(RunOrder.REPOSITORY) && !isBesideSteps(container)) {
            reports.keep(pod.uid(), RunReports.COMMIT, NotebookProgram.utf8(commit));
        }
        return commit;
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
