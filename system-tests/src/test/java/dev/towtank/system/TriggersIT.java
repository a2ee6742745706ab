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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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

    private static final String WEBHOOK = """
            apiVersion: triggers.tekton.dev/v1beta1
            kind: TriggerTemplate
            metadata: {name: old, annotations: {triggers.tekton.dev/old-escape-quotes: "true"}}
            spec:
              params: [{name: whole}, {name: answer}]
              resourcetemplates:
              - apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: old-$(tt.params.answer)}
                spec:
                  status: PipelineRunPending
                  params: [{name: whole, value: "$(tt.params.whole)"}]
                  pipelineRef: {name: nobody}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: passes, labels: {app: webhook, name: passes}}
            spec:
              terminationGracePeriodSeconds: 0
              containers:
              - name: c
                image: kserve/sklearnserver:v0.15.2
                readinessProbe: {tcpSocket: {port: 18371}, periodSeconds: 1}
                command: [/usr/bin/python3, -u, -c]
                args:
                - |
                  from http.server import BaseHTTPRequestHandler, HTTPServer
                  class Answers(BaseHTTPRequestHandler):
                      def do_POST(self):
                          for name in ("X-One", "X-Many", "X-Kept", "Eventlistener-Request-Url"):
                              print(name, self.headers.get_all(name))
                          print(self.rfile.read(int(self.headers["Content-Length"])).decode())
                          self.send_response(200)
                          self.send_header("X-Answer", "indeed")
                          self.end_headers()
                          self.wfile.write(b'{"whole": {"a": "b"}}')
                  HTTPServer(("", 18371), Answers).serve_forever()
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: passes}
            spec: {selector: {name: passes}, ports: [{port: 80, targetPort: 18371}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: refuses, labels: {app: webhook, name: refuses}}
            spec:
              terminationGracePeriodSeconds: 0
              containers:
              - name: c
                image: kserve/sklearnserver:v0.15.2
                readinessProbe: {tcpSocket: {port: 18372}, periodSeconds: 1}
                command: [/usr/bin/python3, -u, -c]
                args:
                - |
                  from http.server import BaseHTTPRequestHandler, HTTPServer
                  class Answers(BaseHTTPRequestHandler):
                      def do_POST(self):
                          for name in ("X-One", "X-Many", "X-Kept", "Eventlistener-Request-Url"):
                              print(name, self.headers.get_all(name))
                          print(self.rfile.read(int(self.headers["Content-Length"])).decode())
                          self.send_response(403)
                          self.send_header("X-Answer", "indeed")
                          self.end_headers()
                          self.wfile.write(b'not you')
                  HTTPServer(("", 18372), Answers).serve_forever()
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: refuses}
            spec: {selector: {name: refuses}, ports: [{port: 80, targetPort: 18372}]}
            ---
            apiVersion: triggers.tekton.dev/v1beta1
            kind: EventListener
            metadata: {name: old}
            spec:
              serviceAccountName: listener
              triggers:
              - name: passed
                interceptors:
                - webhook:
                    objectRef: {kind: Service, apiVersion: v1, name: passes}
                    header: [{name: X-One, value: "1"}, {name: X-Many, value: [a, b]}]
                bindings: [{name: whole, value: $(body.whole)}, {name: answer, value: $(header.X-Answer)}]
                template: {ref: old}
              - name: refused
                interceptors: [{webhook: {objectRef: {kind: Service, apiVersion: v1, name: refuses}}}]
                bindings: [{name: whole, value: w}, {name: answer, value: a}]
                template: {ref: old}
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

    private HttpRequest.Builder request(String listener, String path) throws IOException, InterruptedException {
        return HttpRequest.newBuilder(address("el-" + listener, 8080).resolve("/" + path));
    }

    /// Of a service, once somebody answers there: that is a moment after the service is written.
    private URI address(String service, int port) throws IOException, InterruptedException {
        var ip = kubectl.run("get", "service", service, "-o", "jsonpath={.spec.clusterIP}");
        var address = URI.create("http://" + ip + ":" + port + "/live");
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (true) {
            try {
                send(HttpRequest.newBuilder(address));
                return address;
            } catch (IOException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private HttpResponse<String> send(String body, String signature, String query)
            throws IOException, InterruptedException {
        return send(request("github", query)
                .header("X-GitHub-Event", "push")
                .header("X-Hub-Signature-256", signature)
                .POST(HttpRequest.BodyPublishers.ofString(body)));
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
                "get", "events", "--watch", "--request-timeout=120s", "-o", "jsonpath={.reason} {.message}{'\\n'}");
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
        assertThat(send("", signature(""), "").statusCode()).isEqualTo(400);
        assertThat(send("a=b&c=d", signature("a=b&c=d"), "any/path").statusCode())
                .isEqualTo(400);
        assertThat(kubectl.run("get", "--raw", "/metrics"))
                .contains("eventlistener_event_received_total{status=\"failed\"}");
        var live = send(request("github", "live"));
        assertThat(live.statusCode() + " " + live.body()).isEqualTo("200 ok");
    }

    @Test
    void takesAnyBodyWhereTheListenerSaysSo() throws Exception {
        kubectl.withInput("""
                apiVersion: triggers.tekton.dev/v1beta1
                kind: EventListener
                metadata: {name: lenient, annotations: {tekton.dev/payload-validation: "false"}}
                spec:
                  serviceAccountName: listener
                  triggers:
                  - {name: any, bindings: [{name: repository, value: r}, {name: branch, value: b}], template: {ref: build}}
                """, "create", "-f", "-");
        kubectl.await("eventlistener/lenient", "{.status.conditions[?(@.type=='Ready')].status}", "True");
        mayCreateRuns();

        var answer = send(request("lenient", "?wait=true").POST(HttpRequest.BodyPublishers.ofString("[1]")));

        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(answer.body()).contains("\"accepted\":true", "/build-main");
    }

    /// An interceptor of the first kind, which answers with another event, and a template of the days when quotes in
    /// values were
    /// not escaped.
    @Test
    void passesEventsThroughAWebhookWithItsHeaders() throws Exception {
        mayCreateRuns();
        kubectl.withInput(WEBHOOK, "create", "-f", "-");
        kubectl.run("wait", "--for=condition=ready", "pod", "-l", "app=webhook", "--timeout=120s");
        kubectl.await("eventlistener/old", "{.status.conditions[?(@.type=='Ready')].status}", "True");
        address("passes", 80);
        address("refuses", 80);

        var answer = send(request("old", "some/path?wait=true")
                .header("X-One", "replaced")
                .header("X-Kept", "kept")
                .POST(HttpRequest.BodyPublishers.ofString("{\"asked\": 1}")));

        assertThat(answer.body())
                .contains("/old-indeed\"", "request rejected; status: 403 Forbidden; message: not you");
        assertThat(kubectl.run("logs", "passes"))
                .contains("X-One ['1']\n", "X-Many ['a', 'b']\n", "X-Kept ['kept']\n", "{\"asked\": 1}\n")
                .containsPattern("Eventlistener-Request-Url \\['[^']*/some/path");
        assertThat(kubectl.run("get", "pipelinerun", "old-indeed", "-o", "jsonpath={.spec.params[0].value}"))
                .isEqualTo("{\"a\":\"b\"}");
        // Others' namespaces have some, too.
        assertThat(kubectl.run("get", "--raw", "/metrics"))
                .containsPattern("\ncontroller_eventlistener_count [1-9]")
                .containsPattern("\ncontroller_triggerbinding_count [1-9]")
                .containsPattern("\ncontroller_triggertemplate_count [1-9]")
                .containsPattern("\ncontroller_clustertriggerbinding_count [0-9]")
                .containsPattern("\ncontroller_clusterinterceptor_count [0-9]")
                .containsPattern("\neventlistener_triggered_resources_total\\{kind=\"PipelineRun\"} [1-9]")
                .containsPattern("\neventlistener_http_duration_seconds_bucket\\{le=\"0.001\"} [0-9]");
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
