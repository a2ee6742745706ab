package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
            assertThat(kubectl.run("get", "tektonconfig", "config", "-o", "jsonpath={.status.conditions}"))
                    .contains("spec.pipeline.performance");
            kubectl.await("tektonresult/result", "{.status.conditions[?(@.type=='Ready')].status}", "True");
            var team = kubectl.in("team");
            team.withInput(
                    Files.readString(EXAMPLE.resolve("repository.yaml"))
                            .replace("http://127.0.0.1:3000", forge.address()),
                    "apply",
                    "-f",
                    "-");
            team.await("externalsecret/forge", "{.status.conditions[?(@.type=='Ready')].status}", "True");

            push(forge, kubectl);

            var told = forge.awaitTold("\"success\"");
            assertThat(told)
                    .contains(
                            "/statuses/c0ffee",
                            "Tow Tank CI / app-on-push",
                            "https://console.example.com/ns/team/runs/app-on-push-");
            team.run("wait", "--for=delete", "pipelinerun", "--all", "--timeout=80s");
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
        }
    }

    private static void push(SmallForge forge, Kubectl kubectl) throws Exception {
        var body = """
                {"ref":"refs/heads/main","after":"c0ffee","head_commit":{"id":"c0ffee","message":"a change"},
                 "sender":{"login":"alice"},"commits":[],
                 "repository":{"name":"app","owner":{"login":"team"},"html_url":"%s/team/app","default_branch":"main"}}""".formatted(forge.address());
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("hush".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        var signature = HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
        var server = kubectl.run("config", "view", "-o", "jsonpath={.clusters[0].cluster.server}");
        var answer = Program.run(List.of(
                "curl",
                "-sSk",
                "-w",
                "%{http_code}",
                "-H",
                "X-Gitea-Event-Type: push",
                "-H",
                "X-Gitea-Signature: " + signature,
                "-d",
                body,
                server + "/pipelines-as-code"));
        assertThat(answer.out()).endsWith("202");
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
}
