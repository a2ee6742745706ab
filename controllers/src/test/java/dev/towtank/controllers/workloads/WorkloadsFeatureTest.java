package dev.towtank.controllers.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Change;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Ground;
import dev.towtank.cluster.IndexedCache;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.cluster.testing.Scenario;
import dev.towtank.controllers.workloads.services.KubernetesServiceReconciler;
import dev.towtank.model.kinds.BuiltinKinds;
import java.net.URI;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class WorkloadsFeatureTest {

    static final Map<String, Function<Caches, Controller<?, ?>>> CONTROLLERS = Map.ofEntries(
            Map.entry("replica-sets", WorkloadsFeature::replicaSets),
            Map.entry("replication-controllers", WorkloadsFeature::replicationControllers),
            Map.entry("deployments", WorkloadsFeature::deployments),
            Map.entry("jobs", WorkloadsFeature::jobs),
            Map.entry("job-pods", WorkloadsFeature::jobPods),
            Map.entry("cron-jobs", WorkloadsFeature::cronJobs),
            Map.entry("finished-jobs", WorkloadsFeature::finishedJobs),
            Map.entry("stateful-sets", WorkloadsFeature::statefulSets),
            Map.entry("daemon-sets", WorkloadsFeature::daemonSets),
            Map.entry("endpoint-slices", ServiceControllers::endpointSlices),
            Map.entry("endpoints", ServiceControllers::endpoints),
            Map.entry("endpoint-mirrors", ServiceControllers::mirrors),
            Map.entry(
                    "kubernetes-service",
                    caches -> ServiceControllers.kubernetesService(
                            caches, new KubernetesServiceReconciler.Listener("127.0.0.1", 6443))),
            Map.entry("disruption-budgets", UpkeepControllers::disruptionBudgets),
            Map.entry("lost-pods", UpkeepControllers::lostPods),
            Map.entry("finished-pods", caches -> UpkeepControllers.finishedPods(caches, 1)));

    static Stream<Arguments> scenarios() {
        return CONTROLLERS.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(entry -> Scenario.in(entry.getKey()).stream()
                        .map(scenario -> Arguments.of(entry.getKey(), scenario, entry.getValue())));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("scenarios")
    void decides(String folder, Scenario scenario, Function<Caches, Controller<?, ?>> controller) {
        scenario.check(controller, BuiltinKinds.ALL);
    }

    private static Running feature(Consumer<Change.Event> events) {
        return new WorkloadsFeature()
                .start(new Place(
                        "workloads",
                        new FakeCluster(new FakeTimers()),
                        _ -> new IndexedCache(),
                        (_, _) -> {
                            throw new AssertionError("it meets no kinds that it does not know");
                        },
                        events,
                        Ground.of(new FakeTimers()).at("", () -> URI.create("https://127.0.0.1:6443"))));
    }

    @Test
    void theFeatureHasEveryControllerOnce() {
        var names =
                feature(_ -> {}).controllers().stream().map(Controller::name).toList();

        // Autoscalers decide by more than objects, and have a test of their own.
        assertThat(names)
                .doesNotHaveDuplicates()
                .hasSize(CONTROLLERS.size() + 1)
                .contains("horizontal-pod-autoscaler");
    }
}
