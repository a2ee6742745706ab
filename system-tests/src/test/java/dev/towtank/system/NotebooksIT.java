package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Notebooks out of repositories and claims, run in pods.
class NotebooksIT {

    private static final String PUBLIC = "https://git.example.com/notebooks.git";

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    @TempDir
    static Path files;

    private static String first;
    private static String second;

    private Kubectl kubectl;

    @BeforeAll
    static void makeRepository() throws IOException {
        var work = Files.createDirectories(files.resolve("work"));
        git(work, "init", "-q", "-b", "main");
        Files.createDirectories(work.resolve("n"));
        Files.writeString(work.resolve("n/good.ipynb"), notebook("x = 1", "print('old')"));
        git(work, "add", ".");
        git(work, "commit", "-q", "-m", "one");
        git(work, "tag", "v1");
        first = git(work, "rev-parse", "HEAD").strip();
        Files.writeString(work.resolve("n/beside.py"), "VALUE = 7\n");
        Files.writeString(work.resolve("n/good.ipynb"), notebook("import beside\\nbeside.VALUE", "print('new')"));
        Files.writeString(
                work.resolve("n/bad.ipynb"),
                notebook("print('before')", "raise ValueError('too cold')", "print('never')"));
        Files.writeString(work.resolve("n/endless.ipynb"), notebook("print('begun')", "while True: pass"));
        Files.writeString(work.resolve("n/lacking.ipynb"), notebook("import no_such_module_here"));
        Files.writeString(work.resolve("n/secret.ipynb"), notebook("import os\\nprint('key is', os.environ['KEY'])"));
        Files.writeString(work.resolve("n/broken.ipynb"), "this is no JSON");
        Files.writeString(
                work.resolve("n/outside.ipynb"),
                notebook(
                        """
                        def attempt(path):
                            try:
                                open(path, 'w').write('x')
                                print(path, 'is written')
                            except OSError as refusal:
                                print(path, 'is refused')
                        """.replace("\n", "\\n"),
                        "for path in ['%s/planted', '/usr/bin/planted', '/proc/sys/kernel/core_pattern']: attempt(path)"
                                .formatted(files),
                        "attempt('/workspace/planted')",
                        "import os\\nif os.fork() == 0: os.execvp('sleep', ['sleep', '77777'])"));
        Files.writeString(
                work.resolve("n/flood.ipynb"),
                notebook(
                        "line = 'x' * 1023\\nfor _ in range(100 * 1024): print(line)",
                        "import os\\nos.kill(os.getpid(), 9)"));
        Files.writeString(
                work.resolve("n/hungry.ipynb"),
                notebook("print('begun')", "all = []\\nwhile True: all.append(b'x' * (1 << 24))"));
        var says = notebook("print('f1', 0.91236)", "import sys\\nprint('trouble', file=sys.stderr)");
        Files.writeString(work.resolve("n/says.ipynb"), says);
        var golden = says;
        for (var text : List.of("f1 0.91234", "another trouble")) {
            golden = golden.replaceFirst("\"outputs\": \\[]", """
                    "outputs": [{"output_type": "stream", "name": "stdout", "text": "%s\\\\n"}]""".formatted(text));
        }
        Files.writeString(work.resolve("n/golden.ipynb"), golden);
        git(work, "add", ".");
        git(work, "commit", "-q", "-m", "two");
        second = git(work, "rev-parse", "HEAD").strip();
        git(files, "clone", "-q", "--bare", work.toString(), "notebooks.git");
        var kubectl = SERVER.kubectl();
        kubectl.attempt("create", "namespace", "tekton-pipelines-resolvers");
        kubectl.in("tekton-pipelines-resolvers").withInput("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: towtank-resolvers, namespace: tekton-pipelines-resolvers}
                data: {rewrites: "https://git.example.com/: file://%s/"}
                """.formatted(files), "apply", "-f", "-");
    }

    private static String git(Path directory, String... arguments) {
        var line = new ArrayList<>(
                List.of("git", "-C", directory.toString(), "-c", "user.name=n", "-c", "user.email=n@example.com"));
        line.addAll(List.of(arguments));
        var outcome = Program.run(line, "", Map.of());
        assertThat(outcome.exit()).as(outcome.toString()).isZero();
        return outcome.out();
    }

    /// @param cells sources of code, as they are in JSON
    private static String notebook(String... cells) {
        var all = new ArrayList<String>();
        for (var source : cells) {
            all.add("""
                    {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null, "source": "%s"}""".formatted(source));
        }
        return """
                {"cells": [%s], "nbformat": 4, "nbformat_minor": 4,
                 "metadata": {"kernelspec": {"name": "python3", "display_name": "Python", "language": "python"}}}""".formatted(String.join(", ", all));
    }

    @BeforeEach
    void makeNamespace() {
        kubectl = SERVER.inNewNamespace();
    }

    private void job(String name, String notebook, String ref, String more) {
        kubectl.withInput("""
                apiVersion: mlops.mlops.dev/v1alpha1
                kind: NotebookValidationJob
                metadata: {name: %s}
                spec:
                  notebook: {path: n/%s.ipynb, git: {url: "%s", ref: "%s"}}
                  podConfig: {containerImage: "quay.io/jupyter/minimal-notebook:latest"}
                  %s
                """.formatted(name, notebook, PUBLIC, ref, more), "apply", "-f", "-");
    }

    private String get(String name, String path) {
        return kubectl.run("get", "nvj", name, "-o", "jsonpath=" + path);
    }

    private String failure(String name) {
        kubectl.await("nvj/" + name, "{.items[*].status.phase}{.status.phase}", "Failed");
        return get(name, "{.status.conditions[?(@.type=='Failed')].reason}: {.status.message}");
    }

    /// NVJ-2, NVJ-12, NVJ-16; of the operator's defects: commits cannot be cloned, results are scraped from a log.
    @Test
    void aNotebookOfABranchATagAndACommit() {
        job("branch", "good", "main", "");
        job("tag", "good", "v1", "");
        job("commit", "good", first, "");
        // As the record waits, which looks for a condition of Kubernetes' own Jobs.
        kubectl.run("wait", "--for=condition=complete", "nvj/branch", "nvj/tag", "nvj/commit", "--timeout=120s");

        assertThat(get("branch", "{.status.commit}")).isEqualTo(second);
        assertThat(get("branch", "{.status.results[*].output}")).isEqualTo("7 new\n");
        assertThat(get("tag", "{.status.results[*].output}")).isEqualTo("old\n");
        assertThat(get("commit", "{.status.commit}")).isEqualTo(first);
        assertThat(get("branch", "{.status.message}"))
                .isEqualTo("Validation completed: 2/2 cells succeeded (100.0% success rate)");
        assertThat(kubectl.run("logs", "branch-validation", "-c", "validator")).contains("--- cell 1", "new");
        kubectl.until(
                List.of(
                        "notebookvalidationjob_validations_total{namespace=\"" + kubectl.namespace()
                                + "\",status=\"succeeded\"} 3",
                        "notebookvalidationjob_git_clone_duration_seconds_count{auth_type=\"none\",namespace=\""
                                + kubectl.namespace() + "\"} 3"),
                "get",
                "--raw",
                "/metrics");
        var path = get("branch", "{.status.artifacts[?(@.name=='notebook')].path}");
        assertThat(kubectl.run("get", "--raw", path)).contains("\"nbformat\"", "new");
    }

    /// NVJ-4, NVJ-13, NVJ-15.
    @Test
    void cellsOfANotebookInAClaimAreToldWhileItRuns() throws IOException {
        kubectl.withInput("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: work}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: hand}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers: [{name: c, image: busybox, command: [sleep, "1000"], volumeMounts: [{name: w, mountPath: /w}]}]
                  volumes: [{name: w, persistentVolumeClaim: {claimName: work}}]
                """, "apply", "-f", "-");
        kubectl.run("wait", "--for=condition=ready", "pod/hand", "--timeout=120s");
        var notebook = notebook(
                        "factor = 1",
                        "import os, time\\nwhile not os.path.exists('/mnt/go'): time.sleep(0.05)",
                        "factor * 6")
                .replaceFirst("\"metadata\": \\{\\}", "\"metadata\": {\"tags\": [\"parameters\"]}");
        kubectl.withInput(notebook, "exec", "-i", "hand", "--", "sh", "-c", "cat > /w/wait.ipynb");
        kubectl.withInput("""
                apiVersion: mlops.mlops.dev/v1alpha1
                kind: NotebookValidationJob
                metadata: {name: slow, annotations: {towtank.dev/parameters: "factor: 7"}}
                spec:
                  notebook: {path: /mnt/wait.ipynb}
                  podConfig:
                    containerImage: quay.io/jupyter/minimal-notebook
                    volumes: [{name: w, persistentVolumeClaim: {claimName: work}}]
                    volumeMounts: [{name: w, mountPath: /mnt}]
                """, "apply", "-f", "-");

        kubectl.await("nvj/slow", "{.items[*].status.message}{.status.message}", "1 of 3 cells are done");
        assertThat(get("slow", "{.status.phase} {.status.results[*].status}")).isEqualTo("ValidationRunning Success");
        kubectl.run("exec", "hand", "--", "touch", "/w/go");
        kubectl.run("wait", "--for=condition=complete", "nvj/slow", "--timeout=120s");
        assertThat(get("slow", "{.status.results[2].output}")).isEqualTo("42");
    }

