package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Pushes and pull requests that run what a repository keeps in `.tekton`.
class PipelinesAsCodeIT {

    private static final String PUSH = """
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata:
              name: on-push
              annotations:
                pipelinesascode.tekton.dev/on-event: "[push]"
                pipelinesascode.tekton.dev/on-target-branch: "[main]"
                pipelinesascode.tekton.dev/max-keep-runs: "2"
            spec:
              pipelineRef: {name: build}
              params: [{name: revision, value: "{{ revision }}"}]
            """;
    private static final String PULL = """
            apiVersion: tekton.dev/v1beta1
            kind: PipelineRun
            metadata:
              name: on-pull
              annotations:
                pipelinesascode.tekton.dev/on-cel-expression: event == "pull_request" && target_branch == "main"
            spec:
              pipelineSpec:
                tasks: [{name: fail, taskSpec: {steps: [{name: s, image: busybox, script: "echo main.c:3:1: oops; exit 1"}]}}]
            """;
    private static final String PIPELINE = """
            apiVersion: tekton.dev/v1
            kind: Pipeline
            metadata: {name: build}
            spec:
              params: [{name: revision}]
              results: [{name: built, value: $(tasks.say.results.built)}]
              tasks:
              - {name: say, taskRef: {name: say}, params: [{name: revision, value: $(params.revision)}]}
            ---
            apiVersion: tekton.dev/v1
            kind: Task
            metadata: {name: say}
            spec:
              params: [{name: revision}]
              results: [{name: built}]
              steps: [{name: s, image: busybox, script: printf '$(params.revision)' > $(results.built.path)}]
            """;
    private static final String REPOSITORY = """
            apiVersion: v1
            kind: Secret
            metadata: {name: forge}
            stringData: {provider.token: t0ken, webhook.secret: hush, secret: knock}
            ---
            apiVersion: pipelinesascode.tekton.dev/v1alpha1
            kind: Repository
            metadata: {name: app}
            spec:
              url: %s/team/app
              concurrency_limit: %d
              git_provider:
                type: gitea
                secret: {name: forge}
                webhook_secret: {name: forge}
              incoming:
              - {type: webhook-url, targets: [main], secret: {name: forge}}
            """;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    private static String signature(String body) throws GeneralSecurityException {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("hush".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    }

    /// The status and the body of the answer.
    private static String send(String path, String event, String body, String signature) {
        return send(path, event, body, signature, "X-Nothing: more");
    }

    private static String send(String path, String event, String body, String signature, String header) {
        var server = Kubectl.newest(SERVER.kubeconfig(), "default")
                .run("config", "view", "-o", "jsonpath={.clusters[0].cluster.server}");
        return Program.run(List.of(
                        "curl",
                        "-sSk",
                        "-w",
                        "%{http_code}",
                        "-H",
                        "X-Gitea-Event-Type: " + event,
                        "-H",
                        "X-Gitea-Signature: " + signature,
                        "-H",
                        header,
                        "-H",
                        "Content-Type: application/json",
                        "-d",
                        body,
                        server + "/pipelines-as-code" + path))
                .out();
    }

    private static String push(SmallForge forge, String sha) {
        return """
                {"ref":"refs/heads/main","after":"%2$s","head_commit":{"id":"%2$s","message":"a change"},
                 "sender":{"login":"alice"},"commits":[{"added":["a.txt"],"modified":[],"removed":[]}],
                 "repository":{"name":"app","owner":{"login":"team"},"html_url":"%1$s/team/app","default_branch":"main"}}""".formatted(forge.address(), sha);
    }

    private static String pull(SmallForge forge, String author) {
        return """
                {"action":"opened","sender":{"login":"%2$s"},
                 "pull_request":{"number":7,"title":"t","user":{"login":"%2$s"},"head":{"sha":"feed1","ref":"new","repo":{"html_url":"%1$s/team/app"}},
                  "base":{"ref":"main","repo":{"html_url":"%1$s/team/app"}}},
                 "repository":{"name":"app","owner":{"login":"team"},"html_url":"%1$s/team/app","default_branch":"main"}}""".formatted(forge.address(), author);
    }

    private static SmallForge forge() throws IOException {
        return SmallForge.start(Map.of(
                ".tekton/push.yaml",
                PUSH,
                ".tekton/pull.yaml",
                PULL,
                ".tekton/deep/pipeline.yaml",
                PIPELINE,
                "README.md",
                "#"));
    }

    /// Events about a Repository that is not known yet are dropped, so that it is waited for: who knows its secret is
    /// told what is wrong with the rest, and others are not.
    private static void createRepository(Kubectl kubectl, SmallForge forge, int limit) {
        kubectl.withInput(REPOSITORY.formatted(forge.address(), limit), "create", "-f", "-");
        var probe = "{\"repository\":\"app\",\"namespace\":\"" + kubectl.namespace()
                + "\",\"branch\":\"main\",\"pipelinerun\":\"none\",\"secret\":\"knock\",\"params\":{\"no\":\"x\"}}";
        var answer = send("/incoming", "", probe, "");
        for (long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
                answer.endsWith("401") && System.nanoTime() < end; ) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            answer = send("/incoming", "", probe, "");
        }
        assertThat(answer).contains("param no is not allowed").endsWith("400");
    }

