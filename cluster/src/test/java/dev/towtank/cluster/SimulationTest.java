package dev.towtank.cluster;

import static dev.towtank.cluster.Things.MAPS;
import static dev.towtank.cluster.Things.THINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.Simulation;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.patch.Patch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SimulationTest {

    private static final Duration HOUR = Duration.ofHours(1);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aRealReconcilerSurvivesEverything(long seed) {
        simulate(seed);
    }

    static LongStream manySeeds() {
        return LongStream.rangeClosed(1_000, 20_000);
    }

    @Tag("deep")
    @Test
    void aRealReconcilerSurvivesEverythingForLong() {
        manySeeds().forEach(SimulationTest::simulate);
    }

    private static void simulate(long seed) {
        var simulation = simulation(seed, new ThingReconciler());

        simulation.run(300, SimulationTest::act).settle(HOUR);

        for (var thing : things(simulation)) {
            var children = simulation.cluster().list(MAPS, Selection.EVERYWHERE).items().stream()
                    .filter(map -> map.name().startsWith(thing.name() + "-"))
                    .toList();
            var over = thing.status().string("phase").equals("Over");
            assertThat(children).hasSize(over ? 0 : (int) thing.spec().integer("size"));
            assertThat(children)
                    .allSatisfy(map -> assertThat(map.json().string("data", "color"))
                            .isEqualTo(thing.spec().string("color")));
        }
    }

    private static List<Resource> things(Simulation simulation) {
        return simulation.cluster().list(THINGS, Selection.EVERYWHERE).items();
    }

    private static Simulation simulation(long seed, Reconciler<ThingReconciler.Thing, List<Resource>> reconciler) {
        return new Simulation(
                seed,
                caches -> {
                    var real = ThingReconciler.controller(caches);
                    return List.of(new Controller<>(
                            real.name(),
                            real.kind(),
                            real.facts(),
                            reconciler,
                            real.concerns(),
                            real.triggers(),
                            List.of(),
                            Map.of(),
                            () -> 1));
                },
                thing -> thing.status().string("phase").equals("Over"));
    }

    private static void act(FakeCluster cluster, Random random) {
        var name = "t" + random.nextInt(3);
        switch (random.nextInt(6)) {
            case 0, 1, 2 -> {
                var spec = "{\"spec\":{\"size\":%d,\"color\":\"c%d\",\"seconds\":%d}}"
                        .formatted(random.nextInt(4), random.nextInt(3), random.nextInt(3) * 10);
                cluster.create(THINGS, Things.of(THINGS, name, spec), Cluster.WriteOptions.DEFAULT);
            }
            case 3, 4 -> {
                var spec = "{\"spec\":{\"size\":%d,\"color\":\"c%d\"}}".formatted(random.nextInt(4), random.nextInt(3));
                cluster.patch(
                        THINGS,
                        ObjectName.of("n", name),
                        new Patch.Merge(JsonText.parseObject(spec)),
                        Cluster.WriteOptions.DEFAULT);
            }
            case 5 -> {
                if (random.nextBoolean()) {
                    cluster.delete(THINGS, ObjectName.of("n", name), Cluster.DeleteOptions.DEFAULT);
                } else {
                    cluster.delete(MAPS, ObjectName.of("n", name + "-0"), Cluster.DeleteOptions.DEFAULT);
                }
            }
            default -> throw new IllegalStateException();
        }
    }

    @Test
    void theSameSeedGivesTheSameWorld() {
        var first = simulation(7, new ThingReconciler()).run(500, SimulationTest::act);
        var second = simulation(7, new ThingReconciler()).run(500, SimulationTest::act);
        var other = simulation(8, new ThingReconciler()).run(500, SimulationTest::act);

        assertThat(things(second)).isEqualTo(things(first));
        assertThat(second.cluster().revision()).isEqualTo(first.cluster().revision());
        assertThat(other.cluster().revision()).isNotEqualTo(first.cluster().revision());
    }

    @Test
    void crashesDoHappen() {
        assertThat(simulation(7, new ThingReconciler())
                        .run(2_000, SimulationTest::act)
                        .crashes())
                .isPositive();
    }

    private static void assertCaught(Reconciler<ThingReconciler.Thing, List<Resource>> broken, String problem) {
        assertThatThrownBy(() -> seeds().forEach(seed ->
                        simulation(seed, broken).run(300, SimulationTest::act).settle(HOUR)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("with seed ")
                .hasMessageContaining(problem);
    }

    @Test
    void catchesADecisionThatIsNotPure() {
        var count = new AtomicInteger();
        assertCaught(
                (thing, _, _) -> Plan.none()
                        .setStatus(
                                THINGS, thing.object(), Json.Obj.of("phase", Json.of("p" + count.incrementAndGet()))),
                "differs");
    }

    @Test
    void catchesAWorldThatNeverSettles() {
        assertCaught(
                (thing, _, _) -> Plan.none()
                        .setStatus(
                                THINGS,
                                thing.object(),
                                Json.Obj.of("count", Json.of(thing.status().integer("count") + 1))),
                "it does not settle");
    }

    @Test
    void catchesATerminalStatusThatChanges() {
        var real = new ThingReconciler();
        assertCaught(
                (thing, children, now) -> thing.status().string("phase").equals("Over") && !children.isEmpty()
                        ? Plan.none().setStatus(THINGS, thing.object(), Json.Obj.of("phase", Json.of("Cleaning")))
                        : real.reconcile(thing, children, now),
                "the terminal status of Thing");
    }

    /// Names that are not a function of the parent: a stale cache or a crash makes too many.
    @Test
    void catchesChildrenThatAreMadeTwice() {
        Reconciler<ThingReconciler.Thing, List<Resource>> broken = (thing, children, _) -> {
            var child = Things.owned(Things.of(MAPS, "", "{}"), thing.object());
            child = child.with(child.json()
                    .with("metadata", child.metadata().without("name").with("generateName", Json.of("gen-"))));
            return children.isEmpty() && !thing.object().isDeleting()
                    ? Plan.none().create(MAPS, child)
                    : Plan.none();
        };
        var most = seeds().mapToInt(seed -> {
                    var simulation = simulation(seed, broken);
                    simulation.run(300, SimulationTest::act).settle(HOUR);
                    return things(simulation).stream()
                            .mapToInt(thing ->
                                    (int) simulation.cluster().list(MAPS, Selection.EVERYWHERE).items().stream()
                                            .filter(map -> map.owners()
                                                    .getFirst()
                                                    .uid()
                                                    .equals(thing.uid()))
                                            .count())
                            .max()
                            .orElse(0);
                })
                .max()
                .orElse(0);

        assertThat(most).isGreaterThan(1);
    }
}