    /// NVJ-2, NVJ-4, NVJ-5, NVJ-7; of the defects: timeouts that nobody keeps, packages installed at run time.
    @Test
    void failuresKeepWhatIsKnownAndSayWhy() {
        job("bad", "bad", "main", "");
        job("endless", "endless", "main", "timeout: 30s"); // in which its first cell is done
        job("lacking", "lacking", "main", "");
        job("broken", "broken", "main", "");
        job("nowhere", "nothing", "main", "");
        job("unborn", "good", "no-such-branch", "");

        assertThat(failure("bad")).isEqualTo("CellFailed: Cell 1 failed: ValueError: too cold");
        assertThat(get("bad", "{.status.results[*].status}")).isEqualTo("Success Failure Skipped");
        assertThat(failure("endless")).startsWith("ValidationTimeout: Cell 1 was still running");
        assertThat(get("endless", "{.status.results[0].output}")).isEqualTo("begun\n");
        assertThat(failure("lacking"))
                .startsWith(
                        "MissingPackages: The notebook imports no_such_module_here, which quay.io/jupyter/minimal-notebook:latest");
        assertThat(failure("broken")).startsWith("InvalidNotebook: /workspace/repo/n/broken.ipynb is not a notebook");
        assertThat(failure("nowhere"))
                .isEqualTo("ConfigurationError: There is no n/nothing.ipynb in " + PUBLIC + " at main.");
        assertThat(failure("unborn")).startsWith("GitCloneFailed: Cannot fetch " + PUBLIC + " at no-such-branch: ");

        // Whoever mends it has it run again.
        kubectl.run(
                "patch", "nvj", "bad", "--type=merge", "-p", "{\"spec\":{\"notebook\":{\"path\":\"n/good.ipynb\"}}}");
        kubectl.run("wait", "--for=condition=complete", "nvj/bad", "--timeout=120s");
    }