    @Test
    void aSignedPushRunsAndTheForgeHearsOfIt() throws Exception {
        try (var forge = forge()) {
            var kubectl = SERVER.inNewNamespace();
            createRepository(kubectl, forge, 1);
            var body = push(forge, "c0ffee1");

            assertThat(send("", "push", body, signature(body)))
                    .contains("accepted")
                    .endsWith("202");
            assertThat(send("", "push", push(forge, "c0ffee2"), signature(push(forge, "c0ffee2"))))
                    .endsWith("202");

            assertThat(forge.awaitTold("\"success\"")).contains("/statuses/c0ffee", "Pipelines as Code CI / on-push");
            assertThat(forge.awaitTold("\"success\"")).contains("/statuses/c0ffee");
            for (var sha : List.of("c0ffee1", "c0ffee2")) {
                kubectl.await(
                        "pipelineruns",
                        "-l=pipelinesascode.tekton.dev/sha=" + sha,
                        "{.metadata.labels.pipelinesascode\\.tekton\\.dev/state}",
                        "completed");
            }
            assertThat(kubectl.run("get", "pipelineruns", "-o", "jsonpath={.items[*].status.results[0].value}"))
                    .contains("c0ffee1", "c0ffee2");
            assertThat(kubectl.run("get", "secrets", "-o", "name")).contains("pac-gitauth-");
        }
    }

    @Test
    void aForgedEventRunsNothingAndIsTold() throws Exception {
        try (var forge = forge()) {
            var kubectl = SERVER.inNewNamespace();
            createRepository(kubectl, forge, 1);
            var body = push(forge, "bad");

            send("", "push", body, signature(body + " "));

            kubectl.await("events", "--field-selector=reason=RepositoryEventRefused", "{.involvedObject.name}", "app");
            assertThat(kubectl.run("get", "pipelineruns", "-o", "name")).isEmpty();
            assertThat(send(
                            "/incoming",
                            "",
                            "{\"repository\":\"app\",\"namespace\":\"" + kubectl.namespace()
                                    + "\",\"branch\":\"main\",\"pipelinerun\":\"on-push\",\"secret\":\"wrong\"}",
                            ""))
                    .endsWith("401");
            assertThat(send("/incoming", "", "{\"repository\":\"app\"}", ""))
                    .contains("missing required fields: [branch pipelinerun secret]")
                    .endsWith("400");
            assertThat(send(
                            "/incoming",
                            "",
                            "{\"repository\":\"app\",\"namespace\":\"" + kubectl.namespace()
                                    + "\",\"branch\":\"main\",\"pipelinerun\":\"on-push\",\"secret\":\"knock\"}",
                            ""))
                    .endsWith("202");
            assertThat(forge.awaitTold("\"success\"")).contains("on-push");
        }
    }

