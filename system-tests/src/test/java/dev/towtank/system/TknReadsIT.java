package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.pki.Pki;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The requests that tkn makes, and what it reads of the answers. No tkn is at hand in a build, so they are
/// made here as its sources (95ae329) and those of its client library say.
class TknReadsIT {

    private static final String DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
            + "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";
    private static final String PROTOBUF_OR_JSON = "application/vnd.kubernetes.protobuf,application/json";
    private static final String TEKTON = "/apis/tekton.dev/v1/namespaces/default/";
    private static final String PODS = "/api/v1/namespaces/default/pods";

    /// How a shared informer of today begins.
    private static final String WATCH_LIST =
            "?allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeout=8m0s"
                    + "&timeoutSeconds=480&watch=true&fieldSelector=metadata.name%3D";

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    private static HttpClient http;
    private static URI address;

    @BeforeAll
    static void start() throws IOException {
        var pki = Pki.open(SERVER.data().resolve("pki"), InstantSource.system(), List.of());
        http = HttpClient.newBuilder().sslContext(pki.clientTls(pki.admin())).build();
        address = URI.create(Files.readString(SERVER.kubeconfig())
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("server: "))
                .findFirst()
                .orElseThrow()
                .substring("server: ".length()));
        request("POST", TEKTON + "pipelines", "application/json", """
                {"apiVersion": "tekton.dev/v1", "kind": "Pipeline", "metadata": {"name": "line"}, "spec": {
                  "params": [{"name": "seconds"}],
                  "tasks": [
                    {"name": "first", "taskSpec": {"steps": [
                      {"name": "one", "image": "busybox", "script": "echo one"},
                      {"name": "two", "image": "busybox", "script": "echo two"}]}},
                    {"name": "second", "runAfter": ["first"], "params": [{"name": "s", "value": "$(params.seconds)"}],
                     "taskSpec": {"params": [{"name": "s"}], "steps": [
                       {"name": "last", "image": "busybox", "script": "trap exit TERM; echo three; sleep $(params.s) & wait"}]}}]}}
                """);
    }

    @AfterAll
    static void stop() {
        http.close();
    }

    private static HttpRequest.Builder to(String path, String accept) {
        return HttpRequest.newBuilder(address.resolve(path))
                .timeout(Duration.ofMinutes(2))
                .header("Accept", accept);
    }

    private static Json.Obj request(String method, String path, String mediaType, String body) {
        var request = to(path, "application/json").header("Content-Type", mediaType);
        return parsed(request.method(method, BodyPublishers.ofString(body)).build());
    }

    private static Json.Obj get(String path) {
        return get(path, "application/json");
    }

    private static Json.Obj get(String path, String accept) {
        return parsed(to(path, accept).build());
    }

    private static Json.Obj parsed(HttpRequest request) {
        var answer = text(request);
        return JsonText.parseObject(answer);
    }

    private static String text(HttpRequest request) {
        try {
            var answer = http.send(request, BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(request + " " + answer.body()).isBetween(200, 201);
            return answer.body();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /// Reads events until one of them is enough, and gives its object.
    private static Json.Obj follow(String path, String accept, Predicate<Json.Obj> isEnough) {
        try (var lines =
                http.send(to(path, accept).build(), BodyHandlers.ofLines()).body()) {
            return lines.map(JsonText::parseObject)
                    .filter(event -> !event.string("type").equals("BOOKMARK"))
                    .map(event -> event.object("object"))
                    .filter(isEnough)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static String name(Json.Obj object) {
        return object.string("metadata", "name");
    }

    private static Json.Obj condition(Json.Obj run) {
        return run.objects("status", "conditions").getFirst();
    }

    private static boolean isOver(Json.Obj run) {
        return run.objects("status", "conditions").stream()
                .findFirst()
                .filter(first -> !first.string("status").equals("Unknown"))
                .isPresent();
    }

    /// `tkn pipeline start line -p seconds=…`
    private static Json.Obj started(String seconds) {
        assertThat(get(TEKTON + "pipelines/line").objects("spec", "tasks")).hasSize(2);
        return request("POST", TEKTON + "pipelineruns", "application/json", """
                {"apiVersion":"tekton.dev/v1","kind":"PipelineRun",
                 "metadata":{"generateName":"line-run-","namespace":"default"},
                 "spec":{"params":[{"name":"seconds","value":"%s"}],"pipelineRef":{"name":"line"},"taskRunTemplate":{}},
                 "status":{}}
                """.formatted(seconds));
    }

    private static Json.Obj ended(Json.Obj run) {
        return follow(TEKTON + "pipelineruns" + WATCH_LIST + name(run), "application/json", TknReadsIT::isOver);
    }

    @Test
    void findsTheVersionsInDiscovery() {
        for (var path : List.of("/api", "/apis")) {
            assertThat(get(path, DISCOVERY).string("kind")).isEqualTo("APIGroupDiscoveryList");
        }
        var group = get("/apis", DISCOVERY).objects("items").stream()
                .filter(item -> name(item).equals("tekton.dev"))
                .findFirst()
                .orElseThrow();
        var preferred = group.objects("versions").getFirst();
        assertThat(preferred.string("version")).isEqualTo("v1");
        assertThat(preferred.objects("resources"))
                .extracting(resource -> resource.string("resource"))
                .contains("pipelines", "pipelineruns", "tasks", "taskruns");
        assertThat(get("/api/v1/namespaces/tekton-pipelines/configmaps/pipelines-info")
                        .string("data", "version"))
                .startsWith("v1.");
        assertThat(get("/api/v1/namespaces/tekton-pipelines/configmaps/triggers-info")
                        .string("data", "version"))
                .startsWith("v0.");
    }

    @Test
    void startsListsAndDescribes() {
        var run = ended(started("0"));

        assertThat(name(run)).startsWith("line-run-");
        var listed = get(TEKTON + "pipelineruns?labelSelector=tekton.dev%2Fpipeline%3Dline").objects("items").stream()
                .filter(item -> name(item).equals(name(run)))
                .findFirst()
                .orElseThrow();
        assertThat(listed.string("status", "startTime")).isNotEmpty();
        assertThat(listed.string("status", "completionTime")).isNotEmpty();
        assertThat(condition(listed).string("type")).isEqualTo("Succeeded");
        assertThat(condition(listed).string("reason")).isEqualTo("Succeeded");

        var described = get(TEKTON + "pipelineruns/" + name(run));
        assertThat(described.string("spec", "timeouts", "pipeline")).isEqualTo("1h0m0s");
        assertThat(described.objects("status", "childReferences")).allSatisfy(child -> {
            assertThat(child.string("kind")).isEqualTo("TaskRun");
            var task = get(TEKTON + "taskruns/" + child.string("name"));
            assertThat(task.string("metadata", "labels", "tekton.dev/pipelineTask"))
                    .isEqualTo(child.string("pipelineTaskName"));
            assertThat(task.string("status", "startTime")).isNotEmpty();
            assertThat(condition(task).string("status")).isEqualTo("True");
            assertThat(task.objects("status", "steps"))
                    .allSatisfy(step ->
                            assertThat(step.string("terminated", "reason")).isEqualTo("Completed"));
        });
        assertThat(get(TEKTON + "taskruns?labelSelector=tekton.dev%2FpipelineRun%3D" + name(run))
                        .objects("items"))
                .hasSize(2);
    }

    @Test
    void followsTheLogsOfARunWhileItGoesOn() {
        var run = started("1");
        var said = new StringBuilder();
        for (var task : List.of("first", "second")) {
            said.append(logs(run, task));
        }

        assertThat(said).hasToString("[first : one] one\n[first : two] two\n[second : last] three\n");
        assertThat(condition(ended(run)).string("status")).isEqualTo("True");
    }

    /// As `tkn pipelinerun logs -f` shows what it reads of one task.
    private static String logs(Json.Obj run, String task) {
        var pod = pod(run, task);
        var said = new StringBuilder();
        for (var container : pod.objects("spec", "containers")) {
            var step = container.string("name");
            text(log(pod, step))
                    .lines()
                    .forEach(line ->
                            said.append("[%s : %s] %s\n".formatted(task, step.replaceFirst("^step-", ""), line)));
        }
        return said.toString();
    }

    private static HttpRequest log(Json.Obj pod, String container) {
        return to(PODS + "/" + name(pod) + "/log?container=" + container + "&follow=true", PROTOBUF_OR_JSON)
                .build();
    }

    /// The pod of a task, once it runs.
    private static Json.Obj pod(Json.Obj run, String task) {
        var seenRun = follow(
                TEKTON + "pipelineruns" + WATCH_LIST + name(run),
                "application/json",
                seen -> child(seen, task).findFirst().isPresent());
        var name = child(seenRun, task).findFirst().orElseThrow().string("name");
        assertThat(name(get(TEKTON + "taskruns/" + name))).isEqualTo(name);
        var podName = follow(
                        TEKTON + "taskruns?fieldSelector=metadata.name%3D" + name + "&watch=true",
                        "application/json",
                        seen -> !seen.string("status", "podName").isEmpty())
                .string("status", "podName");
        assertThat(name(get(PODS + "/" + podName, PROTOBUF_OR_JSON))).isEqualTo(podName);
        return follow(
                PODS + WATCH_LIST + podName,
                PROTOBUF_OR_JSON,
                seen -> List.of("Running", "Succeeded", "Failed").contains(seen.string("status", "phase")));
    }

    private static Stream<Json.Obj> child(Json.Obj run, String task) {
        return run.objects("status", "childReferences").stream()
                .filter(each -> each.string("pipelineTaskName").equals(task));
    }

    @Test
    void cancelsAndDeletes() throws Exception {
        var run = started("600");
        try (var lines = http.send(log(pod(run, "second"), "step-last"), BodyHandlers.ofLines())
                .body()) {
            assertThat(lines.findFirst()).contains("three");
        }

        // The field is not there yet; the server takes that as kube-apiserver does.
        var patched = request(
                "PATCH",
                TEKTON + "pipelineruns/" + name(run),
                "application/json-patch+json",
                "[{\"op\":\"replace\",\"path\":\"/spec/status\",\"value\":\"Cancelled\"}]");
        assertThat(patched.string("spec", "status")).isEqualTo("Cancelled");
        assertThat(condition(ended(run)).string("reason")).isEqualTo("Cancelled");

        var gone = request(
                "DELETE",
                TEKTON + "pipelineruns/" + name(run),
                "application/json",
                "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"tekton.dev/v1\"}");
        assertThat(gone.string("status")).isEqualTo("Success");
        assertThat(get(TEKTON + "pipelineruns").objects("items"))
                .extracting(TknReadsIT::name)
                .doesNotContain(name(run));
    }

    @Test
    void findsThePodTheMomentThatARunNamesIt() throws Exception {
        for (int i = 0; i < 10; i++) {
            var name = "showlog-" + i;
            var watch = to(TEKTON + "taskruns?watch=true&fieldSelector=metadata.name%3D" + name, "application/json");
            try (var lines = http.send(watch.build(), BodyHandlers.ofLines()).body()) {
                request("POST", TEKTON + "taskruns", "application/json", """
                        {"apiVersion":"tekton.dev/v1","kind":"TaskRun","metadata":{"name":"%s"},"spec":{"taskSpec":
                        {"steps":[{"name":"s","image":"busybox","script":"true"}]}}}
                        """.formatted(name));
                var pod = lines.map(line -> JsonText.parseObject(line).string("object", "status", "podName"))
                        .filter(found -> !found.isEmpty())
                        .findFirst()
                        .orElseThrow();
                assertThat(name(get(PODS + "/" + pod, PROTOBUF_OR_JSON))).isEqualTo(pod);
            }
        }
    }

    @Test
    void startsATaskAndShowsWhatFailed() {
        request("POST", TEKTON + "tasks", "application/json", """
                {"apiVersion": "tekton.dev/v1", "kind": "Task", "metadata": {"name": "breaks"}, "spec": {"steps": [
                  {"name": "s", "image": "busybox", "script": "echo oops; exit 1"}]}}
                """);
        var run = request("POST", TEKTON + "taskruns", "application/json", """
                {"apiVersion":"tekton.dev/v1","kind":"TaskRun",
                 "metadata":{"generateName":"breaks-run-","namespace":"default"},
                 "spec":{"serviceAccountName":"","taskRef":{"name":"breaks"}},"status":{"podName":""}}
                """);
        var over = follow(
                TEKTON + "taskruns?fieldSelector=metadata.name%3D" + name(run) + "&watch=true",
                "application/json",
                TknReadsIT::isOver);

        assertThat(condition(over).string("message")).isEqualTo("\"step-s\" exited with code 1: Error");
        var pod = get(PODS + "/" + over.string("status", "podName"), PROTOBUF_OR_JSON);
        var state = pod.objects("status", "containerStatuses").getFirst().object("state", "terminated");
        assertThat(state.integer("exitCode")).isEqualTo(1);
        assertThat(text(to(PODS + "/" + name(pod) + "/log?container=step-s&timestamps=true", PROTOBUF_OR_JSON)
                        .build()))
                .matches("\\d{4}-\\d\\d-\\d\\dT\\S+Z oops\n");
    }
}