    /// NVJ-6: of the defects, a notebook that is run again with the memory that was too little.
    @Test
    void aNotebookThatIsKilledForItsMemoryIsToldAndNotRunAgain() {
        kubectl.withInput("""
                apiVersion: mlops.mlops.dev/v1alpha1
                kind: NotebookValidationJob
                metadata: {name: hungry, annotations: {towtank.dev/retries: always}}
                spec:
                  notebook: {path: n/hungry.ipynb, git: {url: "%s", ref: main}}
                  podConfig:
                    containerImage: quay.io/jupyter/minimal-notebook
                    resources: {limits: {memory: 400Mi}}
                """.formatted(PUBLIC), "apply", "-f", "-");

        assertThat(failure("hungry")).startsWith("OOMKilled: ").contains("more memory than", "limits.memory");
        assertThat(get("hungry", "{.status.results[*].status} {.status.retryCount}"))
                .isEqualTo("Success Failure 0");
        assertThat(get("hungry", "{.status.results[0].output}")).isEqualTo("begun\n");
    }

    /// TP-15: what people wrote as `--from=notebookvalidationjob/…`, which kubectl refuses.
    @Test
    void aJobIsRunOnceMoreByItsName() {
        job("bad", "bad", "main", "");
        job("good", "good", "main", "");
        assertThat(kubectl.attempt("create", "job", "--from=nvj/good", "again").exit())
                .isNotZero();
        kubectl.run("wait", "--for=condition=complete", "nvj/good", "--timeout=120s");
        assertThat(failure("bad")).startsWith("CellFailed");

        var good = again("good");
        assertThat(good.exit()).as(good.toString()).isZero();
        assertThat(good.out()).contains("--- cell 1", "Validation completed: 2/2 cells succeeded");
        var made = good.out().replaceFirst("(?s)^notebookvalidationjob/(\\S+) created\n.*", "$1");
        assertThat(get(made, "{.metadata.annotations.towtank\\.dev/run-of} {.status.phase}"))
                .isEqualTo("good Succeeded");
        var bad = again("bad");
        assertThat(bad.exit()).isEqualTo(1);
        assertThat(bad.out()).contains("Cell 1 failed: ValueError: too cold");
        assertThat(again("nobody").err()).contains("There is no NotebookValidationJob nobody in namespace");
        assertThat(again("good", "--timeout", "5m").err()).contains("--timeout cannot be used with nvj/good");
    }

