package dev.towtank.node.pods;

import static dev.towtank.node.pods.PodWorld.phase;
import static dev.towtank.node.pods.PodWorld.status;
import static dev.towtank.node.pods.PodWorld.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.patch.Patch;
import dev.towtank.node.linux.Signal;
import dev.towtank.node.sandbox.Exit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class PodWorkersTest {

    @TempDir
    private Path root;

    private final PodWorld world = new PodWorld();
    private final PodApi api = world.api;
    private final FakeSandbox sandbox = world.sandbox;

    @BeforeEach
    void open() {
        world.open(root);
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void runsAPodToItsEnd() throws Exception {
        world.pod(
                "job",
                "{restartPolicy: Never, containers: [{name: a, image: x, command: [run, $(HOW)], env: [{name: HOW, value: fast}]}]}");
        var container = sandbox.await("job_a_0");
        assertThat(container.spec().command().arguments()).containsExactly("run", "fast");
        assertThat(container.spec().command().environment())
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
        world.pod(
                "job",
                "{restartPolicy: Never, initContainers: [{name: i, image: x}], containers: [{name: a, image: x}]}");
        sandbox.await("job_i_0").exit(0);
        sandbox.await("job_a_0").exit(3);
        var over = api.await("job", phase("Failed"));
        assertThat(status(over, "a").integer("state", "terminated", "exitCode")).isEqualTo(3);
        assertThat(status(over, "i").flag("ready")).isTrue();
    }

    @Test
    void restartsWithABackOff() throws Exception {
        world.pod("web", "{restartPolicy: Always, containers: [{name: a, image: x}]}");
        sandbox.await("web_a_0").exit(1);
        sandbox.await("web_a_1").exit(2);
        var crashing = api.await("web", waiting("CrashLoopBackOff"));
        assertThat(status(crashing, "a").integer("restartCount")).isEqualTo(1);
        assertThat(status(crashing, "a").string("state", "waiting", "message"))
                .isEqualTo("back-off 10s restarting failed container=a pod=web_shop(web)");
        assertThat(status(crashing, "a").integer("lastState", "terminated", "exitCode"))
                .isEqualTo(2);
        assertThat(sandbox.has("web_a_2")).isFalse();
        while (!sandbox.has("web_a_2")) {
            world.timers.advance(Duration.ofSeconds(1));
        }
        sandbox.awaitRemoved("web_a_0");
    }

    private void resize(String name, String cpu) {
        var resources = "{requests: {cpu: '" + cpu + "'}, limits: {cpu: '" + cpu + "'}}";
        var spec = "{spec: {containers: [{name: a, image: x, resources: " + resources + "}]}}";
        var patch = new Patch.Merge((Json.Obj) YamlText.parse(spec));
        api.fake().patch(Pods.KIND, ObjectName.of("shop", name), patch, Cluster.WriteOptions.DEFAULT);
    }

    private static Predicate<Resource> uses(String cpu) {
        return pod -> status(pod, "a").string("resources", "limits", "cpu").equals(cpu)
                && pod.status().objects("conditions").stream()
                        .noneMatch(condition -> condition.string("type").startsWith("PodResize"));
    }

    private static Predicate<Resource> resizing(String type, String reason) {
        return pod -> pod.status().objects("conditions").stream()
                .anyMatch(condition -> condition.string("type").equals(type)
                        && condition.string("reason").equals(reason));
    }

    @Test
    void givesARunningContainerWhatItMayUseNow() throws Exception {
        world.pod("web", "{containers: [{name: a, image: x, resources: {requests: {cpu: 1}, limits: {cpu: 1}}}]}");
        sandbox.await("web_a_0");
        api.await("web", phase("Running"));

        resize("web", "2");
        var resized = api.await("web", uses("2"));
        assertThat(sandbox.resized()).containsExactly("0 2000");
        assertThat(status(resized, "a").integer("restartCount")).isZero();

        resize("web", "5");
        var never = api.await("web", resizing("PodResizePending", "Infeasible"));
        assertThat(status(never, "a").string("resources", "limits", "cpu")).isEqualTo("2");

        sandbox.refuseToResize(true);
        resize("web", "1");
        api.await("web", resizing("PodResizeInProgress", "Error"));
        sandbox.refuseToResize(false);
        world.awaitInTime("web", uses("1"));
    }

    @Test
    void waitsUntilOthersLeaveRoom() throws Exception {
        world.pod("big", "{restartPolicy: Never, containers: [{name: a, image: x, resources: {requests: {cpu: 3}}}]}");
        world.pod("web", "{containers: [{name: a, image: x, resources: {requests: {cpu: 1}, limits: {cpu: 1}}}]}");
        var big = sandbox.await("big_a_0");
        sandbox.await("web_a_0");
        api.await("web", phase("Running"));

        resize("web", "2");
        api.await("web", resizing("PodResizePending", "Deferred"));
        big.exit(0);
        api.await("big", phase("Succeeded"));
        world.awaitInTime("web", uses("2"));
    }

    @Test
    void deletesWithGraceAndKillsWhatDoesNotListen() throws Exception {
        world.pod("web", "{terminationGracePeriodSeconds: 30, containers: [{name: a, image: x}]}");
        var container = sandbox.await("web_a_0");
        container.ignoreSignals();
        api.await("web", phase("Running"));
        api.beginDeletion("web", 30);
        while (container.signals().isEmpty()) {
            Thread.onSpinWait();
        }
        world.timers.advance(Duration.ofSeconds(29));
        assertThat(container.signals()).containsExactly(Signal.TERM);
        while (!container.signals().contains(Signal.KILL)) {
            world.timers.advance(Duration.ofSeconds(1));
        }
        api.awaitGone("web");
        assertThat(container.signals()).containsExactly(Signal.TERM, Signal.KILL);
        assertThat(root.resolve("pods/web")).doesNotExist();
    }

    @Test
    void endsWhatWasRemovedByForce() throws Exception {
        world.pod("web", "{containers: [{name: a, image: x}]}");
        var container = sandbox.await("web_a_0");
        api.await("web", phase("Running"));
        api.fake().delete(Pods.KIND, ObjectName.of("shop", "web"), Cluster.DeleteOptions.DEFAULT);
        container.await();
        assertThat(container.signals()).containsExactly(Signal.TERM);
    }

    @Test
    void whoIsKilledHasNoGracePeriod() throws Exception {
        world.pod("web", "{containers: [{name: a, image: x}]}");
        var container = sandbox.await("web_a_0");
        container.ignoreSignals();
        api.await("web", phase("Running"));
        api.beginDeletion("web", 30);
        while (container.signals().isEmpty()) {
            Thread.onSpinWait();
        }
        world.workers().kill();
        api.awaitGone("web");
        assertThat(container.signals()).containsExactly(Signal.TERM, Signal.KILL);
    }

    @Test
    void tellsWhyAnImageCannotBeHad() throws Exception {
        world.pod("web", "{containers: [{name: a, image: no-such}]}");
        var first = api.await("web", waiting("ErrImagePull"));
        assertThat(status(first, "a").string("state", "waiting", "message")).isEqualTo("not in the map");
        var second = world.awaitInTime("web", waiting("ImagePullBackOff"));
        assertThat(status(second, "a").string("state", "waiting", "message"))
                .isEqualTo("Back-off pulling image \"no-such\": ErrImagePull: not in the map");
    }

    @Test
    void waitsForWhatThePodRefersTo() throws Exception {
        world.pod(
                "web",
                "{containers: [{name: a, image: x, env: [{name: A, valueFrom: {configMapKeyRef: {name: late, key: k}}}]}]}");
        var blocked = api.await("web", waiting("CreateContainerConfigError"));
        assertThat(status(blocked, "a").string("state", "waiting", "message"))
                .isEqualTo("configmap \"late\" not found");
        var map = Resource.of((Json.Obj) YamlText.parse("{metadata: {name: late, namespace: shop}, data: {k: v}}"));
        api.fake().given(ConfigMaps.KIND, map);
        world.workers().sourceChanged("configmaps", map);
        assertThat(sandbox.await("web_a_0").spec().command().environment()).containsEntry("A", "v");
    }

    @Test
    void failsAtTheDeadline() throws Exception {
        world.pod(
                "job",
                "{activeDeadlineSeconds: 60, terminationGracePeriodSeconds: 5, containers: [{name: a, image: x}]}");
        sandbox.await("job_a_0");
        api.await("job", phase("Running"));
        world.timers.advance(Duration.ofSeconds(60));
        var over = world.awaitNow("job", phase("Failed"));
        assertThat(over.status().string("reason")).isEqualTo("DeadlineExceeded");
    }

    @Test
    void evictsWhoWritesMoreToItsRootThanItMay() throws Exception {
        world.pod("job", "{terminationGracePeriodSeconds: 0, containers: [{name: a, image: x}, {name: b, image: x}]}");
        sandbox.await("job_b_0");
        api.await("job", phase("Running"));
        sandbox.fill("job_b_0", 16 << 20);
        var over = world.awaitInTime("job", phase("Failed"));
        assertThat(over.status().string("reason")).isEqualTo("Evicted");
        assertThat(over.status().string("message"))
                .isEqualTo("Container b exceeded its local ephemeral storage limit \"16384Ki\". ");
    }

    @Test
    void readsTheTerminationMessage() throws Exception {
        world.pod(
                "job",
                "{restartPolicy: Never, containers: [{name: a, image: x, terminationMessagePath: /dev/termination-log}]}");
        var container = sandbox.await("job_a_0");
        var file = container.spec().view().mounts().getFirst();
        assertThat(file.target()).isEqualTo("/dev/termination-log");
        Files.writeString(file.source(), "because");
        container.exit(1);
        var over = api.await("job", phase("Failed"));
        assertThat(status(over, "a").string("state", "terminated", "message")).isEqualTo("because");
    }

    @Test
    void takesTheEndOfTheLogAsMessageWhereAskedTo() throws Exception {
        world.pod(
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
        world.pod("job", "{restartPolicy: Never, containers: [{name: a, image: x}]}");
        sandbox.await("job_a_0").end(new Exit.NotStarted("StartError", 127, "exec: no", world.timers.instant()));
        var over = api.await("job", phase("Failed"));
        assertThat(status(over, "a").string("state", "terminated", "reason")).isEqualTo("StartError");
        assertThat(status(over, "a").integer("state", "terminated", "exitCode")).isEqualTo(128);
    }

    @Test
    void isReadyWhenTheProbeSaysSo() throws Exception {
        sandbox.execCode(1);
        world.pod(
                "web",
                "{containers: [{name: a, image: x, readinessProbe: {exec: {command: [ok]}, periodSeconds: 5, failureThreshold: 1}}]}");
        sandbox.await("web_a_0");
        var running = api.await("web", phase("Running"));
        assertThat(status(running, "a").flag("ready")).isFalse();
        while (sandbox.executed().isEmpty()) {
            world.timers.advance(Duration.ZERO);
        }
        sandbox.execCode(0);
        // A probe whose second passes before its answer is there fails: then the next one is it.
        while (!api.is("web", pod -> status(pod, "a").flag("ready"))) {
            world.timers.advance(Duration.ofSeconds(1));
            Thread.sleep(5);
        }
        assertThat(sandbox.executed()).hasSizeGreaterThan(1);
        var ready = api.await("web", pod -> status(pod, "a").flag("ready"));
        assertThat(ready.status().objects("conditions"))
                .anySatisfy(condition -> assertThat(condition.string("type") + condition.string("status"))
                        .isEqualTo("ReadyTrue"));
    }

    @Test
    void aServerThatStopsEndsWhatItIsJustStarting() throws Exception {
        sandbox.startsTakeLong(true);
        world.pod("web", "{containers: [{name: a, image: x}]}");
        sandbox.awaitStarting();
        var stopping = new FutureTask<>(() -> {
            world.workers().shutDown();
            return sandbox.await("web_a_0").signals();
        });
        var thread = Thread.ofVirtual().start(stopping);
        while (thread.getState() == Thread.State.NEW || thread.getState() == Thread.State.RUNNABLE) {
            Thread.onSpinWait();
        }
        sandbox.startsTakeLong(false);

        assertThat(stopping.get()).containsExactly(Signal.TERM);
    }

    @Test
    void aServerThatStopsBeginsWithNoOtherPod() throws Exception {
        world.workers().shutDown();

        var late = world.pod("late", "{containers: [{name: a, image: x}]}");
        world.workers().changed(null, late);

        assertThat(world.workers().count()).isZero();
        assertThat(root.resolve("pods/late")).doesNotExist();
    }

    @Test
    void takesUpContainersOfAnEarlierServer() throws Exception {
        world.pod("web", "{restartPolicy: Always, containers: [{name: a, image: x}, {name: b, image: x}]}");
        sandbox.await("web_a_0");
        var other = sandbox.await("web_b_0");
        api.await("web", phase("Running"));
        world.close();
        other.exit(9);
        world.open(root);
        sandbox.await("web_b_1");
        var running = api.await("web", pod -> status(pod, "b").integer("restartCount") == 1);
        assertThat(status(running, "a").integer("restartCount")).isZero();
        assertThat(status(running, "b").integer("lastState", "terminated", "exitCode"))
                .isEqualTo(9);
        assertThat(sandbox.has("web_a_1")).isFalse();
    }

    @Test
    void stopsWhatAnEarlierServerHadNotStoppedYet() throws Exception {
        world.pod(
                "job",
                "{activeDeadlineSeconds: 60, terminationGracePeriodSeconds: 5, containers: [{name: a, image: x}]}");
        var container = sandbox.await("job_a_0");
        container.ignoreSignals();
        api.await("job", phase("Running"));
        world.timers.advance(Duration.ofSeconds(60));
        var failed = world.awaitNow("job", phase("Failed"));
        assertThat(status(failed, "a").object("state").has("running")).isTrue();
        world.close();

        world.open(root);
        while (!container.signals().contains(Signal.KILL)) {
            world.timers.advance(Duration.ofSeconds(1));
        }
        var ended = api.await("job", pod -> status(pod, "a").object("state").has("terminated"));
        assertThat(ended.status().string("reason")).isEqualTo("DeadlineExceeded");
    }

    @Test
    void keepsNothingButLogsOfWhatIsDone() throws Exception {
        world.pod("job", "{restartPolicy: Never, containers: [{name: a, image: x}]}");
        sandbox.await("job_a_0").exit(0);
        var done = api.await("job", phase("Succeeded"));
        world.workers().awaitNone(Duration.ofMinutes(2));
        var directory = root.resolve("pods/job");
        Files.createDirectories(directory.resolve("run/a.0")); // as if the server had died just before
        Files.createDirectories(directory.resolve("a.0"));
        Files.createDirectories(root.resolve("pods/gone/a.0"));

        world.workers().removeLeftovers(List.of(done));

        assertThat(directory.resolve("run")).doesNotExist();
        assertThat(directory.resolve("a.0")).exists();
        assertThat(root.resolve("pods/gone")).doesNotExist();
    }
}
