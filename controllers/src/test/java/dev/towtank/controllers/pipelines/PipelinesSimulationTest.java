package dev.towtank.controllers.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.pods.ImageCommands;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.cluster.testing.Simulation;
import dev.towtank.controllers.pipelines.resolution.ResolutionController;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.runs.PodLogs;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.patch.Patch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Pipelines in a world where everything comes late and crashes come between any two writes.
class PipelinesSimulationTest {

    /// The uids under which pods of a name have run.
    private final Map<String, Set<String>> ran = new HashMap<>();
    private int made;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void noTaskRunsTwiceAndNoRunHangs(long seed) {
        simulate(seed);
    }

    @Tag("deep")
    @ParameterizedTest
    @MethodSource("manySeeds")
    void noTaskRunsTwiceAndNoRunHangsWithManySeeds(long seed) {
        simulate(seed);
    }

    static LongStream manySeeds() {
        return LongStream.range(100, 160);
    }

    private void simulate(long seed) {
        var simulation = new Simulation(seed, this::controllers, PipelinesSimulationTest::isOver);
        simulation.run(600, this::act).settle(Duration.ofHours(3));

        assertThat(made).isGreaterThan(2);
        assertThat(simulation.crashes()).isPositive();
        assertThat(ran)
                .isNotEmpty()
                .allSatisfy((pod, uids) -> assertThat(uids)
                        .as("runs of pod " + pod + " with seed " + seed)
                        .hasSize(1));
        for (var run : simulation
                .cluster()
                .list(PipelineKinds.PIPELINE_RUN, Selection.EVERYWHERE)
                .items()) {
            assertThat(isOver(run)).as(run.json().toString()).isTrue();
        }
        for (var run : simulation
                .cluster()
                .list(PipelineKinds.TASK_RUN, Selection.EVERYWHERE)
                .items()) {
            assertThat(isOver(run)).as(run.json().toString()).isTrue();
        }
    }

    private static boolean isOver(Resource run) {
        return RunStatus.of(run).isOver();
    }

    private List<Controller<?, ?>> controllers(Caches caches) {
        var all = new ArrayList<>(new PipelinesFeature(_ -> Map.of())
                .controllers(
                        caches,
                        ImageCommands.UNKNOWN,
                        PodLogs.SILENT,
                        new ResolutionController(caches, Map.of(), new FakeTimers(Instant.EPOCH), Runnable::run)));
        all.add(Controller.of("node", Pods.KIND, (Observed<Json.Obj> _) -> "", this::play));
        return all;
    }

    /// A node: a pod runs, and then its steps end as its name says.
    private Plan play(Observed<Json.Obj> observed, String facts, Instant now) {
        var pod = observed.object();
        return switch (pod.status().string("phase")) {
            case "" -> Plan.none().setStatus(Pods.KIND, pod, status(pod, "Running", "running: {}"));
            case "Running" -> {
                ran.computeIfAbsent(pod.name(), _ -> new HashSet<>()).add(pod.uid());
                var fails = pod.name().hashCode() % 5 == 0;
                var state =
                        "terminated: {exitCode: %d, reason: x, message: '[{\"key\":\"r\",\"value\":\"v\",\"type\":1}]'}"
                                .formatted(fails ? 1 : 0);
                yield Plan.none().setStatus(Pods.KIND, pod, status(pod, fails ? "Failed" : "Succeeded", state));
            }
            default -> Plan.none();
        };
    }

    private static Json.Obj status(Resource pod, String phase, String state) {
        var statuses = new ArrayList<Json>();
        pod.spec()
                .objects("containers")
                .forEach(container -> statuses.add(Json.Obj.of(
                        "name", Json.of(container.string("name")), "state", YamlText.parse("{" + state + "}"))));
        return Json.Obj.of("phase", Json.of(phase), "containerStatuses", new Json.Arr(statuses));
    }

    private void act(FakeCluster cluster, Random random) {
        var runs =
                cluster.list(PipelineKinds.PIPELINE_RUN, Selection.EVERYWHERE).items();
        if (runs.size() < 4 || random.nextInt(10) == 0) {
            var name = "p" + made++;
            cluster.create(
                    PipelineKinds.PIPELINE_RUN, Resource.of(pipeline(name, random)), Cluster.WriteOptions.DEFAULT);
        } else if (random.nextInt(6) == 0) {
            var run = runs.get(random.nextInt(runs.size()));
            if (!isOver(run) && !run.spec().has("status")) {
                var how = List.of("Cancelled", "CancelledRunFinally", "StoppedRunFinally")
                        .get(random.nextInt(3));
                cluster.patch(
                        PipelineKinds.PIPELINE_RUN,
                        ObjectName.of(run),
                        new Patch.Merge(Json.Obj.of("spec", Json.Obj.of("status", Json.of(how)))),
                        Cluster.WriteOptions.DEFAULT);
            }
        }
    }

    private static Json.Obj pipeline(String name, Random random) {
        var tasks = new StringBuilder();
        int size = 1 + random.nextInt(5);
        for (int i = 0; i < size; i++) {
            tasks.append("    - name: t").append(i).append('\n');
            tasks.append("      retries: ").append(random.nextInt(2)).append('\n');
            tasks.append("      taskSpec: {results: [{name: r}], steps: [{name: s, image: i, command: [c]}]}\n");
            if (i > 0 && random.nextBoolean()) {
                var parent = random.nextInt(i);
                tasks.append(
                        random.nextBoolean()
                                ? "      runAfter: [t" + parent + "]\n"
                                : "      params: [{name: x, value: \"$(tasks.t" + parent + ".results.r[*])\"}]\n");
            }
            if (random.nextInt(4) == 0) {
                tasks.append("      matrix: {params: [{name: m, value: [a, b, c]}]}\n");
            }
        }
        var yaml = """
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: %s, namespace: ns}
                spec:
                  timeouts: {pipeline: %s}
                  pipelineSpec:
                    tasks:
                %s    finally:
                    - {name: f, taskSpec: {steps: [{name: s, image: i, command: [c]}]}}
                """.formatted(name, random.nextInt(4) == 0 ? "20s" : "1h", tasks);
        return (Json.Obj) YamlText.parse(yaml);
    }
}
