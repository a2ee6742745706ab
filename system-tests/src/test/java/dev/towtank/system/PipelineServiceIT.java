package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// The story of `examples/pipeline-service`: one configuration, a push that runs, a report that comes back, a run that
/// is
/// archived and pruned, and found again with its log.
class PipelineServiceIT {

    private static final Path EXAMPLE = Checkout.ROOT.resolve("examples/pipeline-service");

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    @TempDir
    Path directory;

    private static Map<String, String> repository() throws IOException {
        var files = new TreeMap<String, String>();
        var root = EXAMPLE.resolve("app");
        try (var paths = Files.walk(root)) {
            for (var path : paths.filter(Files::isRegularFile).toList()) {
                files.put(root.relativize(path).toString(), Files.readString(path));
            }
        }
        return files;
    }

    private String towtank(String... arguments) {
        var command = new ArrayList<>(Shipped.command());
        command.addAll(List.of(arguments));
        return Program.run(command, "", Map.of("XDG_STATE_HOME", directory.toString()))
                .out();
    }

    @Test
    void aPushRunsIsReportedArchivedPrunedAndFoundAgain() throws Exception {
        try (var forge = SmallForge.start(repository())) {
            var kubectl = SERVER.kubectl();
            kubectl.run("apply", "-f", EXAMPLE.resolve("service.yaml").toString());
            kubectl.await("tektonconfig/config", "{.status.conditions[?(@.type=='Ready')].status}", "True");
            kubectl.until(
                    List.of("spec.pipeline.performance"),
                    "get",
                    "tektonconfig",
                    "config",
                    "-o",
                    "jsonpath={.status.conditions}");
            kubectl.await("tektonresult/result", "{.status.conditions[?(@.type=='Ready')].status}", "True");
            triggersAreOff(kubectl);
            var team = kubectl.in("team");
            applyAppSecret(kubectl);
            team.withInput(
                    Files.readString(EXAMPLE.resolve("repository.yaml"))
                            .replace("http://127.0.0.1:3000", forge.address()),
                    "apply",
                    "-f",
                    "-");
            kubectl.in("pipelines-as-code")
                    .await(
                            "externalsecret/pipelines-as-code-secret",
                            "{.status.conditions[?(@.type=='Ready')].status}",
                            "True");

            sprayed(kubectl, address -> push(forge, address));

            assertThat(forge.awaitTold("access_tokens")).contains("/api/v3/app/installations/77/", "[\"app\"]");
            assertThat(forge.awaitTold("in_progress")).contains("/check-runs", "\"head_sha\":\"c0ffee\"");
            var told = forge.awaitTold("\"success\"");
            assertThat(told)
                    .contains(
                            "PATCH /api/v3/repos/team/app/check-runs/5",
                            "Tow Tank CI / app-on-push",
                            "Succeeded | [build](https://console.example.com/ns/team/runs/app-on-push-",
                            "https://console.example.com/ns/team/runs/app-on-push-");
            team.run("wait", "--for=delete", "pipelinerun", "--all", "--timeout=120s");
            var runs = towtank(
                    "runs",
                    "list",
                    "-n",
                    "team",
                    "--kubeconfig",
                    SERVER.kubeconfig().toString());
            assertThat(runs).contains("archive", "app-on-push-", "Succeeded");
            assertThat(towtank(
                            "runs",
                            "logs",
                            "last",
                            "-n",
                            "team",
                            "--kubeconfig",
                            SERVER.kubeconfig().toString()))
                    .contains("[build : compile] building c0ffee");
            throughThePlugin(kubectl);
            everythingIsMeasured(kubectl);
        }
    }