    private Program.Outcome again(String job, String... more) {
        var line = new ArrayList<>(
                List.of("run", "nvj/" + job, "--data", SERVER.data().toString()));
        line.addAll(List.of("-n", kubectl.namespace()));
        line.addAll(List.of(more));
        return Program.towtank(line.toArray(String[]::new));
    }

    /// NVJ-8, NVJ-9; of the defects: comparisons of nothing with fifty lines, switches that `env` takes away.
    @Test
    void outputsAreComparedAndValidatedAsTheJobSays() {
        job("golden", "says", "main", """
                goldenNotebook: {path: n/golden.ipynb, git: {url: "%s", ref: main}}""".formatted(PUBLIC));
        kubectl.withInput("""
                apiVersion: mlops.mlops.dev/v1alpha1
                kind: NotebookValidationJob
                metadata: {name: strict}
                spec:
                  notebook: {path: n/says.ipynb, git: {url: "%s", ref: main}}
                  podConfig: {containerImage: quay.io/jupyter/minimal-notebook, env: [{name: ANY, value: thing}]}
                  validationConfig: {failOnStderr: true}
                """.formatted(PUBLIC), "apply", "-f", "-");

        assertThat(failure("golden"))
                .isEqualTo("GoldenMismatch: golden notebook comparison failed (1/2 cells matched)");
        assertThat(get(
                        "golden",
                        "{.status.comparisonResult.result} {.status.comparisonResult.diffs[*].cellIndex}"
                                + " {.status.comparisonResult.diffs[*].diffType}"))
                .isEqualTo("failed 1 output_mismatch");
        assertThat(failure("strict"))
                .isEqualTo("ValidationFailed: Validation failed: cell 1: output on stderr: trouble");
    }

    /// What a notebook should not do harms nobody, and is told.
    @Test
    void hostileNotebooksReachNothingOfTheMachine() {
        job("outside", "outside", "main", "");
        job("flood", "flood", "main", "");

        kubectl.run("wait", "--for=condition=complete", "nvj/outside", "--timeout=120s");
        assertThat(get("outside", "{.status.results[*].output}"))
                .contains(
                        "/usr/bin/planted is refused",
                        "/proc/sys/kernel/core_pattern is refused",
                        "/workspace/planted is written");
        assertThat(files.resolve("planted")).doesNotExist();
        assertThat(Path.of("/usr/bin/planted")).doesNotExist();
        // What it forked ended with its pod.
        Eventually.holds(
                () -> assertThat(ProcessHandle.allProcesses().flatMap(process -> process.info().commandLine().stream()))
                        .noneMatch(line -> line.contains("sleep 77777")));

        assertThat(failure("flood")).startsWith("KernelDied: ");
        assertThat(get("flood", "{.status.results[*].status}")).isEqualTo("Success Failure");
        assertThat(get("flood", "{.status.results[0].output}")).hasSizeLessThan(2_000);
        assertThat(kubectl.run("logs", "flood-validation", "-c", "validator")).hasSizeLessThan(20 << 20);
    }

