package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A feature that works on another cluster's API, over the network, with no more rights than it says that it needs.
class ControllersIT {

    private static final String SYNCED = "{.status.conditions[?(@.type==\"Ready\")].reason}";

    @TempDir
    Path directory;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endAll() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void aFeatureWorksElsewhereAndAnotherProcessTakesOver() throws IOException {
        try (var server = RunningTowtank.start("--no-node", "--without", "secrets")) {
            var kubectl = Kubectl.newest(server.kubeconfig(), "default");
            assertThat(kubectl.attempt("get", "externalsecrets").err()).contains("the server doesn't have a resource");
            var objects = Program.towtank("controllers", "--features", "secrets", "--print");
            kubectl.in("kube-system").withInput(objects.out(), "apply", "-f", "-");
            var account = account(kubectl, server.kubeconfig());

            var first = controllers(account, "first");
            await(first.inputReader(), "Leading.");
            kubectl.withInput(store("one"), "apply", "-f", "-");
            kubectl.await("externalsecrets/copy", SYNCED, "SecretSynced");
            kubectl.await("secrets/copy", "{.data.key}", "b25l");
            var second = controllers(account, "second");
            await(second.inputReader(), "Running secrets against ");
            first.toHandle().destroy(); // the process itself would close its output, too
            await(first.inputReader(), "No longer leading.");
            await(second.inputReader(), "Leading.");
            kubectl.withInput(store("two"), "apply", "-f", "-");
            kubectl.await("secrets/copy", "{.data.key}", "dHdv");
        }
    }

    @Test
    void whatIsMissingIsInstalledForAnAdministrator() throws IOException {
        try (var server = RunningTowtank.start("--no-node", "--without", "secrets")) {
            var process = start(
                    "controllers",
                    "--kubeconfig=" + server.kubeconfig(),
                    "--features=secrets",
                    "--data=" + directory.resolve("own"));
            await(process.inputReader(), "Leading.");

            assertThat(Kubectl.newest(server.kubeconfig(), "default").run("get", "externalsecrets", "-A"))
                    .isEmpty();
        }
    }

    @Test
    void mistakesAreExplained() {
        assertThat(Program.towtank("controllers", "--features", "secret", "--print")
                        .err())
                .contains("There is no feature secret. The features are ");
        assertThat(Program.towtank("controllers", "--features", "workloads", "--print")
                        .err())
                .contains("Every cluster has its own workloads");
        assertThat(Program.towtank("controllers", "--kubeconfig", "missing.yaml")
                        .err())
                .contains("cannot read the kubeconfig missing.yaml");
    }

    private static String store(String value) {
        return """
                apiVersion: external-secrets.io/v1
                kind: SecretStore
                metadata: {name: pretended}
                spec: {provider: {fake: {data: [{key: source, value: %s}]}}}
                ---
                apiVersion: external-secrets.io/v1
                kind: ExternalSecret
                metadata: {name: copy}
                spec:
                  refreshInterval: 1s
                  secretStoreRef: {name: pretended}
                  target: {name: copy}
                  data: [{secretKey: key, remoteRef: {key: source}}]
                """.formatted(value);
    }

    /// The administrator's kubeconfig with the token of the account in place of all else.
    private Path account(Kubectl kubectl, Path admin) throws IOException {
        var token = kubectl.in("kube-system")
                .run("create", "token", "towtank-controllers")
                .strip();
        var file = directory.resolve("account.yaml");
        var kept = Files.readAllLines(admin).stream()
                .filter(line -> !line.contains("client-certificate-data") && !line.contains("client-key-data"))
                .map(line -> line.contains("token:") ? line.replaceFirst("token:.*", "token: " + token) : line)
                .toList();
        assertThat(kept).anyMatch(line -> line.contains(token));
        return Files.write(file, kept);
    }

    private Process controllers(Path kubeconfig, String name) throws IOException {
        return start(
                "controllers",
                "--kubeconfig=" + kubeconfig,
                "--features=secrets",
                "--no-install",
                "--data=" + directory.resolve(name));
    }

    private Process start(String... arguments) throws IOException {
        var process = new ProcessBuilder(Program.towtankCommand(arguments))
                .redirectErrorStream(true)
                .start();
        started.add(process);
        return process;
    }

    private static void await(BufferedReader lines, String expected) throws IOException {
        var seen = new ArrayList<String>();
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            seen.add(line);
            if (line.startsWith(expected)) {
                return;
            }
        }
        throw new AssertionError("\"" + expected + "\" never came:\n" + String.join("\n", seen));
    }
}
