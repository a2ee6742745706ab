package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Tekton's listeners, with real requests.
class TriggersIT {

    private static final String SECRET = "1234567";
    private static final String PUSH = """
            {"ref": "refs/heads/main", "head_commit": {"id": "28911bbb5a3e2ea034daf1f6be0a822d50e31e73"},
             "repository": {"full_name": "tektoncd/triggers", "clone_url": "https://example.com/triggers.git"}}""";

    private static final String LISTENER = """
            apiVersion: v1
            kind: Secret
            metadata: {name: github-secret}
            stringData: {secretToken: "1234567"}
            ---
            apiVersion: triggers.tekton.dev/v1beta1
            kind: TriggerBinding
            metadata: {name: push}
            spec:
              params:
              - {name: revision, value: $(body.head_commit.id)}
              - {name: repository, value: $(body.repository.clone_url)}
              - {name: branch, value: $(extensions.branch)}
            ---
            apiVersion: triggers.tekton.dev/v1beta1
            kind: TriggerTemplate
            metadata: {name: build}
            spec:
              params:
              - {name: revision, default: main}
              - {name: repository}
              - {name: branch}
              resourcetemplates:
              - apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: build-$(tt.params.revision)}
                spec:
                  params: [{name: from, value: $(tt.params.repository)#$(tt.params.branch)}]
                  pipelineSpec:
                    params: [{name: from}]
                    results: [{name: said, value: $(tasks.say.results.said)}]
                    tasks:
                    - name: say
                      params: [{name: from, value: $(params.from)}]
                      taskSpec:
                        params: [{name: from}]
                        results: [{name: said}]
                        steps: [{name: s, image: busybox, script: "printf '$(params.from)' > $(results.said.path)"}]
            ---
            apiVersion: triggers.tekton.dev/v1beta1
            kind: EventListener
            metadata: {name: github}
            spec:
              serviceAccountName: listener
              triggers:
              - name: on-push
                interceptors:
                - ref: {name: github}
                  params:
                  - {name: secretRef, value: {secretName: github-secret, secretKey: secretToken}}
                  - {name: eventTypes, value: [push]}
                - ref: {name: cel}
                  params:
                  - {name: filter, value: "body.ref.startsWith('refs/heads/')"}
                  - name: overlays
                    value: [{key: branch, expression: "body.ref.split('/')[2]"}]
                bindings: [{ref: push}]
                template: {ref: build}
            """;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    private Kubectl kubectl;

    @BeforeEach
    void listener() {
        kubectl = SERVER.inNewNamespace();
        kubectl.run("create", "serviceaccount", "listener");
        kubectl.withInput(LISTENER, "create", "-f", "-");
        kubectl.await("eventlistener/github", "{.status.conditions[?(@.type=='Ready')].status}", "True");
    }

    private void mayCreateRuns() {
        kubectl.run(
                "create",
                "rolebinding",
                "listener",
                "--clusterrole=tekton-triggers-eventlistener-roles",
                "--serviceaccount=" + kubectl.namespace() + ":listener");
    }

    private HttpResponse<String> send(String body, String signature, String query)
            throws IOException, InterruptedException {
        var address = kubectl.run("get", "service", "el-github", "-o", "jsonpath={.spec.clusterIP}");
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://" + address + ":8080/" + query))
                            .header("X-GitHub-Event", "push")
                            .header("X-Hub-Signature-256", signature)
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    private static String signature(String body) throws GeneralSecurityException {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void makesAPipelineRunOfASignedPush() throws Exception {
        mayCreateRuns();

        var answer = send(PUSH, signature(PUSH), "");

        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(answer.body()).contains("\"eventListener\":\"github\"", "\"eventID\":\"");
        var run = "pipelinerun/build-28911bbb5a3e2ea034daf1f6be0a822d50e31e73";
        kubectl.await(run, "{.status.conditions[0].status}", "True");
        assertThat(kubectl.run("get", run, "-o", "jsonpath={.status.results[0].value}"))
                .isEqualTo("https://example.com/triggers.git#main");
        assertThat(kubectl.run("get", run, "-o", "jsonpath={.metadata.labels}"))
                .contains(
                        "\"triggers.tekton.dev/eventlistener\":\"github\"",
                        "\"triggers.tekton.dev/trigger\":\"on-push\"");
        assertThat(kubectl.run("get", "eventlistener"))
                .contains("http://el-github." + kubectl.namespace() + ".svc.cluster.local:8080");
    }

    @Test
    void makesNothingOfAnEventWithOneFlippedByteAndTellsSo() throws Exception {
        mayCreateRuns();
        var flipped = PUSH.replace("28911bbb", "28911bbc");

        var answer = send(flipped, signature(PUSH), "?wait=true");

        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(answer.body()).contains("\"accepted\":false", "payload signature check failed");
        awaitEvent("trigger \"on-push\": payload signature check failed");
        assertThat(kubectl.run("get", "pipelineruns", "-o", "name")).isEmpty();
    }

    private void awaitEvent(String message) throws IOException {
        var watch = kubectl.start(
                "get", "events", "--watch", "--request-timeout=30s", "-o", "jsonpath={.reason} {.message}{'\\n'}");
        try (var lines = watch.inputReader()) {
            assertThat(lines.lines().anyMatch(line -> line.equals("EventRefused " + message)))
                    .isTrue();
        } finally {
            watch.destroy();
        }
    }

    @Test
    void hasNoMoreRightsThanItsServiceAccount() throws Exception {
        var answer = send(PUSH, signature(PUSH), "?wait=true");

        assertThat(answer.body())
                .contains("\"accepted\":false", "pipelineruns.tekton.dev is forbidden")
                .contains("system:serviceaccount:" + kubectl.namespace() + ":listener");
        assertThat(kubectl.run("get", "pipelineruns", "-o", "name")).isEmpty();
    }

    @Test
    void refusesWhatIsNoJsonObject() throws Exception {
        var answer = send("[1]", signature("[1]"), "");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("Invalid event body format");
    }

    @Test
    void refusesATemplateWithAnUndeclaredParameter() {
        var answer = kubectl.attempt("""
                apiVersion: triggers.tekton.dev/v1alpha1
                kind: TriggerTemplate
                metadata: {name: wrong}
                spec:
                  resourcetemplates:
                  - {apiVersion: v1, kind: ConfigMap, metadata: {name: $(tt.params.nobody)}}
                """, Map.of(), "create", "-f", "-");

        assertThat(answer.err())
                .contains("admission webhook \"validation.webhook.triggers.tekton.dev\" denied the request: validation"
                        + " failed: invalid value: undeclared param '$(tt.params.nobody)': spec.resourcetemplates[0]");
    }
}
