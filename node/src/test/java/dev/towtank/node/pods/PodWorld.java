package dev.towtank.node.pods;

import dev.towtank.cluster.InHand;
import dev.towtank.cluster.Informer;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.loop.EventRecorder;
import dev.towtank.cluster.pods.ContainerProgram;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.model.Json;
import dev.towtank.model.Quantity;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.node.events.NodeEvents;
import dev.towtank.node.images.Image;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.logs.ContainerLogs;
import dev.towtank.node.network.PodNetwork;
import dev.towtank.node.probes.Prober;
import dev.towtank.node.volumes.NodeValues;
import dev.towtank.node.volumes.VolumeSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;

/// Workers of pods on an API and a sandbox that tests look into.
final class PodWorld implements AutoCloseable {

    final FakeTimers timers = new FakeTimers();
    final PodApi api = new PodApi(timers);
    final FakeSandbox sandbox = new FakeSandbox(timers);
    private Informer informer;
    private NodeEvents events;
    private PodWorkers workers;
    private PodGate gate;

    /// What the next server knows of earlier ones.
    InHand inHand = InHand.FORGETFUL;

    /// Starts a server, which finds what an earlier one has left.
    ///
    /// @param root of the files of pods
    void open(Path root, ContainerProgram... programs) {
        events = new NodeEvents(new EventRecorder(api, timers, "kubelet"));
        var parts = new NodeParts(
                api,
                timers,
                sandbox,
                PodWorld::image,
                events,
                new VolumeSettings(
                        root.resolve("pods"),
                        root.resolve("claims"),
                        Optional.empty(),
                        List.of(root.resolve("allowed"))),
                new NodeValues("10.0.0.1", "10.0.0.1", Map.of("cpu", Quantity.parse("4"))),
                new Prober("127.0.0.1"),
                PodNetwork.ofMachine("the test has no others"),
                new MachinePorts(),
                List.of(programs),
                _ -> List.of(),
                List::of,
                Map.of("KUBERNETES_SERVICE_HOST", "127.0.0.1"),
                ContainerLogs::stored,
                false,
                true,
                inHand,
                new Semaphore(2, true),
                new Semaphore(8));
        informer = new Informer(api, Pods.KIND, Selection.EVERYWHERE, timers, Informer.Settings.USUAL);
        workers = new PodWorkers(parts, List.of("n1"), informer.cache());
        gate = new PodGate(parts, workers);
        informer.subscribe(workers::changed);
        informer.start();
    }

    @Override
    public void close() {
        workers.close();
        informer.close();
        events.close();
    }

    PodWorkers workers() {
        return workers;
    }

    PodGate gate() {
        return gate;
    }

    private static ImageMap.Lookup image(String reference) {
        return reference.startsWith("no-such")
                ? new ImageMap.Lookup.NotFound("ErrImagePull", "not in the map")
                : new ImageMap.Lookup.Found(new Image(
                        reference,
                        new Image.Root.Host(),
                        Image.Shell.OWN,
                        List.of("/entry"),
                        List.of("word"),
                        "",
                        "",
                        Map.of("FROM", "image"),
                        Map.of()));
    }

    Resource pod(String name, String spec) {
        return pod(name, "{}", spec);
    }

    Resource pod(String name, String annotations, String spec) {
        var json = (Json.Obj) YamlText.parse("{apiVersion: v1, kind: Pod, metadata: {name: " + name
                + ", namespace: shop, uid: " + name + ", generation: 1, annotations: " + annotations + "}, spec: "
                + spec
                + "}");
        return api.fake().given(Pods.KIND, Resource.of(json.with(List.of("spec", "nodeName"), Json.of("n1"))));
    }

    /// Moves time on until the pod is as wanted. Not by one step: a worker tells first and sets its timer then, so the
    /// step could come in between.
    Resource awaitInTime(String name, Predicate<Resource> wanted) {
        return awaitInTime(name, Duration.ofSeconds(1), wanted);
    }

    /// Likewise without any time passing: a timer may be set late, for a moment that is over.
    Resource awaitNow(String name, Predicate<Resource> wanted) {
        return awaitInTime(name, Duration.ZERO, wanted);
    }

    private Resource awaitInTime(String name, Duration step, Predicate<Resource> wanted) {
        while (true) {
            var pod = api.fake().get(Pods.KIND, ObjectName.of("shop", name)).filter(wanted);
            if (pod.isPresent()) {
                return pod.get();
            }
            timers.advance(step);
            Thread.onSpinWait();
        }
    }

    static Predicate<Resource> phase(String phase) {
        return pod -> pod.status().string("phase").equals(phase);
    }

    static Predicate<Resource> waiting(String reason) {
        return pod -> pod.status().objects("containerStatuses").stream()
                .anyMatch(status -> status.string("state", "waiting", "reason").equals(reason));
    }

    static Json.Obj status(Resource pod, String container) {
        return ContainerStatus.find(pod, container).orElseThrow();
    }
}