    /// By git's own program for web servers.
    private static void serveGit(HttpExchange exchange) throws IOException {
        var program = new ProcessBuilder("git", "http-backend").redirectError(ProcessBuilder.Redirect.DISCARD);
        var environment = program.environment();
        environment.put("GIT_PROJECT_ROOT", files.toString());
        environment.put("GIT_HTTP_EXPORT_ALL", "1");
        environment.put("REQUEST_METHOD", exchange.getRequestMethod());
        environment.put("PATH_INFO", exchange.getRequestURI().getPath());
        environment.put(
                "QUERY_STRING",
                Objects.requireNonNullElse(exchange.getRequestURI().getQuery(), ""));
        for (var header : Map.of(
                        "Content-Type", "CONTENT_TYPE",
                        "Content-Encoding", "HTTP_CONTENT_ENCODING",
                        "Git-Protocol", "HTTP_GIT_PROTOCOL")
                .entrySet()) {
            var value = exchange.getRequestHeaders().getFirst(header.getKey());
            if (value != null) {
                environment.put(header.getValue(), value);
            }
        }
        var process = program.start();
        try (var in = process.getOutputStream()) {
            exchange.getRequestBody().transferTo(in);
        }
        var answer = process.getInputStream().readAllBytes();
        var text = new String(answer, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        for (var line : text.substring(0, end).lines().toList()) {
            int colon = line.indexOf(": ");
            exchange.getResponseHeaders().add(line.substring(0, colon), line.substring(colon + 2));
        }
        exchange.sendResponseHeaders(200, answer.length - end - 4L);
        exchange.getResponseBody().write(answer, end + 4, answer.length - end - 4);
    }

    /// NVJ-2, NVJ-3; of the defects: passwords in pods, and all else that a pod shows.
    @Test
    void whatIsSecretIsSeenNowhere() throws IOException {
        var login = "Basic " + Base64.getEncoder().encodeToString("me:hunter2hunter2".getBytes(StandardCharsets.UTF_8));
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                if (login.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                    serveGit(exchange);
                } else {
                    exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"git\"");
                    exchange.sendResponseHeaders(401, -1);
                }
            }
        });
        server.start();
        try {
            kubectl.run(
                    "create",
                    "secret",
                    "generic",
                    "login",
                    "--from-literal=username=me",
                    "--from-literal=password=hunter2hunter2");
            kubectl.run(
                    "create",
                    "secret",
                    "generic",
                    "wrong",
                    "--from-literal=username=me",
                    "--from-literal=password=xxxx");
            kubectl.run("create", "secret", "generic", "key", "--from-literal=KEY=s3cr3t-v4lue");
            for (var secret : List.of("login", "wrong")) {
                kubectl.withInput("""
                        apiVersion: mlops.mlops.dev/v1alpha1
                        kind: NotebookValidationJob
                        metadata: {name: %1$s}
                        spec:
                          notebook:
                            path: n/secret.ipynb
                            git: {url: "http://127.0.0.1:%2$d/notebooks.git", ref: main, credentialsSecret: %1$s}
                          podConfig: {containerImage: quay.io/jupyter/minimal-notebook, credentials: [key]}
                        """.formatted(secret, server.getAddress().getPort()), "apply", "-f", "-");
            }
            kubectl.run("wait", "--for=condition=complete", "nvj/login", "--timeout=120s");
            assertThat(failure("wrong"))
                    .contains("GitCloneFailed", "not authorized")
                    .doesNotContain("xxxx");
        } finally {
            server.stop(0);
        }
        assertThat(get("login", "{.status.results[0].output}")).isEqualTo("key is ***\n");
        var seen = kubectl.run("get", "pods,nvj,events", "-o", "yaml")
                + kubectl.run("logs", "login-validation", "--all-containers")
                + kubectl.run("get", "--raw", get("login", "{.status.artifacts[?(@.name=='notebook')].path}"));
        assertThat(seen).contains("key is").doesNotContain("hunter2", "s3cr3t-v4lue");
    }

    /// NVJ-1.
    @Test
    void mistakesAreRefusedWhereTheyAreMade() {
        var refused = kubectl.attempt("""
                apiVersion: mlops.mlops.dev/v1alpha1
                kind: NotebookValidationJob
                metadata: {name: wrong}
                spec:
                  notebook: {path: a.ipynb, git: {url: "https://x/y", ref: main}}
                  podConfig: {containerImage: x, volumes: [{name: source, emptyDir: {}}]}
                """, Map.of(), "apply", "-f", "-");
        assertThat(refused.err()).contains("volume name \"source\" is reserved for internal use");
        assertThat(kubectl.attempt("""
                apiVersion: mlops.mlops.dev/v1alpha1
                kind: NotebookValidationJob
                metadata: {name: wrong}
                spec:
                  build: {strategy: tekton}
                  notebook: {path: a.txt, git: {url: "https://x/y", ref: main}}
                  podConfig: {containerImage: x}
                """, Map.of(), "apply", "-f", "-").err()).contains("unknown field \"spec.build\"");
    }
}
