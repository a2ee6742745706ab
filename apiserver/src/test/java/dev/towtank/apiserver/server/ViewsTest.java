package dev.towtank.apiserver.server;

import static dev.towtank.apiserver.registry.TestApi.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.catalog.BuiltinCatalog;
import dev.towtank.apiserver.catalog.ViewedKinds;
import dev.towtank.apiserver.registry.TestApi;
import dev.towtank.apiserver.registry.View;
import dev.towtank.apiserver.store.Store;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.cluster.pods.Usage;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is worked out when somebody asks for it.
class ViewsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final TestApi api = TestApi.showing(ViewsTest::views);

    private static Map<GroupResource, View> views(Store store) {
        var views = new HashMap<>(new UsageViews(store, new MeasuredPods()).all());
        views.put(ViewedKinds.API_SERVICE.resource(), new ApiServices(new BuiltinCatalog(), NOW));
        return views;
    }

    @AfterEach
    void close() {
        api.close();
    }

    private static Usage usage(long nanoCores) {
        return new Usage(NOW, Duration.ofMillis(5250), nanoCores, 3 << 20);
    }

    private void pod(String name, String phase) {
        api.create(
                "pods/default",
                "{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", labels: {app: " + name
                        + "}}, spec: {containers: [{name: main, image: a}]}}");
        api.patch(
                "pods/default/" + name + "/status",
                "merge",
                "{\"status\":{\"phase\":\"" + phase
                        + "\",\"containerStatuses\":[{\"name\":\"main\",\"state\":{\"running\":{}}}]}}");
    }

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    @Test
    void showsWhatPodsUse() {
        pod("busy", "Running");
        pod("done", "Succeeded");
        pod("unknown", "Running");

        var listed = api.list("pods.metrics.k8s.io@v1beta1/default", "");

        assertThat(listed.items())
                .singleElement()
                .satisfies(item -> assertThat(item.tree()).isEqualTo(yaml("""
                        kind: PodMetrics
                        apiVersion: metrics.k8s.io/v1beta1
                        metadata: {name: busy, namespace: default, creationTimestamp: "2026-01-01T00:00:00Z", labels: {app: busy}}
                        timestamp: "2026-01-01T00:00:00Z"
                        window: 5.250s
                        containers: [{name: main, usage: {cpu: 7000000n, memory: 3072Ki}}]
                        """)));
        assertThat(api.list("pods.metrics.k8s.io@v1beta1", "labelSelector=app=other")
                        .items())
                .isEmpty();
        assertThat(api.get("pods.metrics.k8s.io@v1beta1/default/busy").string("metadata", "name"))
                .isEqualTo("busy");
        assertThat(refused(() -> api.get("pods.metrics.k8s.io@v1beta1/default/done"))
                        .getMessage())
                .isEqualTo("pods.metrics.k8s.io \"done\" not found");
    }

    @Test
    void everyNodeIsTheMachine() {
        api.create("nodes", "{apiVersion: v1, kind: Node, metadata: {name: here}}");

        assertThat(api.get("nodes.metrics.k8s.io@v1beta1//here").object("usage"))
                .isEqualTo(yaml("{cpu: 9n, memory: 3072Ki}"));
    }

    @Test
    void everyVersionIsAnsweredHere() {
        var v2 = api.get("apiservices.apiregistration.k8s.io//v2.autoscaling");

        assertThat(v2.object("spec")).isEqualTo(yaml("""
                {group: autoscaling, version: v2, groupPriorityMinimum: 17500, versionPriority: 30}
                """));
        assertThat(v2.objects("status", "conditions").getFirst().string("reason"))
                .isEqualTo("Local");
        assertThat(api.get("apiservices.apiregistration.k8s.io//v1.").integer("spec", "groupPriorityMinimum"))
                .isEqualTo(18000);
        assertThat(refused(() -> api.create("apiservices.apiregistration.k8s.io", "{}"))
                        .getMessage())
                .contains("passes no request on to another server");
        assertThat(refused(() -> api.call(Verb.WATCH, "apiservices.apiregistration.k8s.io", "", Body.None.NONE))
                        .code())
                .isEqualTo(405);
        assertThat(new ApiServices(new BuiltinCatalog(), NOW).objects(LogicalCluster.DEFAULT, ""))
                .extracting(service -> service.string("metadata", "name"))
                .doesNotHaveDuplicates()
                .contains("v1.apps", "v1beta1.metrics.k8s.io", "v1.autoscaling");
    }

    /// Pods that nobody can connect to, but whose use is known.
    private static final class MeasuredPods implements PodAccess {
        @Override
        public Map<String, Usage> usage(Resource pod) {
            return pod.name().equals("unknown") ? Map.of() : Map.of("main", ViewsTest.usage(7_000_000));
        }

        @Override
        public Optional<Usage> machineUsage() {
            return Optional.of(ViewsTest.usage(9));
        }

        @Override
        public InputStream log(Resource pod, LogRequest request) {
            return NONE.log(pod, request);
        }

        @Override
        public Session exec(Resource pod, ExecRequest request) {
            return NONE.exec(pod, request);
        }

        @Override
        public Session attach(Resource pod, ExecRequest request) {
            return NONE.attach(pod, request);
        }

        @Override
        public Connection connect(Resource pod, int port) {
            return NONE.connect(pod, port);
        }
    }
}