    @Test
    void anAddressHasOneRepositoryAndADeliveryOneRun() throws Exception {
        try (var forge = forge()) {
            var kubectl = SERVER.inNewNamespace();
            createRepository(kubectl, forge, 1);
            assertThat(SERVER.inNewNamespace()
                            .attempt(REPOSITORY.formatted(forge.address(), 1), Map.of(), "create", "-f", "-")
                            .err())
                    .contains("repository already exists with URL: " + forge.address() + "/team/app");
            var body = push(forge, "c0ffee3");
            for (var answer : List.of("accepted", "seen before")) {
                assertThat(send("", "push", body, signature(body), "X-Gitea-Delivery: 1"))
                        .contains(answer)
                        .endsWith("202");
            }
            assertThat(forge.awaitTold("\"success\"")).contains("/statuses/c0ffee3");
            assertThat(kubectl.run("get", "pipelineruns", "-o", "name").lines()).hasSize(1);
        }
    }

    @Test
    void aPullRequestRunsForThoseWhoAreTrusted() throws Exception {
        try (var forge = forge()) {
            var kubectl = SERVER.inNewNamespace();
            createRepository(kubectl, forge, 5);
            var stranger = pull(forge, "mallory");

            send("", "pull_request", stranger, signature(stranger));
            assertThat(forge.awaitTold("waiting for an /ok-to-test")).contains("/statuses/feed1");
            assertThat(kubectl.run("get", "pipelineruns", "-o", "name")).isEmpty();

            var trusted = pull(forge, "alice");
            send("", "pull_request", trusted, signature(trusted));
            assertThat(forge.awaitTold("\"failure\"")).contains("on-pull");
            assertThat(forge.awaitTold("/issues/7/comments"))
                    .contains("task <b>fail</b> has the status", "main.c:3:1: oops", "Failed | fail");
            kubectl.await("repository/app", "{.pipelinerun_status[0].sha}", "feed1");
            assertThat(kubectl.run("get", "repository")).contains("SUCCEEDED", "False");
        }
    }

    private static String comment(SmallForge forge, String text) {
        return """
                {"action":"created","sender":{"login":"alice"},"issue":{"number":7,"pull_request":{}},"comment":{"body":"%2$s"},
                 "repository":{"name":"app","owner":{"login":"team"},"html_url":"%1$s/team/app","default_branch":"main"}}""".formatted(forge.address(), text);
    }

    private static void comments(SmallForge forge, String text) throws GeneralSecurityException {
        var body = comment(forge, text);
        assertThat(send("", "pull_request_comment", body, signature(body))).endsWith("202");
    }

    @Test
    void commentsTestRetestAndCancel() throws Exception {
        var slow = PULL.replace("echo main.c:3:1: oops; exit 1", "trap exit TERM; sleep 600 & wait")
                .replace("on-pull", "slow");
        try (var forge = SmallForge.start(Map.of(".tekton/slow.yaml", slow))) {
            var kubectl = SERVER.inNewNamespace();
            createRepository(kubectl, forge, 5);
            var running = "{.status.conditions[?(@.type=='Succeeded')].reason}";

            comments(forge, "/test slow");
            kubectl.await("pipelineruns", "-l=pipelinesascode.tekton.dev/event-type=test-comment", running, "Running");
            comments(forge, "/cancel slow");
            kubectl.await(
                    "pipelineruns", "-l=pipelinesascode.tekton.dev/event-type=test-comment", running, "Cancelled");
            assertThat(forge.awaitTold("has been <b>cancelled</b>")).contains("/issues/7/comments", "slow");

            comments(forge, "/retest");
            kubectl.await(
                    "pipelineruns", "-l=pipelinesascode.tekton.dev/event-type=retest-all-comment", running, "Running");
            comments(forge, "/cancel");
            kubectl.await(
                    "pipelineruns",
                    "-l=pipelinesascode.tekton.dev/event-type=retest-all-comment",
                    running,
                    "Cancelled");
            assertThat(kubectl.run("get", "pipelineruns", "-o", "name").lines()).hasSize(2);
        }
    }
}
