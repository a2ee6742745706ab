package dev.towtank.node.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.EventRecorder;
import dev.towtank.cluster.Informer;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.pods.ContainerProgram;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.cluster.pods.RunningContainer;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.model.Json;
import dev.towtank.model.Patch;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.node.events.NodeEvents;
import dev.towtank.node.images.Image;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.logs.ContainerLogs;
import dev.towtank.node.probes.Prober;
import dev.towtank.node.sandbox.Exit;
import dev.towtank.node.sandbox.Signal;
import dev.towtank.node.volumes.NodeValues;
import dev.towtank.node.volumes.VolumeSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class PodWorkersTest {

    @TempDir
    private Path root;

    private final FakeTimers timers = new FakeTimers();
    private final PodApi api = new PodApi(timers);
    private final FakeSandbox sandbox = new FakeSandbox(timers);
    private List<ContainerProgram> programs = List.of();
    private Informer informer;
    private NodeEvents events;
    private PodWorkers workers;
    private PodGate gate;

    @BeforeEach
    void open() {
        events = new NodeEvents(new EventRecorder(api, timers, "kubelet"));
        var parts = new NodeParts(
                api,
                timers,
                sandbox,
                PodWorkersTest::image,
                events,
                new VolumeSettings(root.resolve("pods"), root.resolve("claims"), Optional.empty(), List.of()),
                new NodeValues("10.0.0.1", "10.0.0.1", Map.of()),
                new Prober("127.0.0.1"),
                programs,
                _ -> List.of(),
                List::of,
                Map.of("KUBERNETES_SERVICE_HOST", "127.0.0.1"),
                ContainerLogs::stored,
                new Semaphore(2, true),
                new Semaphore(8));
        informer = new Informer(api, Pods.KIND, Selection.EVERYWHERE, timers, Informer.Settings.USUAL);
        workers = new PodWorkers(parts, List.of("n1"), informer.cache());
        gate = new PodGate(parts, workers);
        informer.subscribe(workers::changed);
        informer.start();
    }

    @AfterEach
    void close() {
        workers.close();
        informer.close();
        events.close();
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

    private Resource pod(String name, String spec) {
        var json = (Json.Obj) YamlText.parse("{apiVersion: v1, kind: Pod, metadata: {name: " + name
                + ", namespace: shop, uid: " + name + ", generation: 1}, spec: " + spec + "}");
        return api.fake().given(Pods.KIND, Resource.of(json.with(List.of("spec", "nodeName"), Json.of("n1"))));
    }

    private static Predicate<Resource> phase(String phase) {
        return pod -> pod.status().string("phase").equals(phase);
    }

    private static Predicate<Resource> waiting(String reason) {
        return pod -> pod.status().objects("containerStatuses").stream()
                .anyMatch(status -> status.string("state", "waiting", "reason").equals(reason));
    }

    private static Json.Obj status(Resource pod, String container) {
        return ContainerStatus.find(pod, container).orElseThrow();
    }

    @Test
    void runsAPodToItsEnd() throws Exception {
        pod(
                "job",
                "{restartPolicy: Never, containers: [{name: a, image: x, command: [run, $(HOW)], env: [{name: HOW, value: fast}]}]}");
        var container = sandbox.await("job_a_0");
        assertThat(container.spec().arguments()).containsExactly("run", "fast");
        assertThat(container.spec().environment())
                .containsEntry("FROM", "image")
                .containsEntry("HOSTNAME", "job")
                .containsEntry("KUBERNETES_SERVICE_HOST", "127.0.0.1");
        api.await("job", phase("Running"));
        container.exit(0);
        var over = api.await("job", phase("Succeeded"));
        assertThat(status(over, "a").string("state", "terminated", "reason")).isEqualTo("Completed");
        assertThat(over.status().string("podIP")).isEqualTo("10.0.0.1");
    }

    @Test
    void runsInitContainersInTheirOrder() throws Exception {
        pod("job", "{restartPolicy: Never, initContainers: [{name: i, image: x}], containers: [{name: a, image: x}]}");
        sandbox.await("job_i_0").exit(0);
        sandbox.await("job_a_0").exit(3);
        var over = api.await("job", phase("Failed"));
        assertThat(status(over, "a").integer("state", "terminated", "exitCode")).isEqualTo(3);
        assertThat(status(over, "i").flag("ready")).isTrue();
    }

    @Test
    void restartsWithABackOff() throws Exception {
        pod("web", "{restartPolicy: Always, containers: [{name: a, image: x}]}");
        sandbox.await("web_a_0").exit(1);
        sandbox.await("web_a_1").exit(2);
        var crashing = api.await("web", waiting("CrashLoopBackOff"));
        assertThat(status(crashing, "a").integer("restartCount")).isEqualTo(1);
        assertThat(status(crashing, "a").string("state", "waiting", "message"))
                .isEqualTo("back-off 10s restarting failed container=a pod=web_shop(web)");
        assertThat(status(crashing, "a").integer("lastState", "terminated", "exitCode"))
                .isEqualTo(2);
        assertThat(sandbox.has("web_a_2")).isFalse();
        timers.advance(Duration.ofSeconds(10));
        sandbox.await("web_a_2");
        sandbox.awaitRemoved("web_a_0");
    }

    @Test
    void deletesWithGraceAndKillsWhatDoesNotListen() throws Exception {
        pod("web", "{terminationGracePeriodSeconds: 30, containers: [{name: a, image: x}]}");
        var container = sandbox.await("web_a_0");
        container.ignoreSignals();
        api.await("web", phase("Running"));
        api.beginDeletion("web", 30);
        while (container.signals().isEmpty()) {
            Thread.onSpinWait();
        }
        timers.advance(Duration.ofSeconds(29));
        assertThat(container.signals()).containsExactly(Signal.TERM);
        timers.advance(Duration.ofSeconds(1));
        api.awaitGone("web");
        assertThat(container.signals()).containsExactly(Signal.TERM, Signal.KILL);
        assertThat(root.resolve("pods/web")).doesNotExist();
    }

    @Test
    void endsWhatWasRemovedByForce() throws Exception {
        pod("web", "{containers: [{name: a, image: x}]}");
        var container = sandbox.await("web_a_0");
        api.await("web", phase("Running"));
        api.fake().delete(Pods.KIND, ObjectName.of("shop", "web"), Cluster.DeleteOptions.DEFAULT);
        container.await();
        assertThat(container.signals()).containsExactly(Signal.TERM);
    }

    @Test
    void tellsWhyAnImageCannotBeHad() throws Exception {
        pod("web", "{containers: [{name: a, image: no-such}]}");
        var first = api.await("web", waiting("ErrImagePull"));
        assertThat(status(first, "a").string("state", "waiting", "message")).isEqualTo("not in the map");
        timers.advance(Duration.ofSeconds(10));
        var second = api.await("web", waiting("ImagePullBackOff"));
        assertThat(status(second, "a").string("state", "waiting", "message"))
                .isEqualTo("Back-off pulling image \"no-such\": ErrImagePull: not in the map");
    }

    @Test
    void waitsForWhatThePodRefersTo() throws Exception {
        pod(
                "web",
                "{containers: [{name: a, image: x, env: [{name: A, valueFrom: {configMapKeyRef: {name: late, key: k}}}]}]}");
        var blocked = api.await("web", waiting("CreateContainerConfigError"));
        assertThat(status(blocked, "a").string("state", "waiting", "message"))
                .isEqualTo("configmap \"late\" not found");
        var map = Resource.of((Json.Obj) YamlText.parse("{metadata: {name: late, namespace: shop}, data: {k: v}}"));
        api.fake().given(ConfigMaps.KIND, map);
        workers.sourceChanged("configmaps", map);
        assertThat(sandbox.await("web_a_0").spec().environment()).containsEntry("A", "v");
    }

    @Test
    void failsAtTheDeadline() throws Exception {
        pod("job", "{activeDeadlineSeconds: 60, terminationGracePeriodSeconds: 5, containers: [{name: a, image: x}]}");
        sandbox.await("job_a_0");
        api.await("job", phase("Running"));
        timers.advance(Duration.ofSeconds(60));
        var over = api.await("job", phase("Failed"));
        assertThat(over.status().string("reason")).isEqualTo("DeadlineExceeded");
    }

    @Test
    void readsTheTerminationMessage() throws Exception {
        pod(
                "job",
                "{restartPolicy: Never, containers: [{name: a, image: x, terminationMessagePath: /dev/termination-log}]}");
        var container = sandbox.await("job_a_0");
        var file = container.spec().mounts().getFirst();
        assertThat(file.target()).isEqualTo("/dev/termination-log");
        Files.writeString(file.source(), "because");
        container.exit(1);
        var over = api.await("job", phase("Failed"));
        assertThat(status(over, "a").string("state", "terminated", "message")).isEqualTo("because");
    }

    @Test
    void takesTheEndOfTheLogAsMessageWhereAskedTo() throws Exception {
        pod(
                "job",
                "{restartPolicy: Never, containers: [{name: a, image: x, terminationMessagePolicy: FallbackToLogsOnError}]}");
        var container = sandbox.await("job_a_0");
        container.print("x".repeat(3000) + "the end");
        container.exit(1);
        var over = api.await("job", phase("Failed"));
        assertThat(status(over, "a").string("state", "terminated", "message"))
                .hasSize(2048)
                .endsWith("the end");
    }

    @Test
    void tellsWhatCouldNotBeStarted() throws Exception {
        pod("job", "{restartPolicy: Never, containers: [{name: a, image: x}]}");
        sandbox.await("job_a_0").end(new Exit.NotStarted("StartError", 127, "exec: no", timers.instant()));
        var over = api.await("job", phase("Failed"));
        assertThat(status(over, "a").string("state", "terminated", "reason")).isEqualTo("StartError");
        assertThat(status(over, "a").integer("state", "terminated", "exitCode")).isEqualTo(128);
    }

    @Test
    void isReadyWhenTheProbeSaysSo() throws Exception {
        sandbox.execCode(1);
        pod(
                "web",
                "{containers: [{name: a, image: x, readinessProbe: {exec: {command: [ok]}, periodSeconds: 5, failureThreshold: 1}}]}");
        sandbox.await("web_a_0");
        var running = api.await("web", phase("Running"));
        assertThat(status(running, "a").flag("ready")).isFalse();
        while (sandbox.executed().isEmpty()) {
            timers.advance(Duration.ZERO);
        }
        sandbox.execCode(0);
        while (sandbox.executed().size() < 2) {
            timers.advance(Duration.ofSeconds(1));
        }
        var ready = api.await("web", pod -> status(pod, "a").flag("ready"));
        assertThat(ready.status().objects("conditions"))
                .anySatisfy(condition -> assertThat(condition.string("type") + condition.string("status"))
                        .isEqualTo("ReadyTrue"));
    }

    @Test
    void takesUpContainersOfAnEarlierServer() throws Exception {
        pod("web", "{restartPolicy: Always, containers: [{name: a, image: x}, {name: b, image: x}]}");
        sandbox.await("web_a_0");
        var other = sandbox.await("web_b_0");
        api.await("web", phase("Running"));
        close();
        other.exit(9);
        open();
        sandbox.await("web_b_1");
        var running = api.await("web", pod -> status(pod, "b").integer("restartCount") == 1);
        assertThat(status(running, "a").integer("restartCount")).isZero();
        assertThat(status(running, "b").integer("lastState", "terminated", "exitCode"))
                .isEqualTo(9);
        assertThat(sandbox.has("web_a_1")).isFalse();
    }

    @Test
    void runsAProgramInPlaceOfAProcess() throws Exception {
        close();
        programs = List.of(new ContainerProgram() {
            @Override
            public boolean runs(Resource pod, Json.Obj container) {
                return container.string("name").equals("step");
            }

            @Override
            public int run(RunningContainer container) throws InterruptedException {
                container.await(() -> container.pod().annotations().containsKey("go"));
                return container
                                .run(new RunningContainer.Command(
                                        List.of("inner"),
                                        Map.of(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty()))
                                .code()
                        + 40;
            }
        });
        open();
        pod("task", "{restartPolicy: Never, containers: [{name: step, image: x}]}");
        api.await("task", phase("Running"));
        assertThat(sandbox.has("task_step_0")).isFalse();
        api.fake()
                .patch(
                        Pods.KIND,
                        ObjectName.of("shop", "task"),
                        new Patch.Merge((Json.Obj) YamlText.parse("{metadata: {annotations: {go: 'yes'}}}")),
                        Cluster.WriteOptions.DEFAULT);
        var process = sandbox.await("task_step_0");
        assertThat(process.spec().arguments()).containsExactly("inner");
        process.exit(2);
        var over = api.await("task", phase("Failed"));
        assertThat(status(over, "step").integer("state", "terminated", "exitCode"))
                .isEqualTo(42);
    }

    @Test
    void keepsWhatAProgramWithoutAProcessSaid() throws Exception {
        close();
        programs = List.of(new ContainerProgram() {
            @Override
            public boolean runs(Resource pod, Json.Obj container) {
                return true;
            }

            @Override
            public int run(RunningContainer container) {
                container.log("no need to start anything");
                return 0;
            }
        });
        open();
        pod("task", "{restartPolicy: Never, containers: [{name: step, image: x}]}");
        var over = api.await("task", phase("Succeeded"));
        try (var log = gate.log(over, request("step", false))) {
            assertThat(new String(log.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("no need to start anything\n");
        }
    }

    @Test
    void showsLogsOrSaysWhyThereAreNone() throws Exception {
        var pod = pod("web", "{containers: [{name: a, image: x}, {name: b, image: no-such}]}");
        sandbox.await("web_a_0").print("hello\n");
        var running = api.await("web", waiting("ErrImagePull"));
        try (var log = gate.log(running, request("a", false))) {
            assertThat(new String(log.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("hello\n");
        }
        refuses(
                () -> gate.log(running, request("b", false)),
                "container \"b\" in pod \"web\" is waiting to start: image can't be pulled");
        refuses(
                () -> gate.log(running, request("", false)),
                "a container name must be specified for pod web, choose one of: [a b]");
        refuses(() -> gate.log(running, request("c", false)), "container c is not valid for pod web");
        refuses(
                () -> gate.log(pod, request("a", true)),
                "previous terminated container \"a\" in pod \"web\" not found");
    }

    private static void refuses(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(StatusError.class).hasMessage(message);
    }

    private static PodAccess.LogRequest request(String container, boolean previous) {
        return new PodAccess.LogRequest(
                container,
                false,
                previous,
                false,
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty());
    }
}
