package dev.towtank.node.pods;

import static dev.towtank.node.pods.PodWorld.phase;
import static dev.towtank.node.pods.PodWorld.status;
import static dev.towtank.node.pods.PodWorld.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.pods.ContainerProgram;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.cluster.pods.RunningContainer;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.patch.Patch;
import dev.towtank.node.sandbox.Exit;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Programs of ours in place of processes, and what containers have said.
@Timeout(120)
class PodProgramsTest {

    @TempDir
    private Path root;

    private final PodWorld world = new PodWorld();
    private final PodApi api = world.api;
    private final FakeSandbox sandbox = world.sandbox;

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void runsAProgramInPlaceOfAProcess() throws Exception {
        world.open(root, new ContainerProgram() {
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
        world.pod("task", "{restartPolicy: Never, containers: [{name: step, image: x}]}");
        api.await("task", phase("Running"));
        assertThat(sandbox.has("task_step_0")).isFalse();
        api.fake()
                .patch(
                        Pods.KIND,
                        ObjectName.of("shop", "task"),
                        new Patch.Merge((Json.Obj) YamlText.parse("{metadata: {annotations: {go: 'yes'}}}")),
                        Cluster.WriteOptions.DEFAULT);
        var process = sandbox.await("task_step_0");
        assertThat(process.spec().command().arguments()).containsExactly("inner");
        process.exit(2);
        var over = api.await("task", phase("Failed"));
        assertThat(status(over, "step").integer("state", "terminated", "exitCode"))
                .isEqualTo(42);
    }

    /// Whatever the program makes of it; one that goes on all the same has not failed for it.
    @ParameterizedTest
    @CsvSource({"1, OOMKilled", "0, Completed"})
    void tellsThatTheProcessOfAProgramHadTooLittleMemory(int code, String reason) throws Exception {
        world.open(root, new ContainerProgram() {
            @Override
            public boolean runs(Resource pod, Json.Obj container) {
                return true;
            }

            @Override
            public int run(RunningContainer container) throws InterruptedException {
                var _ = container.run(new RunningContainer.Command(
                        List.of("inner"), Map.of(), Optional.empty(), Optional.empty(), Optional.empty()));
                return code;
            }
        });
        world.pod("task", "{restartPolicy: Never, containers: [{name: step, image: x}]}");
        sandbox.await("task_step_0").end(new Exit.Ended(137, OptionalInt.of(9), true, Instant.EPOCH));
        var over = api.await("task", phase(code == 0 ? "Succeeded" : "Failed"));
        assertThat(status(over, "step").string("state", "terminated", "reason")).isEqualTo(reason);
    }

    @Test
    void keepsWhatAProgramWithoutAProcessSaid() throws Exception {
        world.open(root, new ContainerProgram() {
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
        world.pod("task", "{restartPolicy: Never, containers: [{name: step, image: x}]}");
        var over = api.await("task", phase("Succeeded"));
        try (var log = world.gate().log(over, request("step", false))) {
            assertThat(new String(log.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("no need to start anything\n");
        }
    }

    @Test
    void showsLogsOrSaysWhyThereAreNone() throws Exception {
        world.open(root);
        var pod = world.pod("web", "{containers: [{name: a, image: x}, {name: b, image: no-such}]}");
        sandbox.await("web_a_0").print("hello\n");
        var running = api.await("web", waiting("ErrImagePull"));
        try (var log = world.gate().log(running, request("a", false))) {
            assertThat(new String(log.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("hello\n");
        }
        refuses(
                () -> world.gate().log(running, request("b", false)),
                "container \"b\" in pod \"web\" is waiting to start: image can't be pulled");
        refuses(
                () -> world.gate().log(running, request("", false)),
                "a container name must be specified for pod web, choose one of: [a b]");
        refuses(() -> world.gate().log(running, request("c", false)), "container c is not valid for pod web");
        refuses(
                () -> world.gate().log(pod, request("a", true)),
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