    /// A listener that somebody makes all the same makes nothing.
    private static void triggersAreOff(Kubectl kubectl) {
        kubectl.withInput("""
                apiVersion: triggers.tekton.dev/v1beta1
                kind: EventListener
                metadata: {name: idle}
                spec:
                  triggers: [{template: {spec: {resourcetemplates: [{apiVersion: v1, kind: ConfigMap, metadata: {name: made}}]}}}]
                """, "create", "-f", "-");
        kubectl.await("eventlistener/idle", "{.status.conditions[?(@.type=='Ready')].status}", "True");
        var address = kubectl.run("get", "service", "el-idle", "-o", "jsonpath={.spec.clusterIP}");
        var answer = posted("http://" + address + ":8080/?wait=true");
        // Somebody listens at the address of a service a moment after it is written.
        for (long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
                answer.endsWith("000") && System.nanoTime() < end; ) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            answer = posted("http://" + address + ":8080/?wait=true");
        }
        assertThat(answer).endsWith("503");
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).doesNotContain("made");
    }

    private static String posted(String address) {
        return Program.run(List.of("curl", "-sS", "-w", "%{http_code}", "-d", "{}", address))
                .out();
    }

    /// Every name that published dashboards and alerts ask for, and what ours ask for, in a real Prometheus.
    private void everythingIsMeasured(Kubectl kubectl) throws Exception {
        List<String> wanted;
        try (var published = getClass().getResourceAsStream("published-metrics.txt")) {
            wanted = new String(published.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
        var names = measured(kubectl);
        // What was done last is counted after it is seen.
        for (long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
                !names.containsAll(wanted) && System.nanoTime() < end; ) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            names = measured(kubectl);
        }
        assertThat(names).containsAll(wanted);
        try (var prometheus = Monitoring.start(kubectl, directory.resolve("prometheus"))) {
            prometheus.await("up{job=\"towtank\"} == 1");
            prometheus.await("pac_watcher_pipelines_as_code_pipelinerun_count{repository=\"app\"} >= 1");
            prometheus.understandsTheDashboard();
        }
    }

    private static Set<String> measured(Kubectl kubectl) {
        return kubectl.run("get", "--raw", "/metrics")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toSet());
    }

    /// As a user interface asks that knows workspaces and no servers.
    private static void throughThePlugin(Kubectl kubectl) {
        kubectl.withInput("""
                apiVersion: toolchain.dev.openshift.com/v1alpha1
                kind: ProxyPlugin
                metadata: {name: tekton-results}
                spec: {openShiftRouteTargetEndpoint: {name: tekton-results, namespace: tekton-results}}
                ---
                apiVersion: toolchain.dev.openshift.com/v1alpha1
                kind: Space
                metadata: {name: home}
                """, "create", "-f", "-");
        // The server knows of both a moment after they were created.
        kubectl.until(
                List.of("team/results/", "tekton.dev/v1.PipelineRun"),
                "get",
                "--raw",
                "/plugins/tekton-results/workspaces/home/apis/results.tekton.dev/v1alpha2/parents/team/results/-/records");
    }

    /// The forge knows one address, from which every server gets what it sends.
    private void sprayed(Kubectl kubectl, Task push) throws Exception {
        var authority = directory.resolve("ca.crt");
        Files.write(
                authority,
                Base64.getDecoder()
                        .decode(kubectl.run(
                                "config",
                                "view",
                                "--raw",
                                "-o",
                                "jsonpath={.clusters[0].cluster.certificate-authority-data}")));
        var server = kubectl.run("config", "view", "-o", "jsonpath={.clusters[0].cluster.server}");
        var command = new ArrayList<>(Shipped.command());
        command.addAll(List.of(
                "spray",
                "--backend",
                server + "/pipelines-as-code",
                "--ca-file",
                authority.toString(),
                "--port",
                "0",
                "--metrics-port",
                "0",
                "--data",
                directory.resolve("spray").toString()));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("GH_APP_WEBHOOK_SECRET", "hush");
        var process = builder.start();
        try (var lines = process.inputReader()) {
            var said = lines.lines()
                    .filter(line -> line.startsWith("Events at "))
                    .findFirst()
                    .orElseThrow();
            var ports = Pattern.compile("http://127.0.0.1:[0-9]+")
                    .matcher(said)
                    .results()
                    .map(MatchResult::group)
                    .toList();
            push.at(ports.getFirst());
            assertThat(Program.run(List.of("curl", "-sS", ports.getLast() + "/metrics"))
                            .out())
                    .contains("sprayproxy_http_inbound_requests_total 1.0", "{error=\"none\",host=");
            assertThat(Program.run(List.of("curl", "-sS", ports.getLast() + "/backends"))
                            .out())
                    .contains("\"sent\":1", "\"waiting\":0");
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    @FunctionalInterface
    private interface Task {
        void at(String address) throws Exception;
    }

    /// What GitHub shows once, when an App is made: its key.
    private static void applyAppSecret(Kubectl kubectl) throws Exception {
        var key = KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate();
        var pem = "-----BEGIN PRIVATE KEY-----\\n" + Base64.getEncoder().encodeToString(key.getEncoded())
                + "\\n-----END PRIVATE KEY-----\\n";
        for (var document : Files.readString(EXAMPLE.resolve("app-secret.yaml")).split("---\n", -1)) {
            var namespace =
                    Pattern.compile("metadata: .* namespace: ([a-z-]+)}").matcher(document);
            kubectl.in(namespace.find() ? namespace.group(1) : "default").withInput(document, "apply", "-f", "-");
        }
        kubectl.in("vault").withInput("""
                apiVersion: v1
                kind: Secret
                metadata: {name: github-app}
                stringData: {github-application-id: "4711", webhook.secret: hush, github-private-key: "%s"}
                """.formatted(pem), "create", "-f", "-");
    }

    private static void push(SmallForge forge, String address) throws Exception {
        var body = """
                {"ref":"refs/heads/main","after":"c0ffee","head_commit":{"id":"c0ffee","message":"a change"},
                 "sender":{"login":"alice"},"commits":[],"installation":{"id":77},
                 "repository":{"name":"app","owner":{"login":"team"},"html_url":"%s/team/app","default_branch":"main"}}""".formatted(forge.address());
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("hush".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        var signature = HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
        var answer = Program.run(List.of(
                "curl",
                "-sSk",
                "-w",
                "%{http_code}",
                "-H",
                "X-GitHub-Event: push",
                "-H",
                "X-Hub-Signature-256: sha256=" + signature,
                "-H",
                "Content-Type: application/json",
                "-d",
                body,
                address));
        assertThat(answer.out()).isEqualTo("proxied200");
    }

    /// What would run is known before anything is pushed.
    @Test
    void whatAPushWouldRunIsShownAndRunFromTheWorkingTree() {
        var app = EXAMPLE.resolve("app").toString();
        assertThat(towtank("pac", "resolve", app, "--event", "pull_request", "--base", "main"))
                .contains("name: app-on-pull-request", "echo \"building $REVISION\"")
                .doesNotContain("app-on-push");
        assertThat(towtank("pac", "run", app, "--branch", "main")).contains("building");
    }

    /// A forge that cannot reach us is asked.
    @Test
    void whatIsPushedElsewhereRunsHere() throws Exception {
        var origin = GitRepository.in(directory);
        repository().forEach(origin::with);
        origin.commit();
        var address = origin.url();
        assertThat(towtank("pac", "resolve", address)).contains("name: app-on-push");
        var command = new ArrayList<>(Shipped.command());
        command.addAll(List.of("pac", "watch", address, "--every", "1"));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("XDG_STATE_HOME", directory.toString());
        var process = builder.start();
        try (var lines = process.inputReader()) {
            assertThat(lines.readLine()).startsWith("Waiting for commits in file://");
            var commit = origin.commit();
            assertThat(lines.readLine()).isEqualTo("Commit " + commit + " of main:");
            assertThat(lines.lines().anyMatch(line -> line.contains("building " + commit)))
                    .isTrue();
            // Between runs, too, whoever wants it to end is heard.
            process.destroy();
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }
}
